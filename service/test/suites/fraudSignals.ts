import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client, member } from '../client.ts';
import { recordedEvents, subscribe } from '../recordedEvents.ts';
import { tamperedStatement } from '../tamperedStatement.ts';
import { arrived, WatchedFolder } from '../watchedFolder.ts';
import type { Start } from './start.ts';

/** Section 2.9 and the event `fraud.detected` of section 6. */
export function fraudSignalsSuite(start: Start): void {
	describe('the analysis after a bank statement job', () => {
		it('stores the signals of a document once, and reports them with each job that succeeded', async () => {
			const folder = await WatchedFolder.make();
			const service = await start({ env: folder.env });
			try {
				await service.stop();
				await subscribe(service, ['fraud.detected']);
				await service.start();
				const client = new Client(service);
				const clean = await client.upload(await tamperedStatement(null));
				const changed = await client.upload(await tamperedStatement(4), { filename: 'four.pdf' });
				const broken = await client.upload(Buffer.from('%PDF-1.7 broken'));
				const job = await client.ended(await client.createJob([clean, changed]));
				assert.equal(member(job, 'status'), 'Succeeded', job.text);
				// Not after a job that failed, though the document was read again.
				const failed = await client.ended(await client.createJob([changed, broken]));
				assert.equal(member(failed, 'status'), 'Failed');
				const again = await client.ended(await client.createJob([changed]));
				await folder.write('six.pdf', await tamperedStatement(6));
				const [arrivedDocument] = await arrived(client, 1);
				assert.ok(arrivedDocument);
				await service.stop();

				const events = await recordedEvents(service);
				assert.deepEqual(
					events.map((event) => [
						event.job,
						event.data['document'],
						member(event.data, 'signals', 'length'),
						member(event.data, 'signals', 0, 'type'),
						member(event.data, 'signals', 0, 'reasonCode'),
					]),
					[
						[
							{ id: String(member(job, 'id')), status: 'Succeeded' },
							{ id: changed, originalname: 'four.pdf' },
							1,
							'balance_tampering',
							'row_balance_changed',
						],
						[
							{ id: String(member(again, 'id')), status: 'Succeeded' },
							{ id: changed, originalname: 'four.pdf' },
							1,
							'balance_tampering',
							'row_balance_changed',
						],
						[
							null,
							{ id: arrivedDocument.id, originalname: 'six.pdf' },
							1,
							'balance_tampering',
							'row_balance_changed',
						],
					],
				);

				await service.start();
				const none = await client.legacy(
					'GET',
					`/document/${clean}/fraudSignals?minConfidence=0.5`,
				);
				assert.equal(none.status, 200, none.text);
				assert.deepEqual([member(none, 'total'), member(none, 'signals')], [0, []]);
				assert.equal(member(none, 'score', 'riskLevel'), 'low');
				const found = await client.legacy('GET', `/document/${changed}/fraudSignals`);
				const signal = member(found, 'signals', 0);
				assert.equal(member(signal, 'documentId'), changed);
				assert.equal(member(signal, 'confidence'), 0.9);
				assert.equal(member(signal, 'period'), '0');
				assert.equal(member(signal, 'pageNumber'), 1);
				assert.match(String(member(signal, 'text')), /CARD 4 EXAMPLE STORE/);
				assert.match(String(member(signal, 'details')), /1,?568\.75.*1,?468\.75/);
				assert.equal(member(signal, 'metadata', 'difference'), '100.00');
				assert.deepEqual(member(events[1]?.data, 'signals', 0), signal);

				const score = await client.legacy('GET', `/document/${changed}/fraudScore`);
				assert.deepEqual(member(score, 'score'), member(found, 'score'));
				assert.equal(member(score, 'score', 'score'), 90);
				assert.equal(member(score, 'score', 'authenticityScore'), 10);
				assert.equal(member(score, 'score', 'riskLevel'), 'high');
				assert.match(String(member(score, 'score', 'comment')), /row_balance_changed/);

				const page = async (query: string): Promise<unknown[]> => {
					const answer = await client.legacy('GET', `/document/${changed}/fraudSignals?${query}`);
					assert.equal(answer.status, 200, answer.text);
					return [member(answer, 'total'), member(answer, 'signals', 'length')];
				};
				const total = member(found, 'total');
				assert.deepEqual(await page('type=balance_tampering&minConfidence=0.9'), [1, 1]);
				assert.deepEqual(await page('type=nothing'), [0, 0]);
				assert.deepEqual(await page('minConfidence=0.91'), [0, 0]);
				assert.deepEqual(await page('limit=1&offset=100'), [total, 0]);
				for (const query of ['limit=0', 'limit=101', 'offset=-1', 'minConfidence=2']) {
					const refused = await client.legacy('GET', `/document/${changed}/fraudSignals?${query}`);
					assert.equal(refused.status, 400, query);
				}
				for (const path of ['/document/999999/fraudScore', '/document/x/fraudSignals']) {
					assert.equal((await client.legacy('GET', path)).status, 404, path);
				}
				const unread = await client.legacy('GET', `/document/${broken}/fraudScore`);
				assert.deepEqual(unread.body, { score: null });
			} finally {
				await service.remove();
				await folder.remove();
			}
		});
	});
}
