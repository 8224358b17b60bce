import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateStatement } from '../../test/documents/index.ts';
import { Client, member } from './client.ts';
import { startService } from './runningService.ts';
import { killsSuite } from './suites/kills.ts';
import { watchedFolderKillsSuite } from './suites/watchedFolder.ts';

killsSuite(startService, { kills: 10 });
watchedFolderKillsSuite(startService, { kills: 6 });

describe('a document during whose reading the process ends', () => {
	it('is read again after an orderly stop, which is quick and does not count against it', async () => {
		const service = await startService({ env: { READING_ATTEMPTS: '1' } });
		try {
			const client = new Client(service);
			const { jobId } = await beginLong(client);
			const begun = Date.now();
			assert.equal(await service.stop(), 0);
			assert.ok(Date.now() - begun < 10_000);
			await service.start();
			const job = await client.ended(jobId);
			assert.equal(member(job, 'status'), 'Succeeded', job.text);
		} finally {
			await service.remove();
		}
	});

	it('ends as Failed when that happens again and again, and others are still read', async () => {
		const service = await startService({ env: { READING_ATTEMPTS: '2', WORKER_CONCURRENCY: '1' } });
		try {
			const client = new Client(service);
			const { jobId, documentId } = await beginLong(client);
			await service.kill();
			await service.start();
			await untilInProgress(client, documentId);
			await service.kill();
			await service.start();
			const job = await client.ended(jobId);
			assert.equal(member(job, 'status'), 'Failed', job.text);
			assert.equal(member(job, 'failureReason', 'code'), 'reading_was_interrupted');
			const { pdf } = await generateStatement('usChecking', { seed: 2, transactions: 4 });
			const other = await client.extract(pdf);
			assert.equal(member(other.job, 'status'), 'Succeeded', other.job.text);
		} finally {
			await service.remove();
		}
	});
});

async function beginLong(client: Client): Promise<{ jobId: number; documentId: number }> {
	const { pdf } = await generateStatement('longLedger', { seed: 1, pages: 60 });
	const documentId = await client.upload(pdf);
	const jobId = await client.createJob([documentId]);
	await untilInProgress(client, documentId);
	return { jobId, documentId };
}

/** Long enough into the reading that the attempt has been counted. */
async function untilInProgress(client: Client, documentId: number): Promise<void> {
	const end = Date.now() + 30_000;
	for (;;) {
		const document = await client.agent('GET', `/documents/${documentId}`);
		if (member(document, 'status') === 'processing') break;
		if (Date.now() > end) throw new Error(`Reading did not begin: ${document.text}`);
		await sleep(20);
	}
	await sleep(300);
}
