import fc from 'fast-check';

import { KNOWN_EVENTS, GENERIC_EVENT } from '../../../nodes/shared/webhooks/events';
import { nextPage } from '../../../nodes/shared/webhooks/pages';
import {
	eventNamesOf,
	isWebhookList,
	secretOf,
	webhookOf,
	webhooksOf,
} from '../../../nodes/shared/webhooks/records';

const url = 'https://n8n.example.com/webhook/1';
const record = { id: '7', url, events: ['a.b'], enabled: true, version: '2024-01-01' };

describe('webhookOf', () => {
	it('reads the record of the interface', () => {
		expect(webhookOf(record)).toEqual({ ...record, record });
	});

	it.each([{ webhook: record }, { data: record }, { data: { webhook: record } }, { item: record }])(
		'reads it from %j',
		(body) => {
			expect(webhookOf(body)?.id).toBe('7');
		},
	);

	it('takes an id that is a number, and says nothing that is not told', () => {
		const id = 7;
		expect(webhookOf({ id })).toEqual({ id: '7', url: '', events: [], record: { id } });
	});

	it('never holds the secret', () => {
		const webhook = webhookOf({ ...record, secret: 'hidden', signingSecret: 'hidden' });
		expect(JSON.stringify(webhook)).not.toContain('hidden');
	});

	it.each([
		[{ enabled: false }, false],
		[{ active: true }, true],
		[{ disabled: true }, false],
		[{ status: 'Active' }, true],
		[{ status: 'disabled' }, false],
		[{ status: 'odd' }, undefined],
		[{}, undefined],
	])('reads from %j whether it is switched on', (fields, expected) => {
		expect(webhookOf({ id: 1, ...fields })?.enabled).toBe(expected);
	});

	it('reads events as texts or objects, each once', () => {
		const events = ['a', { name: 'b' }, 'a', 3, null, '', { event: 'c' }];
		expect(webhookOf({ id: 1, events })?.events).toEqual(['a', 'b', 'c']);
	});

	it.each([null, undefined, 'text', 7, [], {}, [record], { url }, { id: {} }, { webhook: [] }])(
		'reads nothing from %j',
		(body) => {
			expect(webhookOf(body)).toBeUndefined();
		},
	);
});

describe('webhooksOf', () => {
	const other = { id: 8, url: 'x' };
	it.each([
		[[record, other]],
		[{ webhooks: [record, other] }],
		[{ data: [record, other], total: 2 }],
		[{ items: [record, other] }],
		[{ results: [record, other] }],
		[{ data: { webhooks: [record, other] } }],
		[{ webhooks: [{ webhook: record }, null, 'text', {}, other] }],
	])('reads %j', (body) => {
		expect(webhooksOf(body).map(({ id }) => id)).toEqual(['7', '8']);
	});

	it('tells an empty list from none', () => {
		expect([isWebhookList({ webhooks: [] }), isWebhookList([])]).toEqual([true, true]);
		expect([isWebhookList({ error: 'no' }), isWebhookList('text')]).toEqual([false, false]);
	});
});

describe('secretOf', () => {
	it.each([
		{ ...record, secret: 's3' },
		{ webhook: { ...record, secret: 's3' } },
		{ data: { signingSecret: 's3' } },
		{ webhook: record, secret: 's3' },
	])('reads %j', (body) => {
		expect(secretOf(body)).toBe('s3');
	});

	it.each([record, { secret: '' }, { secret: null }, { secret: 5 }, null, [], 'secret'])(
		'reads nothing from %j',
		(body) => {
			expect(secretOf(body)).toBeUndefined();
		},
	);

	it('leaves it as it came', () => {
		expect(secretOf({ secret: ' AbC\n' })).toBe(' AbC\n');
	});
});

describe('eventNamesOf', () => {
	it.each([
		[['a', 'b']],
		[{ events: ['a', 'b', 'a'] }],
		[{ data: { events: [{ name: 'a' }, { name: 'b' }] } }],
		[{ items: ['a', 'b', 7, null] }],
	])('reads %j', (body) => {
		expect(eventNamesOf(body)).toEqual(['a', 'b']);
	});

	it('reads nothing from an error', () => {
		expect(eventNamesOf({ error: { message: 'no' } })).toEqual([]);
	});
});

describe('nextPage', () => {
	it.each([
		[{ total: 5, limit: 2, offset: 0 }, 2, { limit: 2, offset: 2 }],
		[{ total: 5 }, 2, { offset: 2 }],
		[{ hasMore: true }, 2, { offset: 2 }],
		[{ total: 2, hasMore: true }, 2, undefined],
		[{ pagination: { total: 3 } }, 2, { offset: 2 }],
		[{ next: '/agent/webhooks?limit=2&offset=2' }, 2, { limit: '2', offset: '2' }],
		[{ links: { next: 'https://other.example.com/?page=2' } }, 2, { page: '2' }],
		[{ next: null, total: 2 }, 2, undefined],
		[{ nextCursor: 'abc' }, 2, { cursor: 'abc' }],
		[{ total: 5 }, 0, undefined],
		[{ webhooks: [] }, 2, undefined],
		[[], 2, undefined],
	])('of %j after %s', (body, seen, expected) => {
		expect(nextPage(body, seen)).toEqual(expected);
	});
});

it('nothing that a service can answer makes a reader throw', () => {
	const key = fc.oneof(
		fc.string(),
		fc.constantFrom(
			'id',
			'url',
			'events',
			'webhook',
			'webhooks',
			'data',
			'items',
			'secret',
			'next',
		),
	);
	const answer = fc.oneof(fc.anything(), fc.object({ key, maxDepth: 5 }), fc.jsonValue());
	fc.assert(
		fc.property(answer, (body) => {
			const webhook = webhookOf(body);
			if (webhook !== undefined) expect(typeof webhook.id).toBe('string');
			for (const { id, events } of webhooksOf(body)) {
				expect(id).not.toBe('');
				expect(events.every((name) => typeof name === 'string')).toBe(true);
			}
			expect(['string', 'undefined']).toContain(typeof secretOf(body));
			expect(new Set(eventNamesOf(body)).size).toBe(eventNamesOf(body).length);
			nextPage(body, 1);
		}),
		{ numRuns: 500 },
	);
});

it('the known events have names and texts of their own', () => {
	const names = KNOWN_EVENTS.map(({ name }) => name);
	expect(new Set(names).size).toBe(8);
	expect(names).toContain(GENERIC_EVENT);
	expect(KNOWN_EVENTS.every(({ description }) => description !== '')).toBe(true);
});
