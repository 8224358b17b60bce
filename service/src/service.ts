import { firstAccount, writeCredentials } from './accounts/firstStart.ts';
import { loadMasterKey } from './accounts/masterKey.ts';
import { setPageAllowance } from './accounts/pageAllowance.ts';
import { addRoutes, createServer } from './app.ts';
import { siteAddress } from './config.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database/database.ts';
import { DocumentPasswords } from './documents/documentPasswords.ts';
import { assertPortIsFree, listen } from './http/listen.ts';
import { forgetOldKeys } from './jobs/idempotency.ts';
import { JobPolls } from './jobs/jobPolls.ts';
import { FolderWatcher } from './ingestion/folderWatcher.ts';
import { ExtractionQueue } from './queue/extractionQueue.ts';
import { ExtractionWorker } from './queue/extractionWorker.ts';
import { ReadingPool } from './reading/readingPool.ts';
import { lockDataFolder, prepareDataFolder } from './storage/dataFolder.ts';
import { FileStore } from './storage/fileStore.ts';
import { PresignedAddresses } from './storage/presignedAddress.ts';
import { forgetOldDeliveries } from './webhooks/deliveries.ts';
import { DeliveryDispatcher } from './webhooks/deliveryDispatcher.ts';
import { listenForDeliveries } from './webhooks/deliverySignal.ts';
import { ReceiverClient } from './webhooks/receiver/receiverClient.ts';
import { receiverPolicy } from './webhooks/receiver/receiverPolicy.ts';

export interface RunningService {
	/** Root of the site, without a trailing slash. */
	site: string;
	/** Finishes open requests, ends reading (it is taken up again at the next start) and closes. */
	stop(): Promise<void>;
}

const FINISH_REQUESTS_WITHIN_MS = 5_000;
const STOP_QUEUE_WITHIN_MS = 5_000;
const FINISH_DELIVERIES_WITHIN_MS = 3_000;
const FORGET_EVERY_MS = 60 * 60 * 1000;
/** A request waits for an inspection, so it is short; what takes longer is left out of the answer. */
const INSPECTION_THREADS = 1;
const INSPECTION_TIMEOUT_MS = 10_000;

/**
 * Starts everything in the order in which it depends on each other, and undoes it in reverse when one
 * part fails.
 *
 * @throws DataFolderError, DatabaseUnavailableError, PortUnavailableError
 */
export async function startService(config: Config): Promise<RunningService> {
	const cleanups: Array<() => Promise<unknown> | void> = [];
	const stopping = new AbortController();
	const stop = async (): Promise<void> => {
		stopping.abort();
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	};
	try {
		const app = createServer(config.logLevel);
		const { log } = app;
		await assertPortIsFree(config.host, config.port);

		await prepareDataFolder(config.dataDir);
		const alone = config.databaseUrl === null;
		// With a database server several processes may share the folder of files.
		if (alone) {
			const lock = lockDataFolder(config.dataDir);
			cleanups.push(() => lock.release());
		}
		const masterKey = await loadMasterKey(config.dataDir, config.masterKey);
		const jwtKey = masterKey.keyFor('json web tokens');
		const store = new FileStore(config.dataDir);
		await store.prepare(alone);

		const { db, embedded, close } = await openDatabase(config.dataDir, config.databaseUrl, log);
		cleanups.push(close);
		const queue = new ExtractionQueue({
			db,
			embedded,
			databaseUrl: config.databaseUrl,
			concurrency: config.workerConcurrency,
			// Twice the longest reading and ten minutes for the rest: only a hung process gets there.
			expireInSeconds: Math.ceil((config.readingTimeoutMs * 2) / 1000) + 600,
			log,
		});
		const passwords = new DocumentPasswords(db, masterKey.keyFor('document passwords'));
		const pool = new ReadingPool(
			{
				threads: config.workerConcurrency,
				timeoutMs: config.readingTimeoutMs,
				memoryMb: config.readingMemoryMb,
			},
			async (path) => await passwords.ofFile(store.nameOf(path)),
		);
		const inspection = new ReadingPool({
			threads: INSPECTION_THREADS,
			timeoutMs: Math.min(INSPECTION_TIMEOUT_MS, config.readingTimeoutMs),
			memoryMb: config.readingMemoryMb,
		});
		const worker = new ExtractionWorker({ db, store, pool, log, ...config });
		await queue.start();
		cleanups.push(() => queue.stop(STOP_QUEUE_WITHIN_MS));
		cleanups.push(() => pool.stop());
		cleanups.push(() => inspection.stop());
		pool.warmUp();

		const webhookSecretKey = masterKey.keyFor('webhook secrets');
		const policy = receiverPolicy(config);
		const receivers = new ReceiverClient(policy, { timeoutMs: config.deliveryTimeoutMs });
		cleanups.push(() => receivers.close());
		const dispatcher = new DeliveryDispatcher({
			...config,
			db,
			alone,
			secretKey: webhookSecretKey,
			receivers,
			log,
		});
		const signal = await listenForDeliveries(
			{ embedded, databaseUrl: config.databaseUrl, log },
			() => dispatcher.wake(),
		);
		cleanups.push(() => signal.close());

		let ready = false;
		const site = { address: siteAddress(config, config.port) };
		await addRoutes(app, {
			config,
			db,
			store,
			queue,
			jobPolls: new JobPolls(config.jobPollsPerMinute),
			passwords,
			inspection,
			site: () => site.address,
			addresses: new PresignedAddresses(masterKey.keyFor('storage addresses'), () => site.address),
			jwtKey,
			webhookSecretKey,
			receiverPolicy: policy,
			stopping: stopping.signal,
			isReady: () => ready,
		});
		const port = await listen(app, config.host, config.port);
		cleanups.push(async () => {
			const force = setTimeout(() => app.server.closeAllConnections(), FINISH_REQUESTS_WITHIN_MS);
			await app.close();
			clearTimeout(force);
		});
		site.address = siteAddress(config, port);

		const credentials = await writeCredentials(
			db,
			jwtKey,
			config.dataDir,
			site.address,
			Date.now(),
		);
		const account = await firstAccount(db);
		// Left out, it stays as it was set before.
		if (config.pageAllowance !== null) {
			const pages = config.pageAllowance === 'none' ? null : config.pageAllowance;
			await setPageAllowance(db, account.contractId, pages);
		}
		await queue.work(async (message) => {
			await worker.handle(message);
			// Before the message ends: if this is interrupted, the message comes again.
			await passwords.forgetUsed(message.documentId);
		});
		await dispatcher.start();
		cleanups.push(() => dispatcher.stop(FINISH_DELIVERIES_WITHIN_MS));
		if (config.ingestDir !== null) {
			const watcher = new FolderWatcher({
				db,
				queue,
				store,
				account,
				maxUploadBytes: config.maxUploadBytes,
				folder: config.ingestDir,
				dataDir: config.dataDir,
				intervalMs: config.ingestIntervalMs,
				log,
			});
			watcher.start();
			cleanups.push(() => watcher.stop());
		}
		const forget = (): void => {
			forgetOldKeys(db).catch((error: unknown) => log.warn({ err: error }, 'Old keys stay.'));
			passwords
				.forgetOld()
				.catch((error: unknown) => log.warn({ err: error }, 'Old passwords stay.'));
			forgetOldDeliveries(db, config.deliveryLogDays, alone).catch((error: unknown) =>
				log.warn({ err: error }, 'Old deliveries stay.'),
			);
		};
		forget();
		const forgetting = setInterval(forget, FORGET_EVERY_MS);
		cleanups.push(() => clearInterval(forgetting));
		ready = true;
		log.info(
			{ baseUrl: `${site.address}/api/v1`, credentials },
			'The service is ready. The credentials are in the file named here.',
		);
		return { site: site.address, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
