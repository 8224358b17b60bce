import type { RowName, Section } from '../rows.ts';
import type { Scene } from '../scene.ts';

/**
 * Tries one row. Answers what was seen.
 *
 * @throws Unmet where something else was seen, NotTried where it cannot be seen here
 */
export type Check = (scene: Scene) => Promise<string>;

/** A check for every row of a section, and for nothing else. */
export type Checks<S extends Section> = Record<RowName<S>, Check>;

/** For a row where the interface leaves everything open. */
export const NO_CLAIM: Check = async () => 'not shown: any choice is right';
