import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

/** What the parts of the service need to log: never tokens, signatures or contents of documents. */
export type Logger = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** An error may be its own cause. */
const DEEPEST_CAUSE = 5;

interface LoggedError {
	/** `code` and `cause`, where the error has them. */
	[member: string]: unknown;
	type: string;
	message: string;
	stack: string;
}

/**
 * What is logged of an error. The members that a database adds are left out: the embedded one names
 * the parameters of the query, and each the row that did not fit, which is data of somebody.
 */
function loggedError(error: unknown, depth = 0): LoggedError {
	if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
	const code: unknown = Reflect.get(error, 'code');
	return {
		type: error.name,
		message: error.message,
		...(typeof code === 'string' ? { code } : {}),
		stack: error.stack ?? '',
		...(error.cause === undefined || depth === DEEPEST_CAUSE
			? {}
			: { cause: loggedError(error.cause, depth + 1) }),
	};
}

/**
 * What is logged of requests and answers. The query is left out, since presigned addresses carry their
 * permission in it; headers are left out, since they carry tokens.
 */
export const LOGGED = {
	req: (request: FastifyRequest) => ({
		method: request.method,
		path: request.url.split('?')[0],
	}),
	err: (error: unknown) => loggedError(error),
	res: (reply: { statusCode?: number }) => ({ statusCode: reply.statusCode ?? 0 }),
	// What the parser of forms writes at the level `trace`; it holds all headers of the request.
	busboyOptions: ({ limits }: { limits?: unknown }) => ({ limits }),
};
