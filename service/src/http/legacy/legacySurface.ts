import type { FastifyPluginAsync } from 'fastify';
import { authenticateLegacy } from '../authentication.ts';
import { needs } from '../description/openApi.ts';
import type { Services } from '../services.ts';
import { accessTokenRoutes } from './accessTokens.ts';
import { legacyDocumentRoutes } from './documents.ts';
import { exportRoute } from './export.ts';
import { fraudRoutes } from './fraud.ts';
import { legacyJobRoutes } from './jobs.ts';
import { multipartUploadRoute } from './multipartUpload.ts';

/** Everything below `/protected` (section 4.1). */
export const legacySurface: FastifyPluginAsync<{ services: Services }> = async (
	app,
	{ services },
) => {
	app.addHook('onRoute', needs('jwt'));
	app.addHook('onRequest', authenticateLegacy(services.db, services.jwtKey));
	await app.register(multipartUploadRoute, { services });
	await app.register(legacyDocumentRoutes, { services });
	await app.register(legacyJobRoutes, { services });
	await app.register(exportRoute, { services });
	await app.register(fraudRoutes, { services });
	await app.register(accessTokenRoutes, { services });
};
