import { spawnSync } from 'node:child_process';

interface BuildTool {
	/** How a person calls it. */
	name: string;
	/** Commands of which one is enough. */
	commands: string[];
	debianPackage: string;
}

/** What node-gyp needs to compile the database driver. */
const buildTools: BuildTool[] = [
	{ name: 'a C++ compiler', commands: ['g++', 'c++', 'clang++'], debianPackage: 'g++' },
	{ name: 'make', commands: ['make', 'gmake'], debianPackage: 'make' },
	{ name: 'Python 3', commands: ['python3', 'python'], debianPackage: 'python3' },
];

const answers = (command: string): boolean =>
	spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

/** The tools for compiling that this machine does not have. */
export const missingBuildTools = (available = answers): BuildTool[] =>
	buildTools.filter(({ commands }) => !commands.some(available));

/** Says what is missing and how to get it. */
export const describeMissing = (missing: BuildTool[]): string =>
	[
		`n8n's database driver (sqlite3) has to be compiled once, and this machine lacks ${missing
			.map(({ name }) => name)
			.join(', ')}.`,
		'On Debian or Ubuntu:',
		`    sudo apt-get install -y ${missing.map(({ debianPackage }) => debianPackage).join(' ')}`,
		'On macOS: xcode-select --install',
		'Then run the same command again: it goes on where it stopped.',
	].join('\n');
