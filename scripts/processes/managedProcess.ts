import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OutputTail } from './outputTail.ts';

const exitWithParentModule = resolve(__dirname, 'exitWithParent.cjs');

export interface ProcessSpecification {
	/** What it is called in messages, e.g. "n8n". */
	name: string;
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Everything it prints is appended here. */
	logFile?: string;
	/** Called for every chunk that it prints. */
	onOutput?: (chunk: string) => void;
}

export interface ProcessEnd {
	code: number | null;
	signal: NodeJS.Signals | null;
}

/** Arguments that make a Node process go down with the script that started it. */
export const endsWithThisProcess = ['--require', exitWithParentModule];

const groupIsAlive = (groupId: number): boolean => {
	try {
		process.kill(-groupId, 0);
		return true;
	} catch {
		return false;
	}
};

const signalGroup = (groupId: number, signal: NodeJS.Signals): void => {
	try {
		process.kill(-groupId, signal);
	} catch {
		// The group is gone already, which is what a signal is sent for.
	}
};

/**
 * A child process in a process group of its own, so that stopping it stops everything it started,
 * and a Ctrl-C in the terminal reaches the script alone, which then stops the parts in order.
 */
export class ManagedProcess {
	readonly name: string;

	readonly pid: number;

	/** Settles when the process has ended; never rejects. */
	readonly ended: Promise<ProcessEnd>;

	readonly output = new OutputTail();

	private readonly log: WriteStream | undefined;

	private end: ProcessEnd | undefined;

	private constructor(specification: ProcessSpecification, child: ChildProcess) {
		this.name = specification.name;
		this.pid = child.pid ?? 0;
		if (specification.logFile !== undefined) {
			mkdirSync(dirname(specification.logFile), { recursive: true });
			this.log = createWriteStream(specification.logFile, { flags: 'a', mode: 0o600 });
		}
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8');
			stream?.on('data', (chunk: string) => {
				this.output.add(chunk);
				this.log?.write(chunk);
				specification.onOutput?.(chunk);
			});
		}
		this.ended = new Promise((settle) => {
			child.once('exit', (code, signal) => {
				const finish = () => {
					this.end ??= { code, signal };
					this.log?.end();
					settle(this.end);
				};
				// `close` comes when the output is read to its end. A grandchild that keeps the output
				// open must not hide that the process itself is gone.
				child.once('close', finish);
				setTimeout(finish, 500).unref();
			});
		});
	}

	/** Rejects when the command cannot be started at all. */
	static async start(specification: ProcessSpecification): Promise<ManagedProcess> {
		const child = spawn(specification.command, specification.args, {
			cwd: specification.cwd,
			env: specification.env,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		await new Promise<void>((started, failed) => {
			child.once('spawn', started);
			child.once('error', failed);
		});
		return new ManagedProcess(specification, child);
	}

	get hasEnded(): boolean {
		return this.end !== undefined;
	}

	/** Ends the process and all that it started: SIGTERM first, SIGKILL after `graceMs`. */
	async stop(graceMs = 15_000): Promise<void> {
		signalGroup(this.pid, 'SIGTERM');
		await Promise.race([this.ended, pause(graceMs, undefined, { ref: false })]);
		const patience = Date.now() + 1_000;
		while (this.hasEnded && groupIsAlive(this.pid) && Date.now() < patience) await pause(50);
		this.kill();
		await this.ended;
	}

	/** Ends the process and all that it started at once. */
	kill(): void {
		signalGroup(this.pid, 'SIGKILL');
	}
}
