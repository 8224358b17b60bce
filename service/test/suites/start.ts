import type { RunningService, ServiceOptions } from '../runningService.ts';

/** How a suite gets its service: on the embedded database, or on a new one of a server. */
export type Start = (options?: ServiceOptions) => Promise<RunningService>;
