import { hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DataFolderError, readOrCreatePrivateFile } from '../storage/dataFolder.ts';

export type KeyPurpose =
	'storage addresses' | 'json web tokens' | 'webhook secrets' | 'document passwords';

/** One secret from which the key of every purpose is derived; it is itself never used as a key. */
export class MasterKey {
	readonly #secret: Uint8Array;

	constructor(secret: Uint8Array) {
		this.#secret = secret;
	}

	/** 32 bytes; always the same for the same purpose. */
	keyFor(purpose: KeyPurpose): Uint8Array {
		return new Uint8Array(
			hkdfSync('sha256', this.#secret, '', `document-extraction-service: ${purpose}`, 32),
		);
	}
}

/**
 * The master key from the environment, or from `DATA_DIR/master.key`, which is made on the first
 * start and readable by its owner alone.
 *
 * @throws DataFolderError when the file holds no key
 */
export async function loadMasterKey(
	dataDir: string,
	fromEnvironment: string | null,
): Promise<MasterKey> {
	if (fromEnvironment !== null) return new MasterKey(Buffer.from(fromEnvironment, 'utf8'));
	const text = await readOrCreatePrivateFile(
		join(dataDir, 'master.key'),
		`${randomBytes(32).toString('hex')}\n`,
	);
	if (!/^[0-9a-f]{64}\s*$/.test(text)) {
		throw new DataFolderError(
			'DATA_DIR/master.key does not hold a key (64 hexadecimal digits). Restore it from a backup, ' +
				'or remove it: then a new one is made, JWTs and upload addresses given out before stop working, ' +
				'and the secret of every webhook has to be regenerated.',
		);
	}
	return new MasterKey(Buffer.from(text.trim(), 'hex'));
}
