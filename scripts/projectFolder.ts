import { resolve } from 'node:path';

/** The folder that holds the project's package.json. */
export const projectFolder = resolve(__dirname, '..');
