import { existsSync } from 'node:fs';

/** The npm that started this script, run by the Node that runs it; else the npm on the PATH. */
export const npmCommand = (): { command: string; args: string[] } => {
	const script = process.env.npm_execpath;
	return script !== undefined && script.endsWith('.js') && existsSync(script)
		? { command: process.execPath, args: [script] }
		: { command: 'npm', args: [] };
};

/**
 * The environment for an npm inside an npm script: what the outer one set about its own package and
 * folder is left out, the settings of the user (registry, proxy, cache) stay.
 */
export const npmEnvironment = (added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
	const kept = Object.entries(process.env).filter(
		([name]) => !/^npm_(package|lifecycle|command|config_local_prefix)/.test(name),
	);
	return { ...Object.fromEntries(kept), ...added };
};
