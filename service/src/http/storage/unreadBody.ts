import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is still read from a sender whose upload was refused, so that it comes to read the answer. */
const DISCARD_AT_MOST_BYTES = 64 * 1024 * 1024;
const DISCARD_AT_MOST_MS = 10_000;

/**
 * After a refused upload: announces the end of the connection, and reads (and drops) a limited part of
 * what is still coming. A client that writes its whole body before it looks at the answer would
 * otherwise only see a broken connection.
 */
export async function closeAfterError(request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { raw } = request;
	if (raw.complete || raw.destroyed) return;
	void reply.header('connection', 'close');
	let discarded = 0;
	const timer = setTimeout(() => raw.destroy(), DISCARD_AT_MOST_MS);
	timer.unref();
	raw.on('data', (chunk: Buffer) => {
		discarded += chunk.length;
		if (discarded > DISCARD_AT_MOST_BYTES) raw.destroy();
	});
	raw.on('close', () => clearTimeout(timer));
	raw.on('error', () => clearTimeout(timer));
	raw.resume();
}
