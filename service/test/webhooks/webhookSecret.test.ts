import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { MasterKey } from '../../src/accounts/masterKey.ts';
import {
	deriveSecret,
	hashSecret,
	newNonce,
	recoverSecret,
	signBody,
} from '../../src/webhooks/webhookSecret.ts';

const key = new MasterKey(Buffer.alloc(32, 1)).keyFor('webhook secrets');
const origin = { webhookId: 7, nonce: '00112233445566778899aabbccddeeff', generation: 1 };

describe('secrets of webhooks', () => {
	it('are the HMAC of id, generation and nonce, and always the same', () => {
		const expected = createHmac('sha256', key)
			.update('7:1:00112233445566778899aabbccddeeff')
			.digest('hex');
		assert.equal(deriveSecret(key, origin), expected);
		assert.match(expected, /^[0-9a-f]{64}$/);
	});

	it('differ with the id, the generation, the nonce and the master key', () => {
		const otherKey = new MasterKey(Buffer.alloc(32, 2)).keyFor('webhook secrets');
		const otherPurpose = new MasterKey(Buffer.alloc(32, 1)).keyFor('storage addresses');
		const secrets = [
			deriveSecret(key, origin),
			deriveSecret(key, { ...origin, webhookId: 8 }),
			deriveSecret(key, { ...origin, generation: 2 }),
			deriveSecret(key, { ...origin, nonce: newNonce() }),
			deriveSecret(otherKey, origin),
			deriveSecret(otherPurpose, origin),
			// No two origins run together into one text.
			deriveSecret(key, { ...origin, webhookId: 71, generation: 1 }),
			deriveSecret(key, { ...origin, webhookId: 7, generation: 11 }),
		];
		assert.equal(new Set(secrets).size, secrets.length);
		assert.equal(new Set(Array.from({ length: 100 }, newNonce)).size, 100);
	});

	it('come back only with the master key they were made with', () => {
		const secret = deriveSecret(key, origin);
		const hash = createHash('sha256').update(secret).digest('hex');
		assert.equal(hashSecret(secret), hash);
		assert.equal(recoverSecret(key, origin, hash), secret);
		const lost = new MasterKey(Buffer.alloc(32, 2)).keyFor('webhook secrets');
		assert.equal(recoverSecret(lost, origin, hash), null);
		assert.equal(recoverSecret(key, { ...origin, generation: 2 }, hash), null);
		assert.equal(recoverSecret(key, origin, ''), null);
	});

	it('sign raw bytes', () => {
		const body = Buffer.from([0xff, 0x00, 0x7b, 0x22]);
		assert.equal(
			signBody('secret', body),
			createHmac('sha256', 'secret').update(body).digest('hex'),
		);
	});
});
