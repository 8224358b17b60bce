import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { authenticateAgent } from '../authentication.ts';
import { needs } from '../description/openApi.ts';
import type { Services } from '../services.ts';
import { documentRoutes } from './documents.ts';
import { jobRoutes } from './jobs.ts';
import { mcpRoute } from './mcp.ts';
import { projectRoutes } from './projects.ts';
import { toolRoutes } from './tools.ts';
import { webhookRoutes } from './webhooks.ts';

/** Everything below `/agent` (sections 4.2 to 4.5). */
export const agentSurface: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	app.addHook('onRoute', needs('accessToken'));
	// Before the body is read: a stranger cannot make the service parse anything.
	app.addHook('onRequest', authenticateAgent(services.db));
	await app.register(documentRoutes, { services });
	await app.register(jobRoutes, { services });
	await app.register(projectRoutes, { services });
	await app.register(webhookRoutes, { services });
	await app.register(toolRoutes, { services });
	await app.register(mcpRoute, { services });
};
