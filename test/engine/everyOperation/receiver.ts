import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
	path: string;
	eventId: string;
	signature: string;
	body: Buffer;
}

/** Takes the deliveries of webhooks, or refuses all of them while `status` says so. */
export class Receiver {
	status = 200;
	readonly received: Received[] = [];
	private readonly server: Server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			this.received.push({
				path: request.url ?? '',
				eventId: String(request.headers['x-service-event-id']),
				signature: String(request.headers['x-service-signature']),
				body: Buffer.concat(chunks),
			});
			response.writeHead(this.status).end('noted');
		});
	});

	async start(): Promise<this> {
		await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
		return this;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((done) => this.server.close(done));
	}

	get address(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** True where what arrived at the path is signed with this secret. */
	isSignedWith(secret: string, path: string): boolean {
		const last = this.received.filter((one) => one.path === path).at(-1);
		if (last === undefined) return false;
		const digest = createHmac('sha256', secret).update(last.body).digest();
		const given = Buffer.from(last.signature, 'hex');
		return given.length === digest.length && timingSafeEqual(given, digest);
	}
}
