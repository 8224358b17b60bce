import { ManagedProcess, type ProcessEnd, type ProcessSpecification } from './managedProcess.ts';
import { PlainError } from './plainError.ts';

const describeEnd = ({ code, signal }: ProcessEnd): string =>
	signal === null ? `with exit code ${code}` : `by the signal ${signal}`;

/**
 * Holds every process that a script starts. One that ends without being asked to makes `failed`
 * reject, so that the script can stop the others.
 */
export class ProcessSupervisor {
	private readonly running: ManagedProcess[] = [];

	private stopping = false;

	private fail!: (error: Error) => void;

	/** Rejects as soon as a watched process has ended by itself; never resolves. */
	readonly failed = new Promise<never>((_resolve, reject) => {
		this.fail = reject;
	});

	constructor() {
		// The script races against it later; until then a rejection is not unhandled.
		this.failed.catch(() => {});
	}

	/** Whether there is anything to stop. */
	get hasProcesses(): boolean {
		return this.running.length > 0;
	}

	/** Starts a process that is meant to run until the script ends. */
	async startServer(specification: ProcessSpecification): Promise<ManagedProcess> {
		const server = await this.start(specification);
		void server.ended.then((end) => {
			if (!this.stopping && this.running.includes(server)) {
				this.fail(
					new PlainError(
						[
							`${server.name} ended by itself, ${describeEnd(end)}, so everything else is stopped too.`,
							...(specification.logFile ? [`Its whole output: ${specification.logFile}`] : []),
							'Its last lines:',
							...server.output.lines(20).map((line) => `    ${line}`),
						].join('\n'),
					),
				);
			}
		});
		return server;
	}

	/** Runs a command to its end. The output is in `output` of what is returned. */
	async run(
		specification: ProcessSpecification,
	): Promise<{ end: ProcessEnd; process: ManagedProcess }> {
		const command = await this.start(specification);
		const end = await command.ended;
		this.forget(command);
		return { end, process: command };
	}

	/** Stops one process that is to end before the others. */
	async stop(server: ManagedProcess): Promise<void> {
		this.forget(server);
		await server.stop();
	}

	/** Ends one process at once, as a crash would, and waits until it is gone. */
	async kill(server: ManagedProcess): Promise<void> {
		this.forget(server);
		server.kill();
		await server.ended;
	}

	/** Stops all processes, the one started last first. */
	async stopAll(): Promise<void> {
		this.stopping = true;
		for (const server of this.running.splice(0).reverse()) await server.stop();
	}

	/** Ends all processes at once, for a second Ctrl-C. */
	killAll(): void {
		this.stopping = true;
		for (const server of this.running) server.kill();
	}

	private async start(specification: ProcessSpecification): Promise<ManagedProcess> {
		if (this.stopping) throw new PlainError(`${specification.name} is not started: stopping.`);
		const started = await ManagedProcess.start(specification);
		this.running.push(started);
		return started;
	}

	private forget(server: ManagedProcess): void {
		const index = this.running.indexOf(server);
		if (index >= 0) this.running.splice(index, 1);
	}
}
