import { isDeepStrictEqual } from 'node:util';
import swagger from '@fastify/swagger';
import { Type } from '@fastify/type-provider-typebox';
import type { TSchema } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { ERROR_STATUS } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { bodyOf } from '../requestBodies.ts';
import { deliveryDescriptions } from './deliveries.ts';

/** Version of the described interface (section 9.2). */
export const INTERFACE_VERSION = '1.0.0';

/** One way to sign in, as `security` of a route names it. */
export type Credential = 'accessToken' | 'jwt';

/** The part of an OpenAPI document that this service looks into itself. */
export interface OpenApiDocument {
	openapi: string;
	info: { title: string; version: string; description: string };
	servers: Array<{ url: string }>;
	paths: Record<string, Record<string, DescribedOperation>>;
	components: object;
	[member: string]: unknown;
}

export interface DescribedOperation {
	operationId?: string;
	summary?: string;
	tags?: string[];
	security?: Array<Record<string, string[]>>;
	requestBody?: { required?: boolean };
	responses: Record<string, DescribedResponse>;
	[member: string]: unknown;
}

interface DescribedResponse {
	headers?: Record<string, { schema: Record<string, unknown>; required?: boolean }>;
}

declare module 'fastify' {
	interface FastifySchema {
		/** Codes of the errors that this route alone gives; `usualErrors` come by themselves. */
		errors?: readonly ErrorCode[];
		/** False: the request may come without its body. */
		bodyRequired?: boolean;
	}
	interface FastifyContextConfig {
		/** What the body holds, where the handler reads it as a stream and no schema checks it. */
		streamedBody?: { content: Record<string, { schema: object }> };
	}
}

/** The security of every route of a surface. The documented 401 comes with it. */
export function needs(credential: Credential) {
	return (route: RouteOptions): void => {
		route.schema = { ...route.schema, security: [{ [credential]: [] }] };
	};
}

/**
 * Collects every route that is added from here on into one OpenAPI 3.1 document, from the schemas that
 * check the requests. `app.swagger()` gives it once the routes are ready.
 */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
	await app.register(swagger, {
		convertConstToEnum: false,
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Document data extraction service',
				version: INTERFACE_VERSION,
				description: INTRODUCTION,
				license: { name: 'MIT', identifier: 'MIT' },
			},
			tags: TAGS.map(([name, description]) => ({ name, description })),
			components: {
				securitySchemes: {
					accessToken: {
						type: 'http',
						scheme: 'bearer',
						description: 'A personal access token: dex_pat_ and 43 base64url characters.',
					},
					jwt: {
						type: 'http',
						scheme: 'bearer',
						bearerFormat: 'JWT',
						description: 'A JWT that this service has signed and that is not expired.',
					},
				},
			},
			webhooks: deliveryDescriptions(),
		},
		transform: ({ schema, url, route }) => ({ schema: describedSchema(schema, route), url }),
		transformObject: (document) =>
			'openapiObject' in document ? finished(document.openapiObject) : document.swaggerObject,
	});
}

/** Gives the document with the address of the site. The routes have to be ready. */
export function openApiDocument(app: FastifyInstance, site: string): OpenApiDocument {
	const document: unknown = app.swagger();
	return { ...(document as OpenApiDocument), servers: [{ url: site }] };
}

type Route = Pick<RouteOptions, 'method' | 'config'>;

/** The schema of a route with everything that a reader has to know and that the routes do not repeat. */
function describedSchema(schema: FastifySchema | undefined, route: Route): FastifySchema {
	const given = schema ?? {};
	const streamed = route.config?.streamedBody;
	const usual = usualErrors(given, route);
	return {
		...given,
		...(streamed === undefined ? {} : { body: streamed }),
		...(given.bodyRequired === false ? { 'x-body-required': false } : {}),
		security: given.security ?? [],
		response: {
			...successes(given),
			...errorResponses([...(given.errors ?? []), ...usual]),
		},
	};
}

/** What comes before a handler: the address, the credential, the body and the schemas. */
function usualErrors(schema: FastifySchema, { config }: Route): ErrorCode[] {
	const errors: ErrorCode[] = ['internal_error'];
	if (schema.security !== undefined && schema.security.length > 0) errors.push('unauthorized');
	const readsJson = bodyOf({ config, schema }) === 'json';
	if (readsJson) errors.push('body_too_large', 'unsupported_media_type');
	// A path with a parameter may be encoded wrongly.
	const checked = [schema.params, schema.querystring, schema.headers];
	if (readsJson || checked.some((part) => part !== undefined)) errors.push('invalid_request');
	return errors;
}

function successes(schema: FastifySchema): Record<string, unknown> {
	const responses = Object.entries((schema.response ?? {}) as Record<string, TSchema>);
	return Object.fromEntries(
		responses.map(([status, response]) => {
			const description = SUCCESS_DESCRIPTIONS[status] ?? 'The answer';
			if ('content' in response || ('type' in response && response['type'] === 'null')) {
				return [status, { description, ...response }];
			}
			return [status, { description, content: { 'application/json': { schema: response } } }];
		}),
	);
}

const SUCCESS_DESCRIPTIONS: Record<string, string> = {
	200: 'Done',
	201: 'Created',
	202: 'Accepted',
	204: 'Done; there is no body',
};

/** One response for each status, with the codes that it may have. */
function errorResponses(codes: readonly ErrorCode[]): Record<string, unknown> {
	const byStatus = new Map<number, ErrorCode[]>();
	for (const code of new Set(codes)) {
		const status = ERROR_STATUS[code];
		byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
	}
	const statuses = [...byStatus].sort(([left], [right]) => left - right);
	return Object.fromEntries(
		statuses.map(([status, named]) => [
			String(status),
			{
				description: ERROR_DESCRIPTIONS[status] ?? 'An error',
				...(status === 429 ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
				content: { 'application/json': { schema: errorSchema(named.sort()) } },
			},
		]),
	);
}

function errorSchema(codes: ErrorCode[]): TSchema {
	return Type.Object({
		error: Type.Object({
			code: Type.Enum(codes),
			message: Type.String({ description: 'What happened and what to do, for a person' }),
			field: Type.Optional(Type.String({ description: 'The field that is to blame' })),
		}),
	});
}

const RETRY_AFTER = Type.Integer({ minimum: 1, description: 'Seconds to wait' });

const ERROR_DESCRIPTIONS: Record<number, string> = {
	400: 'The request is wrong; `field` names what is to blame',
	401: 'No credential, a wrong one, or the one of the other surface',
	403: 'The address is not one that was given out, or it has expired',
	404: 'There is no such thing in this contract',
	405: 'The address does not take this method',
	406: 'The header Accept does not allow what this address answers',
	409: 'It does not fit the state that something is in',
	411: 'The size of the body is not announced',
	413: 'The body is too large',
	415: 'The body has a type that is not read here',
	429: 'Asked too often; wait as long as Retry-After says',
	500: 'A fault of the service',
	503: 'The service is starting',
};

/**
 * What the generator cannot say: which headers always come, which bodies may be left out, and the
 * schemas that have a title once for all, in `components`.
 */
function finished<T extends object>(generated: T): T {
	const schemas: Record<string, unknown> = {};
	const document = withReferences(generated, schemas) as T & OpenApiDocument;
	for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
		if (operation['x-body-required'] === false && operation.requestBody !== undefined) {
			operation.requestBody.required = false;
		}
		delete operation['x-body-required'];
		for (const { headers = {} } of Object.values(operation.responses)) {
			for (const header of Object.values(headers)) {
				const { 'x-only-sometimes': sometimes, ...schema } = header.schema;
				header.schema = schema;
				header.required = sometimes !== true;
			}
		}
	}
	return { ...document, components: { ...document.components, schemas } };
}

/** A copy in which each schema with a title is a reference. Puts the schemas into `schemas`. */
function withReferences(value: unknown, schemas: Record<string, unknown>): unknown {
	if (Array.isArray(value)) return value.map((entry) => withReferences(entry, schemas));
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([name, member]) => [
		// The generator does the same, but not in `webhooks`.
		name === 'patternProperties' ? 'additionalProperties' : name,
		withReferences(name === 'patternProperties' ? Object.values(member)[0] : member, schemas),
	]);
	const copy: Record<string, unknown> = Object.fromEntries(members);
	const { title } = copy;
	if (typeof title !== 'string' || !('type' in copy)) return copy;
	const known = schemas[title];
	if (known !== undefined && !isDeepStrictEqual(known, copy)) {
		throw new Error(`Two schemas have the title ${title}.`);
	}
	schemas[title] = copy;
	return { $ref: `#/components/schemas/${title}` };
}

const TAGS: Array<[name: string, description: string]> = [
	['Documents', 'Agent surface: uploads, documents and their data'],
	['Jobs', 'Agent surface: extraction jobs and their data'],
	['Projects', 'Agent surface: documents that arrived without a job'],
	['Webhooks', 'Agent surface: webhooks, their secrets and deliveries'],
	['Tools', 'Agent surface: tools for AI clients'],
	['Legacy documents', 'Legacy surface: uploads and downloads'],
	['Legacy jobs', 'Legacy surface: jobs and exports'],
	['Fraud', 'Legacy surface: what the analysis of a bank statement found'],
	['Access tokens', 'Legacy surface: the tokens of the agent surface'],
	['Storage', 'Presigned addresses, outside of both surfaces'],
	['Service', 'The service itself'],
];

const INTRODUCTION = `Extracts the transactions of bank statements from files.

The agent surface (/api/v1/agent) takes a personal access token, the legacy surface \
(/api/v1/protected) a JWT. Both see the same documents of a contract.

An id that does not exist and an id of another contract are both answered with 404. Fields of a body \
that are not described are ignored; types are not converted in bodies. In a query, numbers are plain \
decimal digits, booleans are true, false, 1 or 0, and each parameter is given once.`;
