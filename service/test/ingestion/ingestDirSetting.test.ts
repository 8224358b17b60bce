import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.ts';

const DATA_DIR = '/srv/data';

test('the watched folder may be anywhere but where the service keeps its own files', () => {
	for (const folder of ['/srv/data', '/srv/data/', '/srv/data/storage', '/srv/data/database/x']) {
		assert.throws(
			() => readConfig({ DATA_DIR, INGEST_DIR: folder }),
			(error) => error instanceof ConfigError && /INGEST_DIR must not be/.test(error.message),
			folder,
		);
	}
	for (const folder of ['/srv/data/inbox', '/srv', '/srv/data-2', '/srv/statements']) {
		assert.equal(readConfig({ DATA_DIR, INGEST_DIR: folder }).ingestDir, folder);
	}
	assert.equal(readConfig({ DATA_DIR }).ingestDir, null);
	assert.equal(readConfig({ DATA_DIR, INGEST_DIR: ' ' }).ingestDir, null);
});
