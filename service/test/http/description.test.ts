import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Check } from 'typebox/value';
import { addRoutes, createServer } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { EVENT_NAMES } from '../../src/events/eventNames.ts';
import { deliveryBodySchema } from '../../src/http/description/deliveries.ts';
import type { Services } from '../../src/http/services.ts';
import { deliveryBody } from '../../src/webhooks/deliveryBody.ts';
import { sampleEvent } from '../../src/webhooks/sampleEvent.ts';
import { Client, errorOf, member, request } from '../client.ts';
import { startService } from '../runningService.ts';
import type { RunningService } from '../runningService.ts';

interface Parameter {
	in: string;
	name: string;
	required?: boolean;
	description?: string;
	schema: Record<string, unknown>;
}

interface Operation {
	operationId?: string;
	summary?: string;
	tags?: string[];
	security?: Array<Record<string, string[]>>;
	parameters?: Parameter[];
	requestBody?: { required?: boolean; content: Record<string, { schema?: object }> };
	responses: Record<
		string,
		{
			description: string;
			headers?: Record<string, { required?: boolean; schema: object }>;
			content?: Record<string, { schema?: Record<string, unknown> }>;
		}
	>;
}

interface Document {
	openapi: string;
	info: { version: string };
	servers: Array<{ url: string }>;
	tags: Array<{ name: string }>;
	paths: Record<string, Record<string, Operation>>;
	webhooks: Record<string, { post: Operation }>;
	components: { securitySchemes: object; schemas: object };
}

describe('the machine-readable description', () => {
	let service: RunningService;
	let client: Client;
	let document: Document;
	before(async () => {
		service = await startService();
		client = new Client(service);
		const answer = await request(`${service.site}/api-docs/openapi.json`);
		assert.equal(answer.status, 200);
		assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
		document = JSON.parse(answer.text) as Document;
	});
	after(async () => {
		await service.remove();
	});

	const operations = (): Array<[name: string, operation: Operation]> =>
		Object.entries(document.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]): [string, Operation] => [
				`${method.toUpperCase()} ${path}`,
				operation,
			]),
		);
	const operation = (name: string): Operation => {
		const found = operations().find(([each]) => each === name)?.[1];
		assert.ok(found, name);
		return found;
	};
	const parameter = (name: string, wanted: string): Parameter => {
		const found = operation(name).parameters?.find((each) => each.name === wanted);
		assert.ok(found, `${name} ${wanted}`);
		return found;
	};

	it('is the same at both addresses, without a credential, and names the site', async () => {
		const other = await request(`${service.site}/api-docs/.well-known/openapi.json`);
		assert.deepEqual(JSON.parse(other.text), document);
		assert.equal(document.info.version, '1.0.0');
		assert.match(document.openapi, /^3\.1\./);
		assert.deepEqual(document.servers, [{ url: service.site }]);
		assert.deepEqual(Object.keys(document.components.securitySchemes), ['accessToken', 'jwt']);
		assert.doesNotMatch(JSON.stringify(document), new RegExp(service.credentials.accessToken));
	});

	it('is valid OpenAPI 3.1', async () => {
		const result = await new Validator().validate({ ...structuredClone(document) });
		assert.deepEqual(result.valid ? [] : result.errors, []);
	});

	it('has every route that the service has, and no other', async () => {
		const app = createServer('silent');
		const routes: string[] = [];
		app.addHook('onRoute', ({ method, url }) => {
			// HEAD is GET without its body; it is no operation of its own.
			for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url}`);
		});
		// Routes look at their services when they are asked, but for the settings.
		const services = { config: readConfig({}) } as Services;
		await addRoutes(app, services);
		await app.ready();
		await app.close();
		const described = routes.map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
		assert.ok(described.length > 30);
		assert.deepEqual(
			described.sort(),
			operations()
				.map(([name]) => name)
				.sort(),
		);
	});

	it('says of each operation what it is, and which answers it has', () => {
		const ids = operations().map(([, { operationId }]) => operationId);
		assert.equal(new Set(ids).size, ids.length, 'operationId is unique');
		const tags = document.tags.map(({ name }) => name);
		for (const [
			name,
			{ operationId, summary, tags: own = [], responses, parameters = [] },
		] of operations()) {
			assert.ok(operationId && summary, name);
			assert.ok(
				own.length === 1 && own.every((tag) => tags.includes(tag)),
				`${name} ${own.join()}`,
			);
			for (const [status, response] of Object.entries(responses)) {
				assert.match(status, /^[1-5]\d\d$/, `${name}: no blanket`);
				assert.notEqual(response.description, 'Default Response', `${name} ${status}`);
				const media = Object.values(response.content ?? {});
				const hasBody = !['202', '204'].includes(status);
				if (hasBody) assert.ok(media.length > 0, `${name} ${status} has a body`);
				assert.ok(
					media.every(({ schema }) => schema !== undefined),
					`${name} ${status}`,
				);
			}
			const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, each]) => each);
			const described = parameters.filter((one) => one.in === 'path').map((one) => one.name);
			assert.deepEqual(described, inPath, name);
			assert.ok(responses['500'], name);
		}
	});

	it('asks for the credential of its surface, and answers 401 without it', async () => {
		for (const [name, { security, responses }] of operations()) {
			const [method = '', path = ''] = name.split(' ');
			const wanted = path.startsWith('/api/v1/agent')
				? [{ accessToken: [] }]
				: path.startsWith('/api/v1/protected')
					? [{ jwt: [] }]
					: [];
			assert.deepEqual(security, wanted, name);
			assert.equal('401' in responses, wanted.length > 0, name);
			if (wanted.length === 0) continue;
			const answer = await request(service.site + path.replaceAll(/\{\w+\}/g, '1'), { method });
			assert.equal(errorOf(answer), '401 unauthorized', name);
		}
	});

	it('describes errors where they happen, with their codes', () => {
		const codes = (name: string, status: string): unknown =>
			member(
				operation(name).responses[status]?.content?.['application/json']?.schema,
				...['properties', 'error', 'properties', 'code', 'enum'],
			);
		assert.deepEqual(codes('GET /api/v1/agent/jobs/{id}/data', '409'), [
			'job_failed',
			'job_not_finished',
		]);
		assert.deepEqual(codes('POST /api/v1/agent/jobs', '400'), [
			'document_not_uploaded',
			'invalid_request',
		]);
		assert.deepEqual(codes('GET /api/v1/agent/projects', '400'), undefined);
		assert.deepEqual(codes('POST /api/v1/protected/document', '413'), ['file_too_large']);
		assert.deepEqual(codes('POST /api/v1/protected/job', '413'), ['body_too_large']);
		assert.deepEqual(codes('GET /healthz', '503'), ['starting']);
		const limited = operations().filter(([, { responses }]) => '429' in responses);
		assert.deepEqual(
			limited.map(([name]) => name),
			[
				'GET /api/v1/agent/jobs/{id}',
				'POST /api/v1/agent/mcp/tools/get_job_status',
				'GET /api/v1/protected/job/{id}',
			],
		);
		for (const [name, { responses }] of limited) {
			assert.equal(responses['429']?.headers?.['Retry-After']?.required, true, name);
		}
	});

	it('has the limits and defaults of the interface', () => {
		const limit = (name: string, wanted: string): unknown[] => {
			const { schema } = parameter(name, wanted);
			return [schema['type'], schema['default'], schema['minimum'], schema['maximum']];
		};
		const signals = 'GET /api/v1/protected/document/{documentId}/fraudSignals';
		assert.deepEqual(limit(signals, 'limit'), ['integer', 100, 1, 100]);
		assert.deepEqual(limit(signals, 'offset').slice(0, 3), ['integer', 0, 0]);
		assert.deepEqual(limit(signals, 'minConfidence'), ['number', undefined, 0, 1]);
		assert.deepEqual(limit(signals, 'maxConfidence'), ['number', undefined, 0, 1]);
		for (const name of [
			'POST /api/v1/protected/document/uploads3',
			'GET /api/v1/protected/document/{documentId}/downloads3',
		]) {
			assert.deepEqual(limit(name, 'expiresIn'), ['integer', 3600, 1, 604_800]);
		}
		const documents = 'GET /api/v1/agent/projects/{projectId}/documents';
		assert.deepEqual(limit(documents, 'limit'), ['integer', 50, 1, 200]);
		assert.deepEqual(parameter('POST /api/v1/protected/document', 'metadata').schema, {
			enum: ['0', '1'],
			default: '0',
		});
		assert.match(parameter(documents, 'projectId').description ?? '', /whole number/);
	});

	it('has the bodies, types and headers that are no JSON', () => {
		const form = operation('POST /api/v1/protected/document').requestBody;
		assert.deepEqual(Object.keys(form?.content ?? {}), ['multipart/form-data']);
		assert.ok(member(form, 'content', 'multipart/form-data', 'schema', 'properties', 'document'));
		const put = operation('PUT /storage/documents/{contract}/{file}');
		const types = ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff'];
		assert.deepEqual(Object.keys(put.requestBody?.content ?? {}), types);
		assert.equal(put.responses['200']?.headers?.['ETag']?.required, true);
		const get = operation('GET /storage/documents/{contract}/{file}').responses['200'];
		assert.deepEqual(Object.keys(get?.content ?? {}), types);
		assert.equal(get?.headers?.['Content-Disposition']?.required, true);
		for (const name of [
			'GET /api/v1/agent/documents/{documentId}/transactions',
			'POST /api/v1/protected/job/{id}/export',
		]) {
			const answer = operation(name).responses['200'];
			assert.deepEqual(Object.keys(answer?.content ?? {}), ['application/json', 'text/csv'], name);
			assert.equal(answer?.headers?.['Content-Disposition']?.required, false, name);
		}
		for (const name of [
			'POST /api/v1/agent/documents/upload-url',
			'POST /api/v1/agent/jobs',
			'POST /api/v1/protected/document',
			'POST /api/v1/protected/document/uploads3',
			'POST /api/v1/protected/job',
		]) {
			assert.equal(parameter(name, 'Idempotency-Key').schema['maxLength'], 200, name);
		}
		assert.equal(operation('POST /api/v1/agent/webhooks/{id}/test').requestBody?.required, false);
		assert.equal(operation('POST /api/v1/agent/webhooks').requestBody?.required, true);
	});

	it('has what a webhook gets for each event', () => {
		assert.deepEqual(Object.keys(document.webhooks), [...EVENT_NAMES]);
		for (const name of EVENT_NAMES) {
			const { post } = document.webhooks[name] ?? {};
			assert.deepEqual(
				post?.parameters?.map((one) => one.name),
				['X-Service-Event', 'X-Service-Event-Id', 'X-Service-Version', 'X-Service-Signature'],
			);
			const { job, data } = sampleEvent(name, new Date());
			const event = {
				id: 'evt_1',
				name,
				version: '2024-01-01',
				isTest: true,
				createdAt: new Date(),
				userId: 1,
				job: JSON.stringify(job),
				data: JSON.stringify(data),
			};
			const body: unknown = JSON.parse(Buffer.from(deliveryBody(event, 7)).toString());
			assert.ok(Check(deliveryBodySchema(name), body), name);
			assert.ok(!Check(deliveryBodySchema(name), { ...(body as object), data: 1 }), name);
		}
	});

	it('has a hint for language models that names every operation', async () => {
		const answer = await request(`${service.site}/api-docs/llms.txt`);
		assert.equal(answer.status, 200);
		assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
		for (const [name, { summary }] of operations()) {
			assert.ok(answer.text.includes(`- \`${name}\`: ${summary ?? ''} (`), name);
		}
		assert.ok(answer.text.includes(`${service.site}/api-docs/openapi.json`));
		assert.ok(answer.text.startsWith('# '));
	});

	it('is kept to by query parameters: one plain number, one plain truth value', async () => {
		const signals = (query: string): Promise<string> =>
			client.legacy('GET', `/document/999/fraudSignals?${query}`).then(errorOf);
		const wrongIntegers = [
			'1.5',
			'1e2',
			'',
			' 1',
			'1 ',
			'+1',
			'01',
			'0x10',
			'NaN',
			'Infinity',
			'true',
			'-0',
			'1,2',
			'١',
			'null',
		];
		for (const text of wrongIntegers) {
			assert.equal(
				await signals(`limit=${encodeURIComponent(text)}`),
				'400 invalid_request limit',
				text,
			);
			assert.equal(
				await signals(`offset=${encodeURIComponent(text)}`),
				'400 invalid_request offset',
				text,
			);
		}
		for (const text of ['0', '101', '-1', '9'.repeat(400)]) {
			assert.equal(
				await signals(`limit=${encodeURIComponent(text)}`),
				'400 invalid_request limit',
				text,
			);
		}
		for (const text of ['1e-1', '.5', '1.', '', ' 0', '0x1', 'NaN', 'true', '-0.1', '1.01', '00']) {
			assert.equal(
				await signals(`minConfidence=${encodeURIComponent(text)}`),
				'400 invalid_request minConfidence',
				text,
			);
		}
		assert.equal(await signals('limit=1&limit=2'), '400 invalid_request limit');
		assert.equal(await signals('type=a&type=b'), '400 invalid_request type');
		for (const fits of [
			'limit=100&offset=0',
			'minConfidence=0.25&maxConfidence=1',
			'limit=1&extra=1&extra=2&__proto__=1',
		]) {
			assert.equal(await signals(fits), '404 not_found', fits);
		}
		const rows = (text: string): Promise<string> =>
			client
				.agent('GET', `/jobs/999/transactions?includeRaw=${encodeURIComponent(text)}`)
				.then(errorOf);
		for (const text of ['', 'TRUE', 'yes', '2', ' true', 'null', '1.0', 'true,true']) {
			assert.equal(await rows(text), '400 invalid_request includeRaw', text);
		}
		for (const text of ['true', 'false', '1', '0'])
			assert.equal(await rows(text), '404 not_found', text);
		const repeated = await client.agent('GET', '/jobs/999/transactions?includeRaw=1&includeRaw=1');
		assert.match(String(member(repeated, 'error', 'message')), /only once/);
	});

	it('is kept to by headers and paths', async () => {
		const keyed = (key: string) =>
			client.agent('POST', '/jobs', { documents: [1] }, { 'idempotency-key': key });
		assert.equal(errorOf(await keyed('')), '400 invalid_request Idempotency-Key');
		assert.equal(errorOf(await keyed('k'.repeat(201))), '400 invalid_request Idempotency-Key');
		assert.equal(errorOf(await keyed('k'.repeat(200))), '404 not_found documents[0]');
		for (const id of [
			'0',
			'-1',
			'1.5',
			'abc',
			'9'.repeat(20),
			'9'.repeat(150),
			'%00',
			'__proto__',
			'..',
		]) {
			const answer = await client.agent('GET', `/jobs/${id}`);
			assert.equal(answer.status, 404, id);
		}
		assert.equal(errorOf(await client.agent('GET', '/jobs/%zz')), '400 invalid_request');
		const nothing = await client.agent('POST', '/webhooks/1/test', null);
		assert.equal(errorOf(nothing), '400 invalid_request');
	});

	it('is kept to by text that no database holds', async () => {
		const documents = [await client.upload(Buffer.from('%PDF-1.7'))];
		for (const [jobName, name] of [
			['\u0000', null],
			['a\u0000b', 'a b'],
			['\ud800', '\ufffd'],
		]) {
			const answer = await client.legacy('POST', '/job', { jobName, documents });
			assert.equal(answer.status, 201, answer.text);
			assert.equal(member(answer, 'name'), name);
		}
		const path = `/document/${documents[0] ?? 0}/fraudSignals?type=`;
		assert.equal(errorOf(await client.legacy('GET', `${path}a%00`)), '400 invalid_request type');
		assert.equal((await client.legacy('GET', `${path}a%ff`)).status, 200);
	});
});
