import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	forgetOldDeliveries,
	listDeliveries,
	replayDelivery,
} from '../../src/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../../src/webhooks/deliveries.ts';
import { regenerateSecret, removeWebhook, updateWebhook } from '../../src/webhooks/webhooks.ts';
import { DeliveryBench } from './deliveryBench.ts';
import type { Received, Receiver } from './deliveryBench.ts';

describe('delivering', () => {
	let bench: DeliveryBench;
	let number = 0;
	before(async () => {
		bench = await DeliveryBench.open();
	});
	beforeEach(async () => {
		// Every test has the receivers and the webhooks to itself.
		await bench.stop();
		await bench.db.deleteFrom('webhooks').execute();
		bench.received.length = 0;
		bench.answer(async () => ({}));
		number++;
	});
	after(() => bench.close());

	const webhook = (name = 'receiver'): Promise<{ id: number; secret: string }> =>
		bench.webhook(`${name}-${number}`);

	const only = async (webhookId: number): Promise<DeliveryRecord> => {
		const { deliveries } = await listDeliveries(bench.db, webhookId, {
			limit: 10,
			offset: 0,
			status: null,
			since: null,
		});
		assert.equal(deliveries.length, 1);
		return deliveries[0] as DeliveryRecord;
	};
	const ended = async (webhookId: number): Promise<DeliveryRecord> => {
		await until(async () => ['delivered', 'dead-letter'].includes((await only(webhookId)).status));
		return await only(webhookId);
	};

	it('sends an event once to each webhook that is subscribed, and to no other', async () => {
		const first = await webhook('first');
		const second = await webhook('second');
		const disabled = await webhook('disabled');
		await updateWebhook(bench.db, 1, disabled.id, { enabled: false });
		const other = await webhook('other-event');
		await updateWebhook(bench.db, 1, other.id, { events: ['fraud.detected'] });
		await bench.dispatcher();
		await bench.emit();
		await ended(first.id);
		await ended(second.id);
		assert.deepEqual(bench.received.map((one) => one.url).sort(), [
			`https://first-${number}/`,
			`https://second-${number}/`,
		]);
		assert.deepEqual(await bench.statuses(disabled.id), {});
		assert.deepEqual(await bench.statuses(other.id), {});
		const ids = new Set(bench.received.map((one) => one.headers['X-Service-Event-Id']));
		assert.equal(ids.size, 1);
	});

	it('makes no data when nobody is subscribed, and writes nothing when the transaction fails', async () => {
		await bench.emit({ data: () => Promise.reject(new Error('made')) });
		const { id } = await webhook();
		await bench.dispatcher();
		await assert.rejects(bench.emit({ data: () => Promise.reject(new Error('made')) }), /made/);
		await assert.rejects(
			bench.db.transaction().execute(async (trx) => {
				await bench.emitIn(trx);
				throw new Error('afterwards');
			}),
			/afterwards/,
		);
		await sleep(50);
		assert.deepEqual(await bench.statuses(id), {});
		assert.deepEqual(bench.received, []);
	});

	it('tries three times with growing pauses, the same bytes and the same id, then again by hand', async () => {
		const { id, secret } = await webhook();
		bench.answer(async () => failure(503, 'busy'));
		await bench.dispatcher({ deliveryBackoffMs: 100 });
		// Larger than what is handed out together with the delivery.
		const data = JSON.stringify({ text: 'ä'.repeat(100_000) });
		await bench.emit({ data });
		const dead = await ended(id);
		assert.deepEqual([dead.status, dead.attempts, dead.nextAttemptAt], ['dead-letter', 3, null]);
		assert.deepEqual(
			dead.attemptLog.map(({ attempt, replay, statusCode, error, responseBody }) => [
				attempt,
				replay,
				statusCode,
				error,
				responseBody,
			]),
			[1, 2, 3].map((attempt) => [attempt, 0, 503, 'refused', 'busy']),
		);
		const times = bench.received.map((one) => one.at);
		assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 100);
		assert.ok((times[2] ?? 0) - (times[1] ?? 0) >= 400);
		await sleep(200);
		assert.equal(bench.received.length, 3);

		bench.answer(async () => ({}));
		const replayed = await replayDelivery(bench.db, 1, Number(dead.id));
		assert.deepEqual([replayed?.status, replayed?.attempts], ['pending', 0]);
		const delivered = await ended(id);
		assert.deepEqual([delivered.status, delivered.attempts], ['delivered', 1]);
		assert.ok(delivered.deliveredAt !== null);
		assert.deepEqual(
			delivered.attemptLog.map((entry) => [entry.replay, entry.attempt]),
			[
				[0, 1],
				[0, 2],
				[0, 3],
				[1, 1],
			],
		);
		assert.equal(bench.received.length, 4);
		for (const one of bench.received) {
			assert.equal(one.body, bench.received[0]?.body);
			assert.equal(one.headers['X-Service-Signature'], hmac(secret, one.body));
			assert.equal(one.headers['X-Service-Event-Id'], dead.eventId);
		}
		assert.ok(bench.received[0]?.body.endsWith(`"data":${data}}`));
		assert.equal(await replayDelivery(bench.db, 2, Number(dead.id)), undefined);
	});

	it('signs each attempt with the secret that is valid then', async () => {
		const { id, secret } = await webhook();
		let renewed = '';
		bench.answer(async () => {
			if (renewed !== '') return {};
			renewed = (await regenerateSecret(bench.db, bench.key, 1, id))?.secret ?? '';
			return failure(401, 'signature');
		});
		await bench.dispatcher();
		await bench.emit();
		assert.equal((await ended(id)).status, 'delivered');
		assert.notEqual(renewed, secret);
		const [first, second] = bench.received as [Received, Received];
		assert.equal(first.headers['X-Service-Signature'], hmac(secret, first.body));
		assert.equal(second.headers['X-Service-Signature'], hmac(renewed, second.body));
		assert.equal(first.body, second.body);
	});

	it('sends nothing with a wrong signature when the master key is lost, and says what to do', async () => {
		const { id } = await webhook();
		await bench.dispatcher({ secretKey: Buffer.alloc(32, 9), deliveryBackoffMs: 1 });
		await bench.emit();
		const dead = await ended(id);
		assert.equal(dead.status, 'dead-letter');
		for (const entry of dead.attemptLog) assert.match(entry.error ?? '', /Regenerate the secret/);
		assert.deepEqual(bench.received, []);
	});

	it('ends what waits for a webhook that is disabled, and forgets what waits for a deleted one', async () => {
		const disabled = await webhook('disabled');
		const deleted = await webhook('deleted');
		await bench.emit();
		await updateWebhook(bench.db, 1, disabled.id, { enabled: false });
		await removeWebhook(bench.db, 1, deleted.id);
		await bench.dispatcher();
		const dead = await ended(disabled.id);
		assert.equal(dead.status, 'dead-letter');
		assert.match(dead.attemptLog[0]?.error ?? '', /disabled/);
		assert.deepEqual(await bench.statuses(deleted.id), {});
		assert.deepEqual(bench.received, []);
	});

	it('survives that a webhook is deleted while a delivery to it is under way', async () => {
		const { id } = await webhook();
		const gate = new Gate();
		bench.answer(async () => {
			await gate.opened;
			return {};
		});
		await bench.dispatcher();
		await bench.emit();
		await until(() => bench.received.length === 1);
		assert.equal(await removeWebhook(bench.db, 1, id), true);
		gate.open();
		const next = await webhook('next');
		await bench.emit();
		assert.equal((await ended(next.id)).status, 'delivered');
	});

	it('lets no receiver that hangs hold up another, with a thousand deliveries waiting', async () => {
		const hanging = await webhook('hanging');
		const good = await webhook('good');
		await bench.addMany(hanging.id, 1000);
		let atOnce = 0;
		let most = 0;
		bench.answer(async (received, signal) => {
			if (!received.url.includes('hanging')) return {};
			most = Math.max(most, ++atOnce);
			return await hang(signal);
		});
		await bench.dispatcher();
		await until(() => bench.received.length === 4);
		const begun = Date.now();
		for (let event = 0; event < 20; event++) await bench.emit();
		await until(async () => (await bench.statuses(good.id))['delivered'] === 20);
		assert.ok(Date.now() - begun < 10_000);
		assert.equal(most, 4);
		assert.equal((await bench.statuses(hanging.id))['in-progress'], 4);
	});

	it('keeps room for others when several receivers hang', async () => {
		const hanging = [];
		for (let count = 0; count < 3; count++) hanging.push((await webhook(`hanging-${count}`)).id);
		for (const id of hanging) await bench.addMany(id, 100);
		bench.answer(async (received, signal) =>
			received.url.includes('hanging') ? await hang(signal) : {},
		);
		await bench.dispatcher({ deliveryConcurrency: 8 });
		// A quarter of the eight places is for webhooks that have nothing under way.
		await until(() => bench.received.length === 6);
		const good = await webhook('good');
		await bench.emit({ contractId: 1 });
		assert.equal((await ended(good.id)).status, 'delivered');
		assert.equal(bench.received.filter((one) => one.url.includes('hanging')).length, 6);
	});

	it('gives back what is under way when it stops, without counting it', async () => {
		const { id } = await webhook();
		bench.answer(async (_received, signal) => await hang(signal));
		const dispatcher = await bench.dispatcher();
		await bench.emit();
		await until(() => bench.received.length === 1);
		const begun = Date.now();
		await dispatcher.stop(100);
		assert.ok(Date.now() - begun < 3_000);
		const back = await only(id);
		assert.deepEqual([back.status, back.attempts, back.attemptLog], ['pending', 0, []]);
		bench.answer(async () => ({}));
		await bench.dispatcher();
		assert.deepEqual((await ended(id)).attempts, 1);
		assert.equal(bench.received[0]?.body, bench.received[1]?.body);
	});

	it('takes over from a process that died, and drops what that one writes later', async () => {
		const { id } = await webhook();
		const gate = new Gate();
		bench.answer(async () => {
			if (bench.received.length > 1) return {};
			await gate.opened;
			return failure(500, 'late');
		});
		await bench.dispatcher({ alone: false });
		await bench.emit();
		await until(() => bench.received.length === 1);
		// As if it had not renewed its lease.
		await bench.db
			.updateTable('deliveries')
			.set({ next_attempt_at: new Date(Date.now() - 1000) })
			.where('webhook_id', '=', id)
			.execute();
		const second = await bench.dispatcher({ alone: false });
		second.wake();
		const delivered = await ended(id);
		assert.deepEqual([delivered.status, delivered.attempts], ['delivered', 1]);
		gate.open();
		await sleep(100);
		assert.deepEqual(await only(id), delivered);
	});

	it('sends again what a killed process had under way, as soon as the next one starts', async () => {
		const { id } = await webhook();
		await bench.emit();
		await bench.db
			.updateTable('deliveries')
			.set({
				status: 'in-progress',
				lease_id: '00000000-0000-4000-8000-000000000000',
				next_attempt_at: new Date(Date.now() + 15_000),
			})
			.where('webhook_id', '=', id)
			.execute();
		await bench.dispatcher();
		assert.deepEqual((await ended(id)).attempts, 1);
	});

	it('does not stand still when events are written inside many transactions at once', async (t) => {
		const { id } = await webhook();
		await bench.dispatcher({ deliveryConcurrencyPerReceiver: 32 });
		const begun = performance.now();
		await Promise.all(
			Array.from({ length: 100 }, () =>
				bench.db.transaction().execute(async (trx) => {
					await bench.emitIn(trx);
					// Deliveries are taken from the same single connection meanwhile.
					await sleep(1);
					await trx.selectFrom('webhooks').select('id').execute();
				}),
			),
		);
		await until(async () => (await bench.statuses(id))['delivered'] === 100);
		const seconds = (performance.now() - begun) / 1000;
		t.diagnostic(`${Math.round(100 / seconds)} events a second, written and delivered`);
		assert.equal(new Set(bench.received.map((one) => one.headers['X-Service-Event-Id'])).size, 100);
		assert.equal(bench.received.length, 100);
	});

	it('delivers a backlog to receivers that answer at once', async (t) => {
		const ids = [];
		for (let count = 0; count < 5; count++) ids.push((await webhook(`many-${count}`)).id);
		for (const id of ids) await bench.addMany(id, 100);
		const begun = performance.now();
		await bench.dispatcher();
		for (const id of ids) await until(async () => (await bench.statuses(id))['delivered'] === 100);
		const seconds = (performance.now() - begun) / 1000;
		t.diagnostic(`${Math.round(500 / seconds)} deliveries a second`);
		assert.equal(bench.received.length, 500);
	});

	it('forgets deliveries that ended long ago with their events, and nothing else', async () => {
		const { id } = await webhook();
		await bench.dispatcher();
		for (let event = 0; event < 3; event++) await bench.emit();
		await until(async () => (await bench.statuses(id))['delivered'] === 3);
		await bench.stop();
		await bench.emit();
		const oldest = bench.db.selectFrom('deliveries').select((eb) => eb.fn.min('id').as('id'));
		await bench.db
			.updateTable('deliveries')
			.set({ ended_at: new Date(Date.now() - 31 * 86_400_000) })
			.where('id', '=', (eb) => eb.selectFrom(oldest.as('oldest')).select('oldest.id'))
			.execute();
		await forgetOldDeliveries(bench.db, 30, true);
		assert.deepEqual(await bench.statuses(id), { delivered: 2, pending: 1 });
		const events = await bench.db.selectFrom('events').select('id').execute();
		assert.equal(events.length, 3);
		await removeWebhook(bench.db, 1, id);
		await forgetOldDeliveries(bench.db, 30, true);
		assert.deepEqual(await bench.db.selectFrom('events').select('id').execute(), []);
		assert.deepEqual(await bench.db.selectFrom('delivery_attempts').selectAll().execute(), []);
	});
});

class Gate {
	readonly opened: Promise<void>;
	open: () => void = () => undefined;

	constructor() {
		this.opened = new Promise((resolve) => {
			this.open = resolve;
		});
	}
}

function failure(statusCode: number, responseBody: string): Awaited<ReturnType<Receiver>> {
	return { ok: false, statusCode, error: 'refused', responseBody };
}

/** Never answers; ends when the caller breaks the attempt off. */
async function hang(signal: AbortSignal): Promise<Awaited<ReturnType<Receiver>>> {
	await new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	return { ok: false, statusCode: null, error: 'stopped', responseBody: null, aborted: true };
}

function hmac(secret: string, body: string): string {
	return createHmac('sha256', secret).update(Buffer.from(body)).digest('hex');
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
	const end = Date.now() + 60_000;
	while (!(await holds())) {
		if (Date.now() > end) throw new Error('It did not come to that.');
		await sleep(10);
	}
}
