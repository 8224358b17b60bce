import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../database/schema.ts';
import type { ExtractionQueue } from '../queue/extractionQueue.ts';
import type { FileStore } from '../storage/fileStore.ts';
import type { PresignedAddresses } from '../storage/presignedAddress.ts';

/** What routes work with. */
export interface Services {
	config: Config;
	db: Kysely<Database>;
	store: FileStore;
	queue: ExtractionQueue;
	addresses: PresignedAddresses;
	jwtKey: Uint8Array;
	/** False until everything behind the routes runs. */
	isReady: () => boolean;
}
