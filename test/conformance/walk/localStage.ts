import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newService } from '../../../service/test/runningService.ts';
import type { RunningService } from '../../../service/test/runningService.ts';
import type { Access, Stage } from './stage.ts';

const PATIENCE_MS = 120_000;
/** The second and the third attempt come after this and four times this. */
const BACKOFF_MS = 250;

/** The local service, started for a walk, with a folder that it watches. */
export class LocalStage {
	readonly stage: Stage;
	readonly main: RunningService;
	readonly #folder: string;
	readonly #others: RunningService[] = [];
	#ended = false;

	private constructor(main: RunningService, folder: string) {
		this.main = main;
		this.#folder = folder;
		this.stage = {
			access: accessOf(main),
			isLocal: true,
			pollFromMs: 100,
			patienceMs: PATIENCE_MS,
			deliveryMs: PATIENCE_MS,
			// Four times the longer of the two pauses.
			quietMs: BACKOFF_MS * 16,
			receiver: { port: 0, publicUrl: null },
			intoFolder: async (name, file, bytes) => this.#put(name, file, bytes),
			smallAllowance: async () => this.#small(),
		};
	}

	/** @param env further settings of the service, such as PUBLIC_URL */
	static async start(env: Record<string, string> = {}): Promise<LocalStage> {
		const folder = await mkdtemp(join(tmpdir(), 'conformance-folder-'));
		const main = await newService({
			env: {
				INGEST_DIR: folder,
				INGEST_INTERVAL_MS: '200',
				DELIVERY_BACKOFF_MS: String(BACKOFF_MS),
				LOG_LEVEL: 'warn',
				...env,
			},
		});
		try {
			await main.start();
		} catch (error) {
			await main.remove();
			await rm(folder, { recursive: true, force: true });
			throw error;
		}
		return new LocalStage(main, folder);
	}

	/** Ends the services and removes what they kept. */
	async end(): Promise<void> {
		this.#ended = true;
		await Promise.all([this.main, ...this.#others].map((service) => service.remove()));
		await rm(this.#folder, { recursive: true, force: true });
	}

	/** A contract for which a single page is both marks of its allowance. */
	async #small(): Promise<Access> {
		const service = await newService({ env: { PAGE_ALLOWANCE: '1', LOG_LEVEL: 'warn' } });
		this.#others.push(service);
		await service.start();
		if (this.#ended) await service.remove();
		return accessOf(service);
	}

	/** Under its final name in one go, as a program does that knows its folder is watched. */
	async #put(name: string, file: string, bytes: Uint8Array): Promise<void> {
		const target = join(this.#folder, name);
		await mkdir(target, { recursive: true });
		const arriving = join(target, `.${file}.part`);
		await writeFile(arriving, bytes);
		await rename(arriving, join(target, file));
	}
}

function accessOf({ credentials }: RunningService): Access {
	const { baseUrl, accessToken, jwt } = credentials;
	return { baseUrl, token: accessToken, jwt };
}
