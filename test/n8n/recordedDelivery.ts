import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../scripts/processes/waitUntil.ts';

/** A delivery as it came over the wire. */
export interface RecordedDelivery {
	headers: Record<string, string>;
	body: Buffer;
}

export const signatureHeader = 'x-service-signature';
export const eventIdHeader = 'x-service-event-id';
const eventHeader = 'x-service-event';
const versionHeader = 'x-service-version';

const arrivalLimitMs = 30_000;
const unavailable = 503;
const unavailablePauseMs = 500;

/** The signature of a body (interface, section 5): lowercase hexadecimal HMAC-SHA256. */
export const sign = (body: Buffer, secret: string): string =>
	createHmac('sha256', secret).update(body).digest('hex');

/** The same delivery, signed with another secret. */
export const signedWith = (delivery: RecordedDelivery, secret: string): RecordedDelivery => ({
	headers: { ...delivery.headers, [signatureHeader]: sign(delivery.body, secret) },
	body: delivery.body,
});

/**
 * Sends a delivery and tells what was answered. While n8n does not reach its database, on a busy
 * machine for seconds, it answers 503 before a node is asked: then again, as the service does.
 */
export const send = async (
	url: string,
	delivery: RecordedDelivery,
): Promise<{ status: number; text: string }> => {
	const end = Date.now() + arrivalLimitMs;
	for (;;) {
		const answer = await sendOnce(url, delivery);
		if (answer.status !== unavailable || Date.now() >= end) return answer;
		await pause(unavailablePauseMs);
	}
};

const sendOnce = async (
	url: string,
	{ headers, body }: RecordedDelivery,
): Promise<{ status: number; text: string }> => {
	const response = await fetch(url, {
		method: 'POST',
		headers,
		body: new Uint8Array(body),
		signal: AbortSignal.timeout(30_000),
	});
	return { status: response.status, text: await response.text() };
};

/** A receiver on this machine that answers 200 and keeps what it gets. */
export class DeliveryRecorder {
	readonly deliveries: RecordedDelivery[] = [];

	private constructor(
		readonly url: string,
		readonly stop: () => void,
	) {}

	static async start(): Promise<DeliveryRecorder> {
		const server = createServer();
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		if (typeof address !== 'object' || address === null) throw new Error('no port');
		const recorder = new DeliveryRecorder(`http://127.0.0.1:${address.port}/`, () => {
			server.closeAllConnections();
			server.close();
		});
		server.on('request', (request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const headers: Record<string, string> = {};
				for (const name of [
					'content-type',
					eventHeader,
					eventIdHeader,
					versionHeader,
					signatureHeader,
				]) {
					headers[name] = String(request.headers[name]);
				}
				recorder.deliveries.push({ headers, body: Buffer.concat(chunks) });
				response.end();
			});
		});
		return recorder;
	}

	/** The delivery of an event, as soon as it has come. */
	async of(event: string): Promise<RecordedDelivery> {
		return await waitUntil(
			async () => this.deliveries.find(({ headers }) => headers[eventHeader] === event),
			{
				limitMs: arrivalLimitMs,
				onTimeout: () => new Error(`The recorder got no ${event}.`),
			},
		);
	}
}
