import type { FastifyPluginAsync } from 'fastify';
import { authenticateLegacy } from '../authentication.ts';
import type { Services } from '../services.ts';
import { legacyJobRoutes } from './jobs.ts';

/** Everything below `/protected` (section 4.1). */
export const legacySurface: FastifyPluginAsync<{ services: Services }> = async (
	app,
	{ services },
) => {
	app.addHook('onRequest', authenticateLegacy(services.db, services.jwtKey));
	await app.register(legacyJobRoutes, { services });
};
