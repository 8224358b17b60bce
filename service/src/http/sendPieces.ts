import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends text that is made in pieces. The first piece is waited for, so that a fault before it still
 * becomes an error object; a fault after it breaks the connection, so that nobody takes half an answer
 * for a whole one.
 */
export async function sendPieces(
	reply: FastifyReply,
	contentType: string,
	pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
	const first = await pieces.next();
	async function* all(): AsyncGenerator<string> {
		if (first.done !== true) yield first.value;
		yield* pieces;
	}
	return reply.type(contentType).send(Readable.from(all(), { objectMode: false }));
}

export const JSON_TYPE = 'application/json; charset=utf-8';
