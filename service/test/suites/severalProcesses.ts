import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, member } from '../client.ts';
import { newService } from '../runningService.ts';
import type { Start } from './start.ts';

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
	});
}
