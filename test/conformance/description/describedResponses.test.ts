import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DescribedResponses } from './describedResponses.ts';
import type { CheckedResponse, OpenApiDocument } from './describedResponses.ts';

const DOCUMENT: OpenApiDocument = {
	openapi: '3.1.0',
	info: { version: '1.0.0' },
	paths: {
		'/things/{id}': {
			get: {
				responses: {
					200: {
						headers: { ETag: { required: true, schema: { type: 'string', pattern: '^".*"$' } } },
						content: {
							'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
							'text/csv': { schema: { type: 'string', minLength: 1 } },
						},
					},
					429: {
						headers: { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } } },
						content: { 'application/json': { schema: { type: 'object' } } },
					},
				},
			},
			delete: { responses: { 204: {} } },
		},
		'/things/names': {
			get: {
				responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } },
			},
		},
	},
	components: {
		schemas: {
			Thing: {
				type: 'object',
				required: ['id'],
				properties: {
					id: { type: 'integer' },
					part: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
					free: { type: 'object', properties: {}, additionalProperties: true },
					at: { type: 'string', format: 'date-time' },
				},
			},
		},
	},
};

const described = new DescribedResponses(DOCUMENT);

function answer(
	body: string,
	more: { status?: number; headers?: Record<string, string> } = {},
): CheckedResponse {
	const headers = {
		'content-type': 'application/json; charset=utf-8',
		etag: '"1"',
		...more.headers,
	};
	return { status: more.status ?? 200, headers: new Headers(headers), body: Buffer.from(body) };
}

function objectionsTo(response: CheckedResponse, url = '/things/7', method = 'GET'): string {
	return described.check({ method, url }, response).join(' ');
}

describe('answers held against a description', () => {
	it('fit where they are as described', () => {
		assert.equal(objectionsTo(answer('{"id":1}')), '');
		assert.equal(objectionsTo(answer('{"id":1}'), 'http://site.example/things/7?a=b#c'), '');
		assert.equal(objectionsTo(answer('{"id":1,"part":{"id":2,"part":null},"free":{"x":1}}')), '');
		assert.equal(objectionsTo(answer('a;b', { headers: { 'content-type': 'text/csv' } })), '');
		assert.equal(objectionsTo(answer('', { status: 204 }), '/things/7', 'DELETE'), '');
	});

	it('take the path without a parameter before the one with it', () => {
		assert.equal(objectionsTo(answer('[]'), '/things/names'), '');
		assert.equal(
			described.operationFor({ method: 'GET', url: '/things/..' })?.path,
			'/things/{id}',
		);
		assert.equal(described.operationFor({ method: 'GET', url: '/things/a/b' }), undefined);
	});

	const WRONG: Array<[what: string, response: CheckedResponse, says: RegExp]> = [
		['a status that is not described', answer('{}', { status: 202 }), /status is not described/],
		['a fault of the service', answer('{}', { status: 500 }), /fault/],
		[
			'another type',
			answer('{"id":1}', { headers: { 'content-type': 'text/html' } }),
			/the type is text\/html/,
		],
		['no type', answer('{"id":1}', { headers: { 'content-type': '' } }), /the type is/],
		['a missing header', answer('{}', { status: 429 }), /Retry-After is missing/],
		[
			'a wrong header',
			answer('{}', { status: 429, headers: { 'retry-after': 'soon' } }),
			/Retry-After/,
		],
		[
			'a header out of range',
			answer('{}', { status: 429, headers: { 'retry-after': '0' } }),
			/Retry-After/,
		],
		['a header of another shape', answer('{"id":1}', { headers: { etag: 'plain' } }), /ETag/],
		['a missing member', answer('{}'), /required/],
		['a member of another type', answer('{"id":"1"}'), /integer/],
		['a wrong member below a reference', answer('{"id":1,"part":{"id":null}}'), /\/part/],
		['a member that is not described', answer('{"id":1,"secret":"x"}'), /additional/],
		['a time that is none', answer('{"id":1,"at":"yesterday"}'), /date-time/],
		['another kind of body', answer('[]'), /object/],
		['no JSON', answer('{"id":1'), /not JSON/],
		['an empty body', answer(''), /not JSON/],
		[
			'bytes that are no UTF-8',
			{ ...answer(''), body: Buffer.from('7b226964223a22ff227d', 'hex') },
			/not JSON/,
		],
		['an empty file', answer('', { headers: { 'content-type': 'text/csv' } }), /fewer than 1/],
	];
	for (const [what, response, says] of WRONG) {
		it(`do not fit: ${what}`, () => assert.match(objectionsTo(response), says));
	}

	it('do not fit: a body where none is described', () => {
		assert.match(
			objectionsTo(answer('{}', { status: 204 }), '/things/7', 'DELETE'),
			/there is a body/,
		);
	});

	it('do not fit: an operation that is not described', () => {
		assert.match(objectionsTo(answer('{}'), '/others'), /has no GET/);
		assert.match(objectionsTo(answer('{}'), '/things/7', 'PUT'), /has no PUT/);
	});

	it('may have further members where objects are left open', () => {
		const open = new DescribedResponses(DOCUMENT, { closed: false });
		const request = { method: 'GET', url: '/things/7' };
		assert.deepEqual(open.check(request, answer('{"id":1,"more":2}')), []);
		assert.notDeepEqual(open.check(request, answer('{"more":2}')), []);
	});
});
