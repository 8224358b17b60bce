import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { signalsOf } from '../../src/fraud/storedSignals.ts';
import { Client, member } from '../client.ts';
import { recordedEvents, subscribe } from '../recordedEvents.ts';
import { tamperedStatement } from '../tamperedStatement.ts';
import { arrived, WatchedFolder } from '../watchedFolder.ts';
import type { Start } from './start.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

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
						member(event.data, 'signals', 0, 'metadata', 'rowNumber'),
					]),
					[
						[
							{ id: String(member(job, 'id')), status: 'Succeeded' },
							{ id: changed, originalname: 'four.pdf' },
							1,
							'balance_tampering',
							4,
						],
						[
							{ id: String(member(again, 'id')), status: 'Succeeded' },
							{ id: changed, originalname: 'four.pdf' },
							1,
							'balance_tampering',
							4,
						],
						[null, { id: arrivedDocument.id, originalname: 'six.pdf' }, 1, 'balance_tampering', 6],
					],
				);

				const { db, close } = await openDatabase(service.dataDir, service.databaseUrl, SILENT);
				const signals = await signalsOf(db, [clean, changed, broken]).finally(close);
				assert.equal(signals.length, 1);
				const [signal] = signals;
				assert.ok(signal);
				assert.equal(signal.documentId, changed);
				assert.equal(signal.confidence, 0.9);
				assert.equal(signal.period, '0');
				assert.equal(signal.pageNumber, 1);
				assert.match(signal.text ?? '', /CARD 4 EXAMPLE STORE/);
				assert.match(signal.details ?? '', /row 4 of 2026-01-08.*1,?568\.75.*1,?468\.75/);
				assert.equal(member(signal.metadata, 'difference'), '100.00');
				assert.deepEqual(member(events[1]?.data, 'signals', 0), signal);
			} finally {
				await service.remove();
				await folder.remove();
			}
		});
	});
}
