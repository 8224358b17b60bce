import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateStatement } from '../../../test/documents/index.ts';
import {
	blankPages,
	circularPageTreePdf,
	deflateBombPdf,
	encryptedPdf,
	headerOnlyPdf,
	hugePageCountPdf,
	letterPdf,
	manyWordsPdf,
	noiseNamedPdf,
	plainTextNamedPdf,
	pngNamedPdf,
	scanOnlyPdf,
	selfDrawingFormPdf,
	truncatedPdf,
} from '../../../test/documents/hostile.ts';
import type { HostileFile } from '../../../test/documents/hostile.ts';
import { Client, member } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import type { Start } from './start.ts';

/** No file takes the service down or hangs it; each ends with a reason that a person understands. */
export function hostileFilesSuite(start: Start): void {
	describe('hostile files', () => {
		let service: RunningService;
		let client: Client;
		before(async () => {
			service = await start({ env: { MAX_PAGES: '20', READING_TIMEOUT_MS: '30000' } });
			client = new Client(service);
		});
		after(() => service.remove());

		const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
		const cases: Array<[string, () => HostileFile | Promise<HostileFile>, RegExp]> = [
			['half of a PDF', truncatedPdf, /^damaged_file$/],
			['only the first bytes of a PDF', headerOnlyPdf, /^damaged_file$/],
			['text named PDF', plainTextNamedPdf, /^type_mismatch$/],
			['a picture named PDF', pngNamedPdf, /^type_mismatch$/],
			['noise behind a PDF header', noiseNamedPdf, /^damaged_file$/],
			['an encrypted PDF', encryptedPdf, /^password_required$/],
			['more pages than allowed', () => blankPages(21), /^too_many_pages$/],
			['a claim of a million pages', hugePageCountPdf, /^(too_many_pages|damaged_file)$/],
			['a page tree in a circle', circularPageTreePdf, /^damaged_file$/],
			[
				'a page that draws itself',
				selfDrawingFormPdf,
				/^(no_text_layer|damaged_file|no_transactions_found)$/,
			],
			['a scan without text', scanOnlyPdf, /^no_text_layer$/],
			['a letter', letterPdf, /^no_transactions_found$/],
			[
				'a picture that is one',
				() => ({ name: 'a.png', mimetype: 'image/png', bytes: png }),
				/^unsupported_type$/,
			],
			[
				'a PDF named picture',
				async () => ({ ...(await letterPdf()), mimetype: 'image/jpeg' }),
				/^type_mismatch$/,
			],
		];
		for (const [what, file, reason] of cases) {
			it(`fails with a reason: ${what}`, async () => {
				const { bytes, mimetype } = await file();
				const { job } = await client.extract(bytes, mimetype);
				assert.equal(member(job, 'status'), 'Failed', job.text);
				assert.match(String(member(job, 'failureReason', 'code')), reason, job.text);
				const message = String(member(job, 'failureReason', 'message'));
				assert.ok(message.length > 40, message);
				assert.doesNotMatch(message, / at .*\.ts|node_modules|undefined|\/storage\//);
			});
		}

		it('reads the next statement as if nothing had happened, in the same process', async () => {
			const { pid } = service;
			const { pdf, truth } = await generateStatement('ukCurrent', { seed: 5, transactions: 9 });
			const { job } = await client.extract(pdf);
			assert.equal(member(job, 'status'), 'Succeeded', job.text);
			assert.equal(member(job, 'transactionCount'), truth.accounts[0]?.transactions.length);
			assert.equal(service.pid, pid);
			assert.doesNotMatch(service.output, /fault in the service/);
		});
	});

	describe('reading that takes too long', () => {
		it('is ended by the timer, and the service goes on', async () => {
			const service = await start({ env: { READING_TIMEOUT_MS: '1' } });
			try {
				const client = new Client(service);
				const { pdf } = await generateStatement('longLedger', { seed: 1, pages: 10 });
				for (let time = 0; time < 2; time++) {
					const { job } = await client.extract(pdf);
					assert.equal(member(job, 'failureReason', 'code'), 'reading_took_too_long');
				}
				assert.equal((await client.agent('GET', '/webhooks/events')).status, 200);
			} finally {
				await service.remove();
			}
		});
	});

	describe('reading that needs too much memory', () => {
		it('is ended, whether in objects or in unpacked bytes, and the service goes on', async () => {
			const service = await start({ env: { READING_MEMORY_MB: '96' } });
			try {
				const client = new Client(service);
				const bomb = await deflateBombPdf(600);
				const { job } = await client.extract(bomb.bytes);
				assert.equal(member(job, 'failureReason', 'code'), 'reading_needed_too_much_memory');
				const objects = await client.extract(manyWordsPdf().bytes);
				assert.equal(
					member(objects.job, 'failureReason', 'code'),
					'reading_needed_too_much_memory',
				);
				const { pdf } = await generateStatement('usChecking', { seed: 6, transactions: 5 });
				const next = await client.extract(pdf);
				assert.equal(member(next.job, 'status'), 'Succeeded', next.job.text);
			} finally {
				await service.remove();
			}
		});
	});
}
