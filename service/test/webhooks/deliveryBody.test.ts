import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVENT_NAMES } from '../../src/events/eventNames.ts';
import { deliveryBody, deliveryHeaders } from '../../src/webhooks/deliveryBody.ts';
import { sampleEvent } from '../../src/webhooks/sampleEvent.ts';

const event = {
	id: 'evt_1',
	name: 'bank_statement.extraction.completed',
	version: '2024-01-01',
	isTest: false,
	createdAt: new Date('2026-01-02T03:04:05.678Z'),
	userId: 4,
	job: '{"id":"9","status":"Succeeded"}',
	data: '{"12":{"DE1":{"amount":-1234567890123456.70}}}',
};

describe('the bytes of a delivery', () => {
	it('have the members of the interface, and the digits of the data', () => {
		assert.equal(
			Buffer.from(deliveryBody(event, 3)).toString(),
			'{"event":{"id":"evt_1","name":"bank_statement.extraction.completed",' +
				'"version":"2024-01-01","createdAt":"2026-01-02T03:04:05.678Z"},' +
				'"job":{"id":"9","status":"Succeeded"},"user":{"id":"4"},"webhook":{"id":"3"},' +
				'"data":{"12":{"DE1":{"amount":-1234567890123456.70}}}}',
		);
	});

	it('say of a sample that it is one, and of an event without a job that it has none', () => {
		const body = Buffer.from(deliveryBody({ ...event, isTest: true, job: 'null' }, 3)).toString();
		const parsed = JSON.parse(body) as { event: { test: unknown }; job: unknown };
		assert.equal(parsed.event.test, true);
		assert.equal(parsed.job, null);
	});

	it('come with the headers of the interface', () => {
		assert.deepEqual(deliveryHeaders(event, 'ab'), {
			'Content-Type': 'application/json',
			'X-Service-Event': 'bank_statement.extraction.completed',
			'X-Service-Event-Id': 'evt_1',
			'X-Service-Version': '2024-01-01',
			'X-Service-Signature': 'ab',
		});
	});

	it('are made up for every event, and say so', () => {
		for (const name of EVENT_NAMES) {
			const { job, data } = sampleEvent(name, event.createdAt);
			assert.match(JSON.stringify(data), /sample that the service made up/, name);
			assert.ok(job === null || job.id === '0', name);
		}
	});
});
