import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { LOGGED } from '../src/logging.ts';

describe('an error in the log', () => {
	const logged = (error: unknown): string => {
		const lines: string[] = [];
		const stream = new Writable({
			write(chunk: Buffer, _encoding, done) {
				lines.push(chunk.toString());
				done();
			},
		});
		Fastify({ logger: { stream, serializers: LOGGED } }).log.error({ err: error }, 'A fault.');
		return lines.join('');
	};

	it('says what the database says, and nothing of the data in its query', () => {
		// As the embedded database throws it.
		const failure = Object.assign(new Error('null value in column "id" of relation "kept"'), {
			code: '23502',
			detail: 'Failing row contains (null, hush).',
			query: 'insert into kept values ($1, $2)',
			params: [null, 'hush'],
		});
		const line = logged(new Error('It could not be kept.', { cause: failure }));
		assert.match(line, /It could not be kept\./);
		assert.match(line, /null value in column/);
		assert.match(line, /"code":"23502"/);
		assert.doesNotMatch(line, /hush/);
		assert.doesNotMatch(logged(failure), /hush/);
	});

	it('is written whatever was thrown', () => {
		assert.match(logged('torn'), /"message":"torn"/);
		const circular = new Error('round');
		circular.cause = circular;
		assert.match(logged(circular), /round/);
	});
});
