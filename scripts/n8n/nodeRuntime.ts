import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PlainError } from '../processes/plainError.ts';
import { projectFolder } from '../projectFolder.ts';

const neededMajor = 24;

/** n8n needs Node 24, which the project brings along as a development package. */
export const requireNode = (version = process.versions.node): void => {
	if (Number(version.split('.')[0]) < neededMajor) {
		throw new PlainError(
			`This needs Node ${neededMajor}, and it runs on Node ${version}. The project brings its own: run \`npm ci\` once, then start it through npm (npm start, npm run test:n8n), which finds it.`,
		);
	}
};

/**
 * The folder with the headers of the Node that runs this, for node-gyp. Undefined where the package
 * does not have them; node-gyp then downloads them.
 */
export const nodeHeadersFolder = (): string | undefined => {
	const platformPackage = `node-${process.platform}-${process.arch}`;
	const candidates = [
		dirname(dirname(process.execPath)),
		resolve(projectFolder, 'node_modules/node/node_modules', platformPackage),
		resolve(projectFolder, 'node_modules', platformPackage),
	];
	return candidates.find((folder) => existsSync(resolve(folder, 'include/node/node.h')));
};
