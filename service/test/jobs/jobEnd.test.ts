import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import type { OpenDatabase } from '../../src/database/database.ts';
import type { JobStatus } from '../../src/database/schema.ts';
import { waitForEnd } from '../../src/jobs/jobEnd.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const LONG = 60_000;

describe('waiting for the end of a job', () => {
	let folder: string;
	let opened: OpenDatabase;
	let jobId: number;
	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'job-end-'));
		opened = await openDatabase(folder, null, SILENT);
		const { db } = opened;
		const { id: contract_id } = await db
			.insertInto('contracts')
			.values({ name: 'Test' })
			.returning('id')
			.executeTakeFirstOrThrow();
		const { id: user_id } = await db
			.insertInto('users')
			.values({ contract_id, name: 'Test' })
			.returning('id')
			.executeTakeFirstOrThrow();
		const job = { contract_id, user_id, job_type: 'ExtractData', status: 'Queued' as const };
		const row = await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow();
		jobId = row.id;
	});
	after(async () => {
		await opened.close();
		await rm(folder, { recursive: true, force: true });
	});

	async function setStatus(status: JobStatus): Promise<void> {
		await opened.db.updateTable('jobs').set({ status }).where('id', '=', jobId).execute();
	}

	it('ends when the job ends, however that is', async () => {
		for (const end of ['Succeeded', 'Failed', 'OutOfCredits'] as const) {
			await setStatus('InProgress');
			const waiting = waitForEnd(opened.db, jobId, LONG, new AbortController().signal);
			await setStatus(end);
			assert.equal((await waiting).status, end);
		}
	});

	it('ends when its time is up, at once where there is none', async () => {
		await setStatus('InProgress');
		const { signal } = new AbortController();
		const begun = performance.now();
		assert.equal((await waitForEnd(opened.db, jobId, 0, signal)).status, 'InProgress');
		assert.equal((await waitForEnd(opened.db, jobId, 300, signal)).status, 'InProgress');
		const milliseconds = performance.now() - begun;
		assert.ok(milliseconds >= 290 && milliseconds < 5000, `${milliseconds} ms`);
	});

	it('ends when nobody waits any more', async () => {
		await setStatus('Queued');
		const stop = new AbortController();
		const begun = performance.now();
		const waiting = waitForEnd(opened.db, jobId, LONG, stop.signal);
		setTimeout(() => stop.abort(), 50);
		assert.equal((await waiting).status, 'Queued');
		assert.equal((await waitForEnd(opened.db, jobId, LONG, stop.signal)).status, 'Queued');
		assert.ok(performance.now() - begun < 5000);
	});
});
