import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, member, put } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import { signatureOf, TestReceiver, until } from '../webhooks/testReceiver.ts';
import type { Arrived } from '../webhooks/testReceiver.ts';
import type { Start } from './start.ts';

const CLIENTS = 6;
/** A busy machine needs seconds for a start; a service that hangs still ends the test. */
const UPLOADED_WITHIN_MS = 120_000;
const RECEIVED_WITHIN_MS = 60_000;
/** What the receiver does with a delivery, drawn anew each time. */
const REFUSED_SHARE = 0.05;
const BROKEN_SHARE = 0.03;
const SLOW_SHARE = 0.1;

/** What the service has answered with success: each of it has to be reported. */
interface Acknowledged {
	uploads: Set<string>;
	jobs: Set<string>;
}

/**
 * Kills the service at random moments while events happen and are delivered. Every event that was
 * acknowledged arrives at least once, unchanged and rightly signed.
 */
export function deliveryKillsSuite(
	start: Start,
	{ kills, deliveries }: { kills: number; deliveries: number },
): void {
	describe(`${deliveries} deliveries and ${kills} kills`, () => {
		it('lose no event', async (t) => {
			const receiver = await TestReceiver.start();
			const accepted = new Set<Arrived>();
			receiver.answer('/hook', (response, arrived) => {
				void moodily(response).then((took) => took && accepted.add(arrived));
			});
			const service = await start({
				env: {
					DELIVERY_BACKOFF_MS: '50',
					DELIVERY_CONCURRENCY_PER_RECEIVER: '16',
					WORKER_CONCURRENCY: '1',
				},
			});
			let working = true;
			try {
				const client = new Client(service);
				const webhook = await client.agent('POST', '/webhooks', {
					url: receiver.url('/hook'),
					events: ['document.uploaded', 'bank_statement.extraction.completed'],
				});
				assert.equal(webhook.status, 201, webhook.text);
				const webhookId = String(member(webhook, 'id'));
				const { pdf } = await generateStatement('usChecking', { seed: 31, transactions: 3 });
				const { uploads, jobs }: Acknowledged = { uploads: new Set(), jobs: new Set() };
				const faults: unknown[] = [];

				let begun = 0;
				const clients = Array.from({ length: CLIENTS }, async () => {
					while (working && uploads.size < deliveries) {
						const turn = begun++;
						await work(service, { uploads, jobs }, turn % 40 === 0 ? pdf : null).catch(
							(fault: unknown) => faults.push(fault),
						);
					}
				});
				// Spread over the whole work, each at a random moment.
				const moments = Array.from({ length: kills }, () => Math.random() * deliveries * 0.95);
				for (const moment of moments.sort((left, right) => left - right)) {
					await until(
						() => uploads.size >= moment || faults.length > 0,
						'uploads',
						UPLOADED_WITHIN_MS,
					);
					await sleep(Math.random() * 300);
					await service.kill();
					await service.start();
				}
				await until(
					() => uploads.size >= deliveries || faults.length > 0,
					'all uploads',
					UPLOADED_WITHIN_MS,
				);
				working = false;
				await Promise.all(clients);
				assert.deepEqual(faults, []);

				for (const job of jobs) await client.ended(Number(job));
				const missing = (): string[] => {
					const told = new Set([...accepted].map(subject));
					return [
						...[...uploads].map((id) => `document.uploaded ${id}`),
						...[...jobs].map((id) => `bank_statement.extraction.completed ${id}`),
					].filter((wanted) => !told.has(wanted));
				};
				let replays = 0;
				const end = Date.now() + RECEIVED_WITHIN_MS;
				while (missing().length > 0 && Date.now() < end) {
					replays += await replayFailed(client, webhookId);
					await sleep(200);
				}
				assert.deepEqual(missing(), []);

				const arrived = receiver.at('/hook');
				const secret = String(member(webhook, 'secret'));
				const bodies = new Map<string, string>();
				for (const { headers, body } of arrived) {
					assert.equal(headers['x-service-signature'], signatureOf(secret, body));
					const id = headers['x-service-event-id'] ?? '';
					assert.equal(bodies.get(id) ?? body.toString(), body.toString(), 'bytes stay the same');
					bodies.set(id, body.toString());
				}
				// One event for one upload and one job, also where the answer to the client was lost.
				const subjects = [...new Map(arrived.map((one) => [eventId(one), subject(one)])).values()];
				assert.equal(new Set(subjects).size, subjects.length);
				assert.ok(bodies.size >= deliveries, `${bodies.size} events`);

				const taken = new Set([...accepted].map(eventId));
				t.diagnostic(
					`${bodies.size} events (${jobs.size} of them extractions), ${kills} kills: none lost; ` +
						`${arrived.length} attempts arrived, ${replays} events had to be replayed by hand, ` +
						`${accepted.size - taken.size} repeats of events that had been accepted`,
				);
			} finally {
				working = false;
				await service.remove();
				await receiver.stop();
			}
		});
	});
}

/** One upload, and with a PDF its extraction, as far as the service lives. */
async function work(
	service: RunningService,
	{ uploads, jobs }: Acknowledged,
	pdf: Buffer | null,
): Promise<void> {
	const client = new Client(service);
	try {
		const { id, url } = await client.uploadUrl();
		const bytes = pdf ?? Buffer.from('%PDF-1.7 as small as a file can be');
		const answer = await put(url, bytes, { 'content-type': 'application/pdf' });
		assert.equal(answer.status, 200, answer.text);
		uploads.add(String(id));
		if (pdf !== null) jobs.add(String(await client.createJob([id])));
	} catch (error) {
		// The connection broke: whatever was not answered was not promised. Anything else is a fault.
		const isBroken = error instanceof TypeError && /fetch failed|terminated/.test(error.message);
		if (!isBroken && !/ 503 /.test(String(error))) throw error;
		await sleep(100);
	}
}

/** Answers as receivers do on bad days. @returns whether it took the delivery */
async function moodily(response: ServerResponse): Promise<boolean> {
	const mood = Math.random();
	if (mood < BROKEN_SHARE) {
		response.destroy();
		return false;
	}
	if (mood < BROKEN_SHARE + REFUSED_SHARE) {
		response.writeHead(500).end('not today');
		return false;
	}
	if (mood > 1 - SLOW_SHARE) await sleep(Math.random() * 400);
	response.end('thank you');
	return true;
}

/** Replays what has failed three times. @returns how many those were */
async function replayFailed(client: Client, webhookId: string): Promise<number> {
	const list = await client.agent('GET', `/webhooks/${webhookId}/deliveries?status=dead-letter`);
	assert.equal(list.status, 200, list.text);
	const failed = member(list, 'deliveries') as Array<{ id: string }>;
	for (const { id } of failed) {
		const answer = await client.agent('POST', `/webhooks/deliveries/${id}/retry`);
		assert.equal(answer.status, 202, answer.text);
	}
	return failed.length;
}

function eventId({ headers }: Arrived): string {
	return headers['x-service-event-id'] ?? '';
}

/** What an event is about, such as `document.uploaded 17`. */
function subject({ body }: Arrived): string {
	const content = JSON.parse(body.toString()) as unknown;
	const name = String(member(content, 'event', 'name'));
	const id =
		name === 'document.uploaded'
			? member(content, 'data', 'document', 'id')
			: member(content, 'job', 'id');
	return `${name} ${String(id)}`;
}
