import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';

/** What is still read from a sender whose upload was refused, so that it comes to read the answer. */
const DISCARD_AT_MOST_BYTES = 64 * 1024 * 1024;
const DISCARD_AT_MOST_MS = 30_000;

/**
 * After a refused upload: reads and drops a limited part of what is still coming. A client that writes
 * its whole body before it looks at the answer would otherwise only see a broken connection.
 *
 * @returns a promise that is settled, and never rejects, when the answer may be sent: at once where the
 * connection stays open; and where it closes with the answer, when the body has been read
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
	const read = finished(raw, { writable: false })
		// A sender that breaks off gets no answer; there is nobody left to tell.
		.catch(() => {})
		.finally(() => clearTimeout(timer));
	raw.resume();
	if (closesWithAnswer(request)) await read;
}

/** Closing a connection on which bytes are still coming resets it, and takes the answer along. */
function closesWithAnswer({ raw }: FastifyRequest): boolean {
	const connection = raw.headers.connection ?? '';
	const tokens = connection.split(',').map((token) => token.trim().toLowerCase());
	if (tokens.includes('close')) return true;
	return raw.httpVersion === '1.0' && !tokens.includes('keep-alive');
}
