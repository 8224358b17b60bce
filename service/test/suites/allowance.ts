import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, errorOf, member } from '../client.ts';
import { recordedEvents, subscribe } from '../recordedEvents.ts';
import { newService } from '../runningService.ts';
import type { RunningService } from '../runningService.ts';
import { documentsOf, WatchedFolder } from '../watchedFolder.ts';
import type { Start } from './start.ts';

/** The same service at its next start, with other settings. */
async function again(
	service: RunningService,
	env: Record<string, string>,
): Promise<RunningService> {
	const database = service.databaseUrl === null ? {} : { DATABASE_URL: service.databaseUrl };
	return await newService({ dataDir: service.dataDir, env: { ...database, ...env } });
}

/** docs/interface-choices.md, "Page allowance". */
export function allowanceSuite(start: Start): void {
	describe('the page allowance', () => {
		it('counts pages, says when they are running out, and ends jobs that begin without any', async () => {
			const folder = await WatchedFolder.make();
			const env = { ...folder.env, PAGE_ALLOWANCE: '5' };
			const first = await start({ env });
			let service = first;
			try {
				await service.stop();
				await subscribe(service, ['account.limit.approaching', 'document.extraction.failed']);
				await service.start();
				let client = new Client(service);
				const one = (await generateStatement('usChecking', { seed: 1, pages: 1 })).pdf;
				const two = (await generateStatement('usChecking', { seed: 2, pages: 2 })).pdf;

				const { documentId: early } = await client.extract(two);
				// What cannot be read costs nothing.
				const damaged = await client.extract(Buffer.from('%PDF-1.7 damaged'));
				assert.equal(member(damaged.job, 'status'), 'Failed');
				await client.extract(two);
				// One page is left, so this job begins, and is finished.
				const documents = [await client.upload(two), await client.upload(one)];
				const last = await client.ended(await client.createJob(documents));
				assert.equal(member(last, 'status'), 'Succeeded', last.text);

				const late = await client.upload(one);
				const jobId = await client.createJob([late, early]);
				const job = await client.ended(jobId);
				assert.equal(member(job, 'status'), 'OutOfCredits', job.text);
				assert.equal(member(job, 'failureReason', 'code'), 'out_of_credits');
				assert.match(String(member(job, 'failureReason', 'message')), /5 pages.*7 have been/);
				assert.deepEqual(
					[0, 1].map((place) => member(job, 'documents', place, 'failureReason', 'code')),
					['out_of_credits', 'out_of_credits'],
				);
				assert.equal(errorOf(await client.agent('GET', `/jobs/${jobId}/data`)), '409 job_failed');
				const status = async (id: number) =>
					member(await client.agent('GET', `/documents/${id}`), 'status');
				assert.deepEqual([await status(late), await status(early)], ['uploaded', 'extracted']);
				assert.equal((await client.agent('GET', `/documents/${early}/data`)).status, 200);

				// The watched folder has no pages either; the document is there and waits.
				await folder.write('a.pdf', one);
				const until = Date.now() + 60_000;
				while ((await documentsOf(client)).length === 0 && Date.now() < until) await sleep(100);
				await sleep(1500);
				assert.equal((await documentsOf(client))[0]?.status, 'uploaded');

				await service.stop();
				const month = new Date().toISOString().slice(0, 7);
				const events = await recordedEvents(service);
				const limits = events.filter(({ name }) => name === 'account.limit.approaching');
				assert.deepEqual(
					limits.map(({ job: ofJob, data }) => [ofJob, data]),
					[
						[null, { pagesUsed: 4, pageAllowance: 5, percent: 80, month }],
						[null, { ...limits[1]?.data, pageAllowance: 5, percent: 100, month }],
					],
				);
				// The two documents of the last job may be read in any order.
				assert.ok([5, 6].includes(Number(limits[1]?.data['pagesUsed'])));
				assert.deepEqual(
					events
						.filter(({ name }) => name === 'document.extraction.failed')
						.map(({ job: ofJob, data }) => [
							ofJob?.status ?? null,
							member(data, 'failureReason', 'code'),
							(member(data, 'documents') as unknown[]).length,
						]),
					[
						['Failed', 'damaged_file', 1],
						['OutOfCredits', 'out_of_credits', 2],
						[null, 'out_of_credits', 1],
					],
				);

				// Raised at the next start; left out, it stays; the pages of the month go on counting.
				service = await again(first, { PAGE_ALLOWANCE: '8' });
				await service.start();
				client = new Client(service);
				const raised = await client.ended(await client.createJob([late]));
				assert.equal(member(raised, 'status'), 'Succeeded', raised.text);
				await service.stop();
				service = await again(first, {});
				await service.start();
				client = new Client(service);
				const ended = await client.ended(await client.createJob([late]));
				assert.equal(member(ended, 'status'), 'OutOfCredits', ended.text);
				await service.stop();
				service = await again(first, { PAGE_ALLOWANCE: 'none' });
				await service.start();
				client = new Client(service);
				const free = await client.ended(await client.createJob([late]));
				assert.equal(member(free, 'status'), 'Succeeded', free.text);
			} finally {
				await service.kill();
				await first.remove();
				await folder.remove();
			}
		});
	});
}
