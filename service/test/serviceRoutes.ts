import { addRoutes, createServer } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { bodyOf } from '../src/http/requestBodies.ts';
import type { Services } from '../src/http/services.ts';

/** A route as the service itself has it, with the names of its parameters as `:id`. */
export interface ServiceRoute {
	method: string;
	path: string;
	body: ReturnType<typeof bodyOf>;
	/** Members of the body that its schema names; null where the schema names none. */
	bodyFields: string[] | null;
	queryFields: string[];
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
				bodyFields: membersOf(schema?.body),
				queryFields: membersOf(schema?.querystring) ?? [],
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

function membersOf(schema: unknown): string[] | null {
	if (typeof schema !== 'object' || schema === null) return null;
	const properties: unknown = Reflect.get(schema, 'properties');
	return typeof properties === 'object' && properties !== null ? Object.keys(properties) : null;
}
