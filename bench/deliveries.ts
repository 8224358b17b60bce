import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningService } from '../service/test/runningService.ts';

/**
 * Deliveries per second of the service to a receiver that answers at once. The service is a process
 * of its own with the embedded database; what is to be delivered waits there when it starts, so that
 * nothing but delivering is measured: claiming, signing, sending, recording. The receiver is this
 * process, on the same machine. Every body is counted, and the signature of some is checked.
 */
const DELIVERIES = 5000;
/** Counted from the first to arrive; they compile code and are left out. */
const WARM_UP = 1000;
const CHECKED_EACH = 100;
const DRAINED_WITHIN_MS = 300_000;
const WAKE_UPS = 100;

interface Load {
	name: string;
	webhooks: number;
	/** Length of the event's data, bytes. */
	dataBytes: number;
}

const LOADS: Load[] = [
	{ name: '1 webhook, 1 kB', webhooks: 1, dataBytes: 1_000 },
	{ name: '20 webhooks, 1 kB', webhooks: 20, dataBytes: 1_000 },
	{ name: '20 webhooks, 50 kB', webhooks: 20, dataBytes: 50_000 },
];

interface Webhook {
	id: number;
	secret: string;
}

/** Answers at once and keeps the time of every arrival. */
class Receiver {
	readonly arrivals: number[] = [];
	readonly eventIds = new Set<string>();
	onDelivery: (headers: IncomingHttpHeaders, body: Buffer) => void = () => undefined;
	readonly #server: Server;

	private constructor(server: Server) {
		this.#server = server;
	}

	static async start(): Promise<Receiver> {
		const server = createServer((request, response) => {
			const pieces: Buffer[] = [];
			request.on('data', (piece: Buffer) => pieces.push(piece));
			request.on('end', () => {
				response.end();
				receiver.arrivals.push(performance.now());
				receiver.eventIds.add(String(request.headers['x-service-event-id']));
				receiver.onDelivery(request.headers, Buffer.concat(pieces));
			});
		});
		const receiver = new Receiver(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return receiver;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
	}

	forget(): void {
		this.arrivals.length = 0;
		this.eventIds.clear();
	}

	stop(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function report(label: string, value: string): void {
	process.stdout.write(`  ${label.padEnd(52)} ${value.padStart(18)}\n`);
}

/** Writes deliveries that are due into the database of a service that does not run. */
async function fill(dataDir: string, webhooks: Webhook[], dataBytes: number): Promise<void> {
	const { openDatabase } = await import('../service/src/database/database.ts');
	const log = { debug() {}, info() {}, warn() {}, error() {} };
	const { db, close } = await openDatabase(dataDir, null, log);
	try {
		await db.deleteFrom('deliveries').execute();
		await db.deleteFrom('events').execute();
		const data = JSON.stringify({ text: 'x'.repeat(dataBytes) });
		for (let first = 0; first < DELIVERIES; first += 100) {
			const numbers = Array.from({ length: 100 }, (_, index) => first + index);
			await db
				.insertInto('events')
				.values(
					numbers.map((number) => ({
						id: `evt_bench_${number}`,
						contract_id: 1,
						user_id: 1,
						name: 'document.uploaded',
						version: '2024-01-01',
						job: 'null',
						data,
						created_at: new Date(),
					})),
				)
				.execute();
			await db
				.insertInto('deliveries')
				.values(
					numbers.map((number) => ({
						webhook_id: webhooks[number % webhooks.length]?.id ?? 0,
						event_id: `evt_bench_${number}`,
						status: 'pending' as const,
						next_attempt_at: new Date(),
					})),
				)
				.execute();
		}
	} finally {
		await close();
	}
}

/** Milliseconds from the first byte of a small upload until its event arrives, the one in the middle. */
async function millisecondsToArrive(service: RunningService, receiver: Receiver): Promise<number> {
	const { Client, put } = await import('../service/test/client.ts');
	const client = new Client(service);
	const took: number[] = [];
	for (let turn = 0; turn < WAKE_UPS; turn++) {
		receiver.forget();
		const { url } = await client.uploadUrl();
		const begun = performance.now();
		await put(url, Buffer.from('%PDF-1.7'), { 'content-type': 'application/pdf' });
		await arrived(receiver, 1);
		took.push((receiver.arrivals[0] ?? Number.NaN) - begun);
	}
	return median(took);
}

async function arrived(receiver: Receiver, count: number): Promise<void> {
	const until = performance.now() + DRAINED_WITHIN_MS;
	while (receiver.arrivals.length < count) {
		if (performance.now() > until) {
			throw new Error(`Only ${receiver.arrivals.length} of ${count} deliveries arrived.`);
		}
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
}

async function main(): Promise<void> {
	const { startService } = await import('../service/test/runningService.ts');
	const { Client, member } = await import('../service/test/client.ts');
	const { signatureOf } = await import('../service/test/webhooks/testReceiver.ts');
	const receiver = await Receiver.start();
	const service = await startService({ env: { LOG_LEVEL: 'warn' } });
	try {
		const client = new Client(service);
		const webhooks: Webhook[] = [];
		const register = async (count: number): Promise<void> => {
			while (webhooks.length < count) {
				const answer = await client.agent('POST', '/webhooks', {
					url: receiver.url,
					events: ['document.uploaded'],
				});
				if (answer.status !== 201) throw new Error(answer.text);
				webhooks.push({
					id: Number(member(answer, 'id')),
					secret: String(member(answer, 'secret')),
				});
			}
		};
		await register(1);
		const latency = await millisecondsToArrive(service, receiver);
		for (const { name, webhooks: count, dataBytes } of LOADS) {
			await register(count);
			await service.stop();
			await fill(service.dataDir, webhooks, dataBytes);
			receiver.forget();
			let wrong = 0;
			receiver.onDelivery = (headers, body) => {
				if (receiver.arrivals.length % CHECKED_EACH !== 0) return;
				const signature = String(headers['x-service-signature']);
				const isRight = webhooks.some(({ secret }) => signatureOf(secret, body) === signature);
				if (!isRight) wrong++;
			};
			await service.start();
			await arrived(receiver, DELIVERIES);
			if (wrong > 0) throw new Error(`${wrong} signatures were wrong.`);
			if (receiver.eventIds.size !== DELIVERIES) throw new Error('Not every event arrived.');
			const [first = 0, last = 0] = [WARM_UP - 1, DELIVERIES - 1].map(
				(index) => receiver.arrivals[index],
			);
			const rate = ((DELIVERIES - WARM_UP) / (last - first)) * 1000;
			report(name, `${rate.toFixed(0)} deliveries/s`);
		}
		report('from the start of an upload until its event arrives', `${latency.toFixed(1)} ms`);
	} finally {
		await service.remove();
		receiver.stop();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	process.exitCode = 1;
});
