import { addRoutes, createServer } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { bodyOf } from '../src/http/requestBodies.ts';
import type { Services } from '../src/http/services.ts';

/** A route as the service itself has it, with the names of its parameters as `:id`. */
export interface ServiceRoute {
	method: string;
	path: string;
	body: ReturnType<typeof bodyOf>;
	/** Longest body, bytes. */
	bodyLimit: number;
}

/**
 * Every route of the service, taken from the server that the service makes. Nothing listens and nothing
 * is asked: a route that is added tomorrow is in the list without anybody writing it down.
 */
export async function serviceRoutes(): Promise<ServiceRoute[]> {
	const app = createServer('silent');
	const routes: ServiceRoute[] = [];
	app.addHook('onRoute', ({ method, url, schema, config, bodyLimit }) => {
		const body = bodyOf({ config, schema });
		for (const one of [method].flat()) {
			routes.push({
				method: one,
				path: url,
				body,
				bodyLimit: bodyLimit ?? app.initialConfig.bodyLimit ?? 0,
			});
		}
	});
	// Routes look at the settings when they are added, and at the rest when they are asked.
	await addRoutes(app, { config: readConfig({}) } as Services);
	await app.ready();
	await app.close();
	return routes;
}

/** The names of the parameters of a path. */
export function parametersOf(path: string): string[] {
	return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}
