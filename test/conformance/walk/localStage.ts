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
	readonly #small: RunningService;

	private constructor(main: RunningService, small: RunningService, folder: string) {
		this.main = main;
		this.#small = small;
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
			smallAllowance: async () => accessOf(this.#small),
		};
	}

	/**
	 * Starts the service, and a second one with a contract for which a single page is both marks of its
	 * allowance.
	 *
	 * @param env further settings of the first, such as PUBLIC_URL
	 */
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
		const small = await newService({ env: { PAGE_ALLOWANCE: '1', LOG_LEVEL: 'warn' } });
		const stage = new LocalStage(main, small, folder);
		try {
			await Promise.all([main.start(), small.start()]);
		} catch (error) {
			await stage.end();
			throw error;
		}
		stage.stage.access = accessOf(main);
		return stage;
	}

	/** Ends the services and removes what they kept. */
	async end(): Promise<void> {
		await Promise.all([this.main.remove(), this.#small.remove()]);
		await rm(this.#folder, { recursive: true, force: true });
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
