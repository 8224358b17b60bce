import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

/** What the parts of the service need to log: never tokens, signatures or contents of documents. */
export type Logger = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * What is logged of requests and answers. The query is left out, since presigned addresses carry their
 * permission in it; headers are left out, since they carry tokens.
 */
export const LOGGED = {
	req: (request: FastifyRequest) => ({
		method: request.method,
		path: request.url.split('?')[0],
	}),
	res: (reply: { statusCode?: number }) => ({ statusCode: reply.statusCode ?? 0 }),
	// What the parser of forms writes at the level `trace`; it holds all headers of the request.
	busboyOptions: ({ limits }: { limits?: unknown }) => ({ limits }),
};
