import Fastify, { LogController } from 'fastify';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { LogLevel } from './config.ts';
import { agentSurface } from './http/agent/agentSurface.ts';
import { descriptionRoutes } from './http/description/descriptionRoutes.ts';
import { describeRoutes } from './http/description/openApi.ts';
import { answerError, errorBody } from './http/errors.ts';
import type { HttpError } from './http/errors.ts';
import { healthRoute } from './http/health.ts';
import { addBodyRules } from './http/requestBodies.ts';
import { legacySurface } from './http/legacy/legacySurface.ts';
import { requestValidation } from './http/requestValidation.ts';
import type { Services } from './http/services.ts';
import { downloadRoute } from './http/storage/download.ts';
import { uploadRoute } from './http/storage/upload.ts';
import { LOGGED } from './logging.ts';

const LONGEST_JSON_BODY = 1024 * 1024;
/** A connection on which nothing moves for so long is closed. Uploads may take as long as they move. */
const IDLE_CONNECTION_MS = 120_000;

/** The server without its routes. Nothing listens yet; its logger is the logger of the service. */
export function createServer(logLevel: LogLevel): FastifyInstance {
	const app = Fastify({
		logger: { level: logLevel, serializers: LOGGED },
		// One line a request is written by the hook below.
		logController: new LogController({ disableRequestLogging: true }),
		bodyLimit: LONGEST_JSON_BODY,
		connectionTimeout: IDLE_CONNECTION_MS,
		forceCloseConnections: 'idle',
		frameworkErrors: answerError,
		clientErrorHandler: (_error, socket) => {
			if (!socket.writable) return;
			const body = JSON.stringify(errorBody('invalid_request', 'The request is not valid HTTP.'));
			socket.end(
				`HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n` +
					`Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
			);
		},
	});

	app.setValidatorCompiler(requestValidation);
	// Records are made field by field, so they are written as they are.
	app.setSerializerCompiler(() => (value) => JSON.stringify(value));
	app.setErrorHandler<FastifyError | HttpError>((error, request, reply) =>
		answerError(error, request, reply),
	);
	app.setNotFoundHandler((_request, reply) => {
		void reply.status(404).send(errorBody('not_found', 'There is no such address.'));
	});
	addBodyRules(app);
	app.decorateRequest('account', null);
	app.addHook('onResponse', async (request, reply) => {
		// One line a request; what asks whether the service lives is not worth one.
		const line = { req: request, res: reply, milliseconds: Math.round(reply.elapsedTime) };
		if (request.routeOptions.url === '/healthz') request.log.debug(line, 'Answered.');
		else request.log.info(line, 'Answered.');
	});
	return app;
}

/** Puts the routes together. */
export async function addRoutes(app: FastifyInstance, services: Services): Promise<void> {
	await describeRoutes(app);
	await app.register(descriptionRoutes, { services });
	await app.register(healthRoute, { services });
	await app.register(uploadRoute, { services });
	await app.register(downloadRoute, { services });
	await app.register(agentSurface, { services, prefix: '/api/v1/agent' });
	await app.register(legacySurface, { services, prefix: '/api/v1/protected' });
}
