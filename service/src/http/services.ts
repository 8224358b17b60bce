import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../database/schema.ts';
import type { DocumentPasswords } from '../documents/documentPasswords.ts';
import type { JobPolls } from '../jobs/jobPolls.ts';
import type { ExtractionQueue } from '../queue/extractionQueue.ts';
import type { ReadingPool } from '../reading/readingPool.ts';
import type { FileStore } from '../storage/fileStore.ts';
import type { PresignedAddresses } from '../storage/presignedAddress.ts';
import type { ReceiverPolicy } from '../webhooks/receiver/receiverPolicy.ts';

/** What routes work with. */
export interface Services {
	config: Config;
	db: Kysely<Database>;
	store: FileStore;
	queue: ExtractionQueue;
	/** Shared by everything that asks for one job; see `assertMayPoll`. */
	jobPolls: JobPolls;
	passwords: DocumentPasswords;
	/** Looks into files while a request waits; apart from the pool of the jobs, which may be busy. */
	inspection: ReadingPool;
	/** Root of the site as clients reach it, without a trailing slash. Known once the service listens. */
	site: () => string;
	addresses: PresignedAddresses;
	jwtKey: Uint8Array;
	webhookSecretKey: Uint8Array;
	receiverPolicy: ReceiverPolicy;
	/** Aborted when the service begins to stop: whoever waits shall answer. */
	stopping: AbortSignal;
	/** False until everything behind the routes runs. */
	isReady: () => boolean;
}
