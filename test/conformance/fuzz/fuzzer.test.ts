import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { fuzz } from './fuzzer.ts';
import type { FuzzReport } from './fuzzer.ts';

const ERROR = {
	content: {
		'application/json': {
			schema: {
				type: 'object',
				required: ['error'],
				properties: {
					error: {
						type: 'object',
						required: ['code', 'message'],
						properties: { code: { type: 'string' }, message: { type: 'string' } },
					},
				},
			},
		},
	},
};

/** A list with a limit, behind a credential. */
const DOCUMENT = {
	openapi: '3.1.0',
	info: { title: 'A small service', version: '1.0.0' },
	paths: {
		'/things': {
			get: {
				security: [{ token: [] }],
				parameters: [
					{ in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100 } },
				],
				responses: {
					200: {
						content: {
							'application/json': {
								schema: {
									type: 'object',
									required: ['things'],
									properties: { things: { type: 'array', items: { type: 'integer' } } },
								},
							},
						},
					},
					400: ERROR,
					401: ERROR,
				},
			},
		},
		'/names': {
			post: {
				requestBody: {
					required: true,
					content: {
						'application/json': {
							schema: {
								type: 'object',
								required: ['name'],
								properties: { name: { type: 'string', minLength: 1, maxLength: 50 } },
							},
						},
					},
				},
				responses: { 204: {}, 400: ERROR },
			},
		},
	},
};

interface Asked {
	request: IncomingMessage;
	url: URL;
	body: string;
	response: ServerResponse;
}

/** True where the fault has answered. */
type Fault = (asked: Asked) => boolean;

function send(response: ServerResponse, status: number, value?: unknown): true {
	if (value === undefined) response.writeHead(status).end();
	else
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
	return true;
}

function refuse(response: ServerResponse, status: number): true {
	return send(response, status, { error: { code: 'wrong', message: 'It is wrong.' } });
}

/** Serves the document as it says, but for the fault. */
function answer({ request, url, body, response }: Asked, fault: Fault): void {
	if (url.pathname === '/api-docs/openapi.json') send(response, 200, DOCUMENT);
	else if (fault({ request, url, body, response })) return;
	else if (url.pathname === '/things' && request.method === 'GET') {
		if (request.headers.authorization !== 'Bearer right') return void refuse(response, 401);
		const limits = url.searchParams.getAll('limit');
		const [limit = '1'] = limits;
		const fits = limits.length < 2 && /^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= 100;
		if (fits) send(response, 200, { things: [1, 2, 3] });
		else refuse(response, 400);
	} else if (url.pathname === '/names' && request.method === 'POST') {
		if (nameIn(body, request.headers['content-type'])) send(response, 204);
		else refuse(response, 400);
	} else refuse(response, 404);
}

function nameIn(body: string, type: string | undefined): boolean {
	if (type !== 'application/json') return false;
	try {
		const value: unknown = JSON.parse(body);
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
		const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value;
		// Characters are counted as JSON Schema counts them.
		return typeof name === 'string' && name !== '' && [...name].length <= 50;
	} catch {
		return false;
	}
}

async function fuzzed(fault: Fault): Promise<FuzzReport> {
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on('data', (piece: Buffer) => pieces.push(piece));
		request.on('end', () => {
			const url = new URL(request.url ?? '/', 'http://site.invalid');
			answer({ request, url, body: Buffer.concat(pieces).toString(), response }, fault);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const credentials = { token: 'right', other: 'left' };
		return await fuzz({ siteUrl, credentials, seed: 1, requests: 600, answersWithinMs: 300 });
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

const OPERATION = '/things';

describe('the fuzzer', () => {
	it('has nothing to say of a service that is as it says', async () => {
		const report = await fuzzed(() => false);
		assert.equal(report.counterexample, null);
		assert.deepEqual(report.neverSucceeded, []);
		assert.ok(report.requests >= 600);
		assert.deepEqual([...report.statuses.keys()].sort(), ['GET /things', 'POST /names']);
		assert.deepEqual(
			[...(report.statuses.get('GET /things')?.keys() ?? [])].sort(),
			[200, 400, 401],
		);
	});

	const FAULTS: Array<[what: string, fault: Fault, says: RegExp]> = [
		[
			'a fault at one value of a parameter',
			({ url, response }) => url.searchParams.get('limit') === '100' && refuse(response, 500),
			/limit=100[^]*seed 1/,
		],
		[
			'a status that is not described',
			({ url, response }) => url.searchParams.has('limit') && refuse(response, 418),
			/418: the status is not described/,
		],
		[
			'a body of another shape',
			({ url, response }) => url.pathname === OPERATION && send(response, 200, { things: ['1'] }),
			/must be integer/,
		],
		[
			'a member that is not described',
			({ url, response }) =>
				url.pathname === OPERATION && send(response, 200, { things: [], more: 1 }),
			/additional/,
		],
		[
			'a credential that nobody looks at',
			({ url, request, response }) =>
				url.search === '' &&
				url.pathname === OPERATION &&
				request.method === 'GET' &&
				send(response, 200, { things: [] }),
			/answered 200 with a credential that is/,
		],
		[
			'a right credential that is refused',
			({ url, response }) => url.searchParams.get('limit') === '1' && refuse(response, 401),
			/answered 401 with the right credential/,
		],
		[
			'a number that is read loosely',
			({ url, request, response }) =>
				request.headers.authorization === 'Bearer right' &&
				request.method === 'GET' &&
				Number.parseInt(url.searchParams.get('limit') ?? '', 10) > 0 &&
				send(response, 200, { things: [] }),
			/success although limit/,
		],
		[
			'a body that is taken although it does not fit',
			({ url, request, response }) =>
				url.pathname === '/names' && request.method === 'POST' && send(response, 204),
			/success although the body/,
		],
		[
			'a connection that breaks',
			({ body, response }) => {
				if (!body.includes('__proto__')) return false;
				response.destroy();
				return true;
			},
			/There was no answer[^]*__proto__/,
		],
		['no answer', ({ url }) => url.searchParams.has('limit'), /There was no answer[^]*limit=/],
		[
			'something that is there and not described',
			({ request, response }) => request.method === 'DELETE' && send(response, 204),
			/does not describe/,
		],
	];
	for (const [what, fault, says] of FAULTS) {
		it(`finds ${what}`, async () => {
			const { counterexample } = await fuzzed(fault);
			assert.match(counterexample ?? 'nothing', says);
		});
	}

	it('says which operation was never answered with success', async () => {
		const report = await fuzzed(
			({ url, request, response }) =>
				url.pathname === '/names' && request.method === 'POST' && refuse(response, 400),
		);
		assert.equal(report.counterexample, null);
		assert.deepEqual(report.neverSucceeded, ['POST /names']);
	});
});
