import { isUtf8 } from 'node:buffer';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { HttpError } from './errors.ts';
import { discardUnreadBody } from './unreadBody.ts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The body is JSON, although no schema says how it looks. */
		jsonBody?: boolean;
	}
}

/**
 * Which bodies are taken (docs/interface-choices.md, "Bodies of requests"). Has to be called before the
 * routes are added. A route whose schema has a body, or with `config.jsonBody`, takes JSON; one with
 * `config.streamedBody` reads it itself; for all others a body that comes nevertheless is dropped.
 */
export function addBodyRules(app: FastifyInstance): void {
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
		const bytes = typeof body === 'string' ? Buffer.from(body) : body;
		// Many clients name the type though they send nothing; a body that is needed is then missing.
		if (bytes.length === 0) done(null, undefined);
		else if (isUtf8(bytes)) parseJson(request, bytes.toString('utf8'), done);
		else done(new HttpError(400, 'invalid_request', 'The body of the request is not UTF-8.'));
	});

	// After the credential was checked, and before anything of the body is read.
	app.addHook('preParsing', async (request) => {
		const wanted = bodyOf(request.routeOptions);
		const sent = hasBody(request);
		if (wanted !== 'none' && sent) assertReadable(request, wanted);
		if (wanted === 'stream' || (wanted === 'json' && sent)) return;
		// Nothing waits for what is not wanted, whatever it is and however long it lasts.
		if (sent) await discardUnreadBody(request);
		else if (request.headers['content-type'] === undefined) return;
		request.headers = {
			'content-type': undefined,
			'content-length': undefined,
			'transfer-encoding': undefined,
		};
	});
	// Who writes a whole body before looking at the answer shall see it, and may go on afterwards.
	app.addHook('onError', async (request, reply) => {
		reply.removeHeader('connection');
		await discardUnreadBody(request);
	});
}

/** What a route takes as its body: JSON, a stream that its handler reads, or nothing. */
export function bodyOf({
	config,
	schema,
}: {
	config?: FastifyContextConfig | undefined;
	schema?: FastifySchema | undefined;
}): 'json' | 'stream' | 'none' {
	if (config?.streamedBody !== undefined) return 'stream';
	return config?.jsonBody === true || schema?.body !== undefined ? 'json' : 'none';
}

function hasBody({ headers }: FastifyRequest): boolean {
	if (headers['transfer-encoding'] !== undefined) return true;
	return Number(headers['content-length'] ?? 0) > 0;
}

function assertReadable(request: FastifyRequest, wanted: 'json' | 'stream'): void {
	const encoding = request.headers['content-encoding'] ?? 'identity';
	if (encoding.trim().toLowerCase() !== 'identity') {
		throw new HttpError(
			415,
			'unsupported_media_type',
			'The body must not be compressed. Send it without the header Content-Encoding.',
		);
	}
	if (wanted === 'json' && !isJson(request.headers['content-type'] ?? '')) {
		throw new HttpError(
			415,
			'unsupported_media_type',
			'The body must be JSON in UTF-8, with the header Content-Type: application/json.',
		);
	}
}

/** `application/json`, with any parameters but another character set than UTF-8. */
function isJson(header: string): boolean {
	const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
	if (type !== 'application/json') return false;
	return parameters.every((parameter) => {
		const charset = /^charset\s*=\s*"?([^"]*)"?$/.exec(parameter)?.[1];
		return charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset);
	});
}
