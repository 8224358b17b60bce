import type { FastifyRequest } from 'fastify';

/** What is still read from a sender whose upload was refused, so that it comes to read the answer. */
const DISCARD_AT_MOST_BYTES = 64 * 1024 * 1024;
const DISCARD_AT_MOST_MS = 30_000;

/**
 * After a refused upload: reads and drops a limited part of what is still coming, while the answer is
 * sent. A client that writes its whole body before it looks at the answer would otherwise only see a
 * broken connection.
 */
export async function discardUnreadBody(request: FastifyRequest): Promise<void> {
	const { raw } = request;
	if (raw.complete || raw.destroyed) return;
	let discarded = 0;
	const timer = setTimeout(() => raw.destroy(), DISCARD_AT_MOST_MS);
	timer.unref();
	raw.on('data', (chunk: Buffer) => {
		discarded += chunk.length;
		if (discarded > DISCARD_AT_MOST_BYTES) raw.destroy();
	});
	for (const event of ['end', 'close', 'error']) raw.on(event, () => clearTimeout(timer));
	raw.resume();
}
