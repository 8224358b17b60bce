import fc from 'fast-check';

import { documentIdsOf, kindsOf } from '../../../nodes/DocumentExtractionTrigger/deliver/contents';
import { readDelivery } from '../../../nodes/DocumentExtractionTrigger/deliver/delivery';
import { isWanted } from '../../../nodes/DocumentExtractionTrigger/deliver/filters';
import {
	deliveryItems,
	type DeliveryOutput,
} from '../../../nodes/DocumentExtractionTrigger/deliver/items';

const OUTPUTS: DeliveryOutput[] = ['delivery', 'transactions', 'accounts', 'documents'];

it('reads what the interface names', () => {
	const body = {
		event: { id: 'evt_1', name: 'document.uploaded', test: true },
		job: { id: 17 },
		data: {},
	};
	expect(readDelivery(Buffer.from(JSON.stringify(body)))).toEqual({
		key: 'evt_1',
		eventId: 'evt_1',
		eventName: 'document.uploaded',
		jobId: '17',
		isTest: true,
		body,
	});
});

it('has a key of its own for each body without an event id', () => {
	const key = (text: string) => readDelivery(Buffer.from(text)).key;
	expect(key('{"a":1}')).toBe(key('{"a":1}'));
	expect(key('{"a":1}')).not.toBe(key('{"a":2}'));
	expect(key('{"event":{"id":""}}')).toMatch(/^body:[0-9a-f]{64}$/);
});

it('loses no byte of what is no JSON object', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
			const { body } = readDelivery(Buffer.from(bytes));
			const { raw, rawBase64 } = body as { raw?: string; rawBase64?: string };
			fc.pre(raw !== undefined);
			const back = rawBase64 === undefined ? Buffer.from(raw!) : Buffer.from(rawBase64, 'base64');
			expect(back.equals(Buffer.from(bytes))).toBe(true);
		}),
	);
});

it('nothing that is delivered makes the mapping throw or gives a top-level error', () => {
	const key = fc.oneof(
		fc.string(),
		fc.constantFrom('event', 'job', 'data', 'id', 'name', 'error', 'bankMode', 'documents', 'form'),
	);
	const name = fc.constantFrom('bank_statement.extraction.completed', 'document.uploaded', 'x');
	const delivered = fc.oneof(
		fc.object({ key, maxDepth: 4 }),
		fc.record({ event: fc.record({ id: fc.string(), name }), data: fc.object({ key }) }),
		fc.jsonValue(),
	);
	fc.assert(
		fc.property(delivered, fc.constantFrom(...OUTPUTS), (body, output) => {
			const delivery = readDelivery(Buffer.from(JSON.stringify(body) ?? ''));
			kindsOf(delivery);
			documentIdsOf(delivery);
			const filters = { events: ['x'], documentKinds: ['form'], documentIds: ['1'] };
			expect(typeof isWanted(delivery, filters)).toBe('boolean');
			for (const { json } of deliveryItems(delivery, { output, documentIds: ['1'] })) {
				expect(json).not.toHaveProperty('error');
				expect(json).toHaveProperty('eventId');
			}
		}),
		{ numRuns: 500 },
	);
});

it('a field of the service under one of our names is kept beside it', () => {
	const body = { event: { id: 'evt_1', name: 'x' }, eventId: 'theirs', headers: 'theirs too' };
	const delivery = readDelivery(Buffer.from(JSON.stringify(body)));
	const options = { output: 'delivery' as const, documentIds: [], headers: { host: 'n8n' } };
	expect(deliveryItems(delivery, options)[0]?.json).toMatchObject({
		eventId: 'evt_1',
		serviceEventId: 'theirs',
		headers: { host: 'n8n' },
		serviceHeaders: 'theirs too',
	});
});
