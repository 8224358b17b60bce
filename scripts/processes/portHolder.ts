import { readdir, readFile, readlink } from 'node:fs/promises';

export interface PortHolder {
	pid: number;
	/** The process id and the command line, shortened. */
	description: string;
}

const listening = '0A';
const longestCommand = 100;

/** The inodes of the sockets that listen on `port`, from Linux's own tables. */
const socketsOn = async (port: number): Promise<Set<string>> => {
	const inodes = new Set<string>();
	for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
		const text = await readFile(table, 'utf8').catch(() => '');
		for (const line of text.split('\n').slice(1)) {
			const columns = line.trim().split(/\s+/);
			const [, localAddress, , state] = columns;
			const inode = columns[9];
			const portOfLine = Number.parseInt(localAddress?.split(':')[1] ?? '', 16);
			if (state === listening && portOfLine === port && inode !== undefined) inodes.add(inode);
		}
	}
	return inodes;
};

const holdsOneOf = async (pid: string, inodes: Set<string>): Promise<boolean> => {
	const folder = `/proc/${pid}/fd`;
	// Another user's process cannot be looked into; it is then not named.
	for (const descriptor of await readdir(folder).catch(() => [])) {
		const target = await readlink(`${folder}/${descriptor}`).catch(() => '');
		const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
		if (inode !== undefined && inodes.has(inode)) return true;
	}
	return false;
};

/** The process that listens on a port. Known on Linux, for processes of the same user. */
export const portHolder = async (port: number): Promise<PortHolder | undefined> => {
	const inodes = await socketsOn(port);
	if (inodes.size === 0) return undefined;
	const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
	for (const pid of pids) {
		if (await holdsOneOf(pid, inodes)) {
			const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
			const command = commandLine.split('\0').join(' ').trim();
			const shown =
				command.length > longestCommand ? `${command.slice(0, longestCommand)}…` : command;
			return { pid: Number(pid), description: `process ${pid} (${shown})` };
		}
	}
	return undefined;
};
