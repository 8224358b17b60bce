import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { differences } from '../../../test/documents/differences.ts';
import { generateStatement } from '../../../test/documents/index.ts';
import type { GeneratedStatement } from '../../../test/documents/index.ts';
import { Client, member, put } from '../client.ts';
import { accountsOfGrouped } from '../groupedAccounts.ts';
import type { Start } from './start.ts';

const CLIENTS = 2;

/** What the service has promised: only what it answered with success counts. */
interface Promised {
	statement: GeneratedStatement;
	documentId: number;
	uploaded: boolean;
	jobId: number | null;
}

/** Killing the process at any moment loses no document, no job and no row, and doubles none. */
export function killsSuite(start: Start, { kills }: { kills: number }): void {
	describe(`${kills} kills while clients work`, () => {
		it('keeps every promise', async (t) => {
			const statements = await Promise.all([
				generateStatement('usChecking', { seed: 11, transactions: 8 }),
				generateStatement('ukCurrent', { seed: 12, transactions: 15 }),
				generateStatement('germanGiro', { seed: 13, transactions: 11 }),
				generateStatement('usChecking', { seed: 14, transactions: 90 }),
			]);
			const service = await start();
			let working = true;
			try {
				const promised: Promised[] = [];
				const faults: unknown[] = [];
				const clients = Array.from({ length: CLIENTS }, async (_, number) => {
					const client = new Client(service);
					for (let turn = number; working; turn++) {
						const statement = statements[turn % statements.length];
						if (statement === undefined) continue;
						await work(client, statement, promised).catch((fault: unknown) => faults.push(fault));
						await sleep(100 + Math.random() * 200);
					}
				});

				for (let kill = 0; kill < kills; kill++) {
					await sleep(Math.random() * 1200);
					await service.kill();
					await service.start();
				}
				working = false;
				await Promise.all(clients);
				assert.deepEqual(faults, []);
				// Once more, with whatever is under way now.
				await service.kill();
				await service.start();

				const client = new Client(service);
				const jobs = promised.filter(({ jobId }) => jobId !== null);
				t.diagnostic(`${promised.length} documents and ${jobs.length} jobs acknowledged`);
				assert.ok(jobs.length >= kills / 2, 'work was done between the kills');
				assert.equal(new Set(jobs.map(({ jobId }) => jobId)).size, jobs.length);
				for (const { statement, documentId, uploaded, jobId } of promised) {
					const document = await client.agent('GET', `/documents/${documentId}`);
					assert.equal(document.status, 200, document.text);
					if (uploaded) assert.equal(member(document, 'size'), statement.pdf.length);
					// A document whose job was not acknowledged can still be extracted.
					const created = jobId ?? (uploaded ? await client.createJob([documentId]) : null);
					if (created === null) continue;
					const job = await client.ended(created);
					assert.equal(member(job, 'status'), 'Succeeded', job.text);
					const rows = statement.truth.accounts.flatMap((account) => account.transactions);
					assert.equal(member(job, 'transactionCount'), rows.length);
					const flat = await client.agent('GET', `/jobs/${created}/transactions`);
					assert.deepEqual(
						(member(flat, 'transactions') as Array<{ rowNumber: number }>).map(
							(row) => row.rowNumber,
						),
						rows.map((_row, index) => index + 1),
					);
					const data = await client.agent('GET', `/jobs/${created}/data`);
					assert.deepEqual(
						differences(statement.truth, accountsOfGrouped(data.text, documentId)),
						[],
					);
				}
			} finally {
				working = false;
				await service.remove();
			}
		});
	});
}

/** One document through the service, as far as the service lives. */
async function work(
	client: Client,
	statement: GeneratedStatement,
	promised: Promised[],
): Promise<void> {
	let promise: Promised | null = null;
	try {
		const { id, url } = await client.uploadUrl();
		promise = { statement, documentId: id, uploaded: false, jobId: null };
		promised.push(promise);
		const answer = await put(url, statement.pdf, { 'content-type': 'application/pdf' });
		promise.uploaded = answer.status === 200;
		assert.equal(answer.status, 200, answer.text);
		promise.jobId = await client.createJob([id]);
	} catch (error) {
		// The connection broke: whatever was not answered was not promised. Anything else is a fault.
		if (!(error instanceof TypeError && /fetch failed|terminated/.test(error.message))) {
			if (!/ 503 /.test(String(error))) throw error;
		}
		await sleep(200);
	}
}
