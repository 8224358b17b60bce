import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { generateStatement } from '../../../test/documents/index.ts';
import { differences } from '../../../test/documents/differences.ts';
import type { StatementTruth } from '../../../test/documents/index.ts';
import { Client, errorOf, member } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import { injectionStatement } from '../injectionStatement.ts';
import { accountsOfGrouped } from '../groupedAccounts.ts';
import type { Start } from './start.ts';

type Row = Record<string, unknown>;

/** Sections 2.4, 2.6, 2.8 and 4.2 to 4.3: jobs, and the data they give. */
export function jobsSuite(start: Start): void {
	describe('jobs and data', () => {
		let service: RunningService;
		let client: Client;
		let pdf: Buffer;
		let truth: StatementTruth;
		before(async () => {
			service = await start();
			client = new Client(service);
			({ pdf, truth } = await generateStatement('usChecking', { seed: 7, transactions: 40 }));
		});
		after(() => service.remove());

		it('lists the event names', async () => {
			const events = member(await client.agent('GET', '/webhooks/events'), 'events');
			assert.ok(Array.isArray(events) && events.length === 8);
			assert.ok(events.includes('bank_statement.extraction.completed'));
		});

		it('extracts a statement: job, document, grouped data, rows and CSV agree with the page', async () => {
			const documentId = await client.upload(pdf);
			const created = await client.agent('POST', '/jobs', { documents: [documentId] });
			assert.equal(created.status, 201);
			assert.ok(['Created', 'Queued', 'InProgress'].includes(String(member(created, 'status'))));
			const jobId = Number(member(created, 'jobId'));
			const job = await client.ended(jobId);
			const rows = truth.accounts.flatMap((account) => account.transactions);
			assert.deepEqual(
				{ ...job.body, createdAt: 0, startedAt: 0, finishedAt: 0 },
				{
					id: jobId,
					status: 'Succeeded',
					jobType: 'ExtractData',
					subType: null,
					name: null,
					documents: [{ id: documentId, status: 'extracted', failureReason: null }],
					transactionCount: rows.length,
					failureReason: null,
					createdAt: 0,
					startedAt: 0,
					finishedAt: 0,
				},
			);
			const times = ['createdAt', 'startedAt', 'finishedAt'].map((name) =>
				Date.parse(String(member(job, name))),
			);
			assert.deepEqual(
				times,
				times.toSorted((left, right) => left - right),
			);

			const document = await client.agent('GET', `/documents/${documentId}`);
			assert.deepEqual(
				{ ...document.body, createdAt: 0, uploadedAt: 0, extractedAt: 0 },
				{
					id: documentId,
					originalname: 'statement.pdf',
					mimetype: 'application/pdf',
					size: pdf.length,
					pageCount: truth.pageCount,
					status: 'extracted',
					documentType: 'bankStatement',
					source: 'api',
					transactionCount: rows.length,
					isReconciled: true,
					createdAt: 0,
					uploadedAt: 0,
					extractedAt: 0,
					failureReason: null,
					project: null,
					customerId: null,
				},
			);

			const data = await client.agent('GET', `/jobs/${jobId}/data`);
			assert.equal(data.status, 200);
			assert.equal(data.text, (await client.agent('GET', `/documents/${documentId}/data`)).text);
			assert.deepEqual(Object.keys(data.body ?? {}), [String(documentId)]);
			assert.deepEqual(member(data, String(documentId), 'metadata'), []);
			assert.deepEqual(differences(truth, accountsOfGrouped(data.text, documentId)), []);
			for (const account of truth.accounts) {
				const bankMode = member(data, String(documentId), account.account, 'bankMode');
				const credits = account.transactions.filter((row) => !row.amount.startsWith('-'));
				assert.equal(member(bankMode, 'numCredits'), credits.length);
				assert.equal(member(bankMode, 'numDebits'), account.transactions.length - credits.length);
				assert.equal(member(bankMode, 'totalCredits'), sum(credits.map((row) => row.amount)));
			}

			const flat = await client.agent('GET', `/jobs/${jobId}/transactions`);
			const items = member(flat, 'transactions') as Row[];
			assert.equal(member(flat, 'jobId'), jobId);
			assert.equal(member(flat, 'count'), rows.length);
			assert.deepEqual(
				items.map((row) => row['rowNumber']),
				rows.map((_row, index) => index + 1),
			);
			assert.ok(items.every((row) => row['isTransaction'] === true));
			assert.ok(items.every((row) => row['documentId'] === documentId));
			assert.equal(new Set(items.map((row) => row['fitId'])).size, rows.length);
			const ofDocument = await client.agent('GET', `/documents/${documentId}/transactions`);
			assert.equal(member(ofDocument, 'documentId'), documentId);
			assert.deepEqual(member(ofDocument, 'transactions'), items);
			// The digits of the page: 12.50 stays 12.50.
			assert.deepEqual(
				[...flat.text.matchAll(/"amount":(-?[\d.]+)/g)].map((match) => match[1]),
				rows.map((row) => row.amount),
			);

			const csv = await client.agent('GET', `/documents/${documentId}/transactions?format=csv`);
			assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
			assert.match(
				csv.headers.get('content-disposition') ?? '',
				/^attachment; filename=".+\.csv"$/,
			);
			assert.ok(csv.text.endsWith('\r\n'));
			assert.equal(
				csv.text.split('\r\n')[0],
				'documentId,account,period,date,amount,balance,name,payee,memo,checkNumber,category,fitId,pageNumber',
			);
			const records = parse(csv.text, { columns: true, record_delimiter: '\r\n' }) as Row[];
			assert.deepEqual(
				records.map((record) => [record['date'], record['amount'], record['fitId']]),
				rows.map((row, index) => [row.date, row.amount, items[index]?.['fitId']]),
			);
		});

		it('shows every printed line with includeRaw', async () => {
			const { jobId, documentId } = await client.extract(pdf);
			const raw = await client.agent('GET', `/jobs/${jobId}/transactions?includeRaw=true`);
			const lines = member(raw, 'transactions') as Row[];
			assert.equal(member(raw, 'count'), lines.length);
			const transactions = lines.filter((line) => line['isTransaction'] === true);
			const flat = await client.agent('GET', `/jobs/${jobId}/transactions?includeRaw=0`);
			const rows = member(flat, 'transactions') as Row[];
			assert.deepEqual(
				transactions.map(({ rowNumber, amount, fitId }) => ({ rowNumber, amount, fitId })),
				rows.map(({ rowNumber, amount, fitId }) => ({ rowNumber, amount, fitId })),
			);
			assert.ok(lines.length > transactions.length, 'headings are lines too');
			assert.ok(
				lines.some((line) => line['continues'] === true && line['isTransaction'] === false),
			);
			for (const line of lines) {
				assert.equal(line['documentId'], documentId);
				assert.equal(typeof line['text'], 'string');
				assert.ok(Array.isArray(line['cells']));
				assert.ok(Number(line['pageNumber']) >= 1 && Number(line['lineNumber']) >= 1);
			}
			assert.equal(
				errorOf(await client.agent('GET', `/jobs/${jobId}/transactions?includeRaw=perhaps`)),
				'400 invalid_request includeRaw',
			);
		});

		it('gives two equal extractions the same rows and the same fitIds, and never doubles them', async () => {
			const first = await client.extract(pdf);
			const before = await client.agent('GET', `/documents/${first.documentId}/data`);
			const again = await client.createJob([String(first.documentId)]);
			await client.ended(again);
			const after = await client.agent('GET', `/documents/${first.documentId}/data`);
			assert.equal(after.text, before.text);
			const copy = await client.extract(pdf);
			const other = await client.agent('GET', `/documents/${copy.documentId}/data`);
			assert.equal(
				other.text.replace(`{"${copy.documentId}":`, ''),
				before.text.replace(`{"${first.documentId}":`, ''),
			);
		});

		it('keeps the rows of a document when a later job fails on it', async () => {
			const { documentId, jobId } = await client.extract(pdf);
			const failed = await client.createJob([documentId], { jobType: 'Invoice' });
			assert.equal(member(await client.ended(failed), 'status'), 'Failed');
			assert.equal((await client.agent('GET', `/jobs/${jobId}/data`)).status, 200);
			const document = await client.agent('GET', `/documents/${documentId}`);
			assert.equal(member(document, 'status'), 'extracted');
			assert.equal(member(document, 'failureReason'), null);
		});

		it('reads several documents in one job, in the order of the request', async () => {
			const small = await generateStatement('germanGiro', { seed: 2, transactions: 6 });
			const first = await client.upload(pdf);
			const second = await client.upload(small.pdf);
			const jobId = await client.createJob([second, String(first)]);
			const job = await client.ended(jobId);
			assert.equal(member(job, 'status'), 'Succeeded');
			assert.deepEqual(
				(member(job, 'documents') as Row[]).map((document) => document['id']),
				[second, first],
			);
			const flat = await client.agent('GET', `/jobs/${jobId}/transactions`);
			const documents = (member(flat, 'transactions') as Row[]).map((row) => row['documentId']);
			assert.deepEqual([...new Set(documents)], [second, first]);
			assert.equal(member(flat, 'count'), documents.length);
			const data = await client.agent('GET', `/jobs/${jobId}/data`);
			assert.deepEqual(
				Object.keys(data.body ?? {}).toSorted(),
				[String(first), String(second)].toSorted(),
			);
		});

		it('reads what waits without a pause between two documents', async () => {
			const alone = await start({ env: { WORKER_CONCURRENCY: '1' } });
			try {
				const uploader = new Client(alone);
				const small = await generateStatement('germanGiro', { seed: 3, transactions: 3 });
				const documents: number[] = [];
				while (documents.length < 24) documents.push(await uploader.upload(small.pdf));
				const job = await uploader.ended(await uploader.createJob(documents));
				assert.equal(member(job, 'status'), 'Succeeded', job.text);
				// A worker that waits for its next look at the queue takes two minutes for them.
				const took =
					Date.parse(String(member(job, 'finishedAt'))) -
					Date.parse(String(member(job, 'startedAt')));
				assert.ok(took < 50_000, `it took ${took} ms`);
			} finally {
				await alone.remove();
			}
		});

		it('fails a job with one unreadable document, names it, and keeps the others readable', async () => {
			const good = await client.upload(pdf);
			const bad = await client.upload(Buffer.from('no pdf at all'), { filename: 'letter.pdf' });
			const jobId = await client.createJob([good, bad]);
			const job = await client.ended(jobId);
			assert.equal(member(job, 'status'), 'Failed');
			assert.equal(member(job, 'failureReason', 'code'), 'type_mismatch');
			assert.match(
				String(member(job, 'failureReason', 'message')),
				new RegExp(`Document ${bad} \\(letter\\.pdf\\)`),
			);
			assert.deepEqual(
				(member(job, 'documents') as Row[]).map((document) => document['status']),
				['extracted', 'failed'],
			);
			const data = await client.agent('GET', `/jobs/${jobId}/data`);
			assert.equal(errorOf(data), '409 job_failed');
			assert.match(String(member(data, 'error', 'message')), /letter\.pdf/);
			assert.equal(
				errorOf(await client.agent('GET', `/jobs/${jobId}/transactions`)),
				'409 job_failed',
			);
			assert.equal((await client.agent('GET', `/documents/${good}/data`)).status, 200);
			for (const path of ['data', 'transactions', 'transactions?format=csv']) {
				const answer = await client.agent('GET', `/documents/${bad}/${path}`);
				assert.equal(errorOf(answer), '409 document_not_extracted', path);
			}
			assert.equal(
				member(await client.agent('GET', `/documents/${bad}`), 'failureReason', 'code'),
				'type_mismatch',
			);
		});

		it('says for invoices, forms and check images that this version does not read them', async () => {
			for (const more of [
				{ jobType: 'Invoice' },
				{ jobType: 'Form' },
				{ jobType: 'ExtractData', subType: 'checkImages' },
			]) {
				const id = await client.upload(pdf);
				const job = await client.ended(await client.createJob([id], more));
				assert.equal(member(job, 'status'), 'Failed');
				assert.equal(member(job, 'failureReason', 'code'), 'unsupported_document_kind');
				assert.equal(member(job, 'jobType'), more.jobType);
			}
		});

		it('refuses jobs that cannot be', async () => {
			const waiting = (await client.uploadUrl()).id;
			const good = await client.upload(pdf);
			const cases: Array<[unknown, string]> = [
				[{}, '400 invalid_request documents'],
				[{ documents: [] }, '400 invalid_request documents'],
				[{ documents: good }, '400 invalid_request documents'],
				[{ documents: [good, true] }, '400 invalid_request documents[1]'],
				[{ documents: [1.5] }, '400 invalid_request documents[0]'],
				[{ documents: [null] }, '400 invalid_request documents[0]'],
				[{ documents: [good, String(good)] }, '400 invalid_request documents[1]'],
				[{ documents: [good, waiting] }, '400 document_not_uploaded documents[1]'],
				[{ documents: [good, 987654] }, '404 not_found documents[1]'],
				[{ documents: ['nothing'] }, '404 not_found documents[0]'],
				[{ documents: [99999999999999] }, '404 not_found documents[0]'],
				[{ documents: [-1] }, '404 not_found documents[0]'],
				[{ documents: [good], jobType: 'invoice' }, '400 invalid_request jobType'],
				[{ documents: [good], jobType: 2 }, '400 invalid_request jobType'],
				[{ documents: [good], subType: 'other' }, '400 invalid_request subType'],
				[
					{ documents: Array.from({ length: 101 }, (_, index) => index + 1) },
					'400 invalid_request documents',
				],
			];
			for (const [body, error] of cases) {
				const answer = await client.agent('POST', '/jobs', body);
				assert.equal(errorOf(answer), error, JSON.stringify(body)?.slice(0, 80));
			}
		});

		it('does not find ids that are none', async () => {
			for (const id of ['0', '-1', '999999', 'abc', '1e3', '99999999999', '%00', '1%20', "'"]) {
				assert.equal(errorOf(await client.agent('GET', `/jobs/${id}`)), '404 not_found', id);
				assert.equal(errorOf(await client.agent('GET', `/documents/${id}`)), '404 not_found', id);
			}
		});

		it('says before the end that a job has not finished', async () => {
			const long = await generateStatement('longLedger', { seed: 1, pages: 40 });
			const id = await client.upload(long.pdf);
			const jobId = await client.createJob([id]);
			const early = await client.agent('GET', `/jobs/${jobId}/data`);
			const rows = await client.agent('GET', `/documents/${id}/transactions`);
			assert.equal(errorOf(early), '409 job_not_finished');
			assert.equal(errorOf(rows), '409 document_not_extracted');
			const job = await client.ended(jobId);
			assert.equal(member(job, 'status'), 'Succeeded');
			const expected = long.truth.accounts.flatMap((account) => account.transactions);
			assert.equal(member(job, 'transactionCount'), expected.length);
			const data = await client.agent('GET', `/jobs/${jobId}/data`);
			assert.deepEqual(differences(long.truth, accountsOfGrouped(data.text, id)), []);
		});

		it('creates one job for one Idempotency-Key, also for ten requests at once', async () => {
			const id = await client.upload(pdf);
			const headers = { 'idempotency-key': 'job-1' };
			const jobs = await Promise.all(
				Array.from({ length: 10 }, () => client.createJob([id], {}, headers)),
			);
			assert.equal(new Set(jobs).size, 1);
			assert.equal(await client.createJob([String(id)], {}, headers), jobs[0]);
			const other = await client.agent(
				'POST',
				'/jobs',
				{ documents: [id], jobType: 'Form' },
				headers,
			);
			assert.equal(errorOf(other), '409 idempotency_mismatch Idempotency-Key');
			// A request that failed leaves the key free.
			const free = { 'idempotency-key': 'job-2' };
			assert.equal(
				errorOf(await client.agent('POST', '/jobs', { documents: [123456] }, free)),
				'404 not_found documents[0]',
			);
			assert.notEqual(await client.createJob([id], {}, free), jobs[0]);
		});

		it('disarms cells of the CSV that a spreadsheet would run', async () => {
			const { documentId, job } = await client.extract(await injectionStatement());
			assert.equal(member(job, 'status'), 'Succeeded', job.text);
			const csv = await client.agent('GET', `/documents/${documentId}/transactions?format=csv`);
			const records = parse(csv.text, { columns: true, record_delimiter: '\r\n' }) as Row[];
			const text = [
				'account',
				'period',
				'name',
				'payee',
				'memo',
				'checkNumber',
				'category',
				'fitId',
			];
			let disarmed = 0;
			for (const record of records) {
				for (const column of text) {
					assert.doesNotMatch(String(record[column]), /^[=+\-@]/);
					if (/^'[=+\-@]/.test(String(record[column]))) disarmed++;
				}
				assert.match(String(record['amount']), /^-?\d+\.\d\d$/);
			}
			assert.ok(disarmed > 0, 'the statement holds such text');
			assert.ok(records.some((record) => String(record['amount']).startsWith('-')));
		});
	});
}

/** Exact: in cents. */
function sum(amounts: string[]): string {
	const cents = amounts.reduce((total, amount) => total + BigInt(amount.replace('.', '')), 0n);
	const digits = String(cents).padStart(3, '0');
	return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
