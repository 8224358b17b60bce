import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, member } from '../client.ts';
import { newService } from '../runningService.ts';
import { openDatabase } from '../../src/database/database.ts';
import { writeEvent } from '../../src/events/emitEvent.ts';
import { forgetOldDeliveries } from '../../src/webhooks/deliveries.ts';
import { addWebhook } from '../../src/webhooks/webhooks.ts';
import type { Start } from './start.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** On a database server several processes share the work, and one takes over from another that died. */
export function severalProcessesSuite(start: Start): void {
	describe('two processes on one database and one folder', () => {
		it('share jobs, and the second finishes what the first was killed over', async () => {
			const first = await start();
			const second = await newService({
				dataDir: first.dataDir,
				env: { DATABASE_URL: first.databaseUrl ?? '' },
			});
			try {
				await second.start();
				const client = new Client(first);
				const { pdf, truth } = await generateStatement('longLedger', { seed: 1, pages: 30 });
				const documents = await Promise.all(Array.from({ length: 6 }, () => client.upload(pdf)));
				const jobs = await Promise.all(documents.map((id) => client.createJob([id])));
				await client.ended(jobs[0] ?? 0);
				await first.kill();

				const survivor = new Client(second);
				second.credentials = first.credentials;
				const rows = truth.accounts.flatMap((account) => account.transactions);
				for (const jobId of jobs) {
					const job = await survivor.ended(jobId);
					assert.equal(member(job, 'status'), 'Succeeded', job.text);
					assert.equal(member(job, 'transactionCount'), rows.length);
				}
				assert.match(second.output, /A document was read/);
			} finally {
				await second.kill();
				await first.remove();
			}
		});

		it('know at once of a token that the other one made or revoked', async () => {
			const first = await start();
			const second = await newService({
				dataDir: first.dataDir,
				env: { DATABASE_URL: first.databaseUrl ?? '' },
			});
			try {
				await second.start();
				const [one, other] = [new Client(first), new Client(second)];
				const created = await one.legacy('POST', '/accessTokens', { name: 'shared' });
				assert.equal(created.status, 201, created.text);
				const headers = { authorization: `Bearer ${String(member(created, 'token'))}` };
				const status = async (client: Client): Promise<number> =>
					(await client.agent('GET', '/projects', undefined, headers)).status;
				assert.deepEqual([await status(one), await status(other)], [200, 200]);
				const id = String(member(created, 'id'));
				assert.equal((await one.legacy('DELETE', `/accessTokens/${id}`)).status, 204);
				assert.deepEqual([await status(other), await status(one)], [401, 401]);
			} finally {
				await second.kill();
				await first.remove();
			}
		});

		it('do not remove an old delivery that is being replayed', async () => {
			const first = await start();
			await first.stop();
			const { db, close } = await openDatabase(first.dataDir, first.databaseUrl ?? '', SILENT);
			try {
				const account = { contractId: 1, userId: 1 };
				const wanted = { url: 'https://example.com/', events: ['document.uploaded'] };
				const { webhook } = await addWebhook(db, Buffer.alloc(32), account, wanted);
				const event = { ...account, jobId: null, job: 'null', data: '{}', isTest: true };
				const [id = 0] = await db
					.transaction()
					.execute((trx) => writeEvent(trx, { ...event, name: 'document.uploaded' }, [webhook.id]));
				const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
				await db
					.updateTable('deliveries')
					.set({ status: 'dead-letter', next_attempt_at: null, ended_at: longAgo })
					.execute();

				// The removal sees the delivery as it was, and gets to it when it has been replayed.
				let forgetting: Promise<void> | null = null;
				await db.transaction().execute(async (trx) => {
					await trx
						.updateTable('deliveries')
						.set({ status: 'pending', next_attempt_at: new Date(), ended_at: null })
						.where('id', '=', id)
						.execute();
					forgetting = forgetOldDeliveries(db, 30, false);
					await sleep(1000);
				});
				await forgetting;
				const left = await db.selectFrom('deliveries').select(['id', 'status']).execute();
				assert.deepEqual(left, [{ id, status: 'pending' }]);
			} finally {
				await close();
				await first.remove();
			}
		});
	});
}
