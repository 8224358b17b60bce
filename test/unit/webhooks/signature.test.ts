import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';

import { isDigest, isSignedBy } from '../../../nodes/shared/signature';

/** HMAC-SHA256 written out from RFC 2104, so that it does not rest on what is tested. */
function hmac(secret: string, body: Uint8Array): string {
	const sha256 = (...parts: Uint8Array[]) => {
		const hash = createHash('sha256');
		for (const part of parts) hash.update(part);
		return hash.digest();
	};
	const given = Buffer.from(secret, 'utf8');
	const key = Buffer.alloc(64);
	(given.length > 64 ? sha256(given) : given).copy(key);
	const pad = (byte: number) => key.map((value) => value ^ byte);
	return sha256(pad(0x5c), sha256(pad(0x36), body)).toString('hex');
}

describe('isSignedBy', () => {
	// Computed with OpenSSL: printf '…' | openssl dgst -sha256 -hmac '…'; the second is of RFC 4231.
	it.each([
		[
			'key',
			'The quick brown fox jumps over the lazy dog',
			'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
		],
		[
			'Jefe',
			'what do ya want for nothing?',
			'5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
		],
	])('accepts a known signature (%s)', (secret, body, signature) => {
		expect(isSignedBy(Buffer.from(body), secret, signature)).toBe(true);
		expect(isSignedBy(Buffer.from(body), secret, signature.toUpperCase())).toBe(true);
	});

	it('accepts what is signed right, and nothing that differs in one bit', () => {
		fc.assert(
			fc.property(
				fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
				fc.uint8Array({ maxLength: 300 }),
				fc.nat(),
				(secret, body, at) => {
					const signature = hmac(secret, body);
					expect(isSignedBy(body, secret, signature)).toBe(true);
					const digest = Buffer.from(signature, 'hex');
					digest[at % 32] = digest[at % 32]! ^ (1 << (at % 8));
					expect(isSignedBy(body, secret, digest.toString('hex'))).toBe(false);
					expect(isSignedBy(body, `${secret}.`, signature)).toBe(false);
					expect(isSignedBy(Buffer.concat([body, Buffer.from([0])]), secret, signature)).toBe(
						false,
					);
					if (body.length > 0) expect(isSignedBy(body.subarray(1), secret, signature)).toBe(false);
				},
			),
		);
	});

	it('reads the secret as text, not as hexadecimal', () => {
		const secret = randomBytes(32).toString('hex');
		const body = Buffer.from('{}');
		expect(isSignedBy(body, secret, hmac(secret, body))).toBe(true);
	});

	it('signs unicode by its bytes', () => {
		const body = Buffer.from('{"memo":"Überweisung 銀行 🏦"}');
		expect(isSignedBy(body, 's', hmac('s', body))).toBe(true);
		const other = Buffer.from(body.toString().normalize('NFD'));
		expect(isSignedBy(other, 's', hmac('s', body))).toBe(false);
	});

	it('takes 64 MB', () => {
		const body = Buffer.alloc(64 * 1024 * 1024, 'row ');
		expect(isSignedBy(body, 's', hmac('s', body))).toBe(true);
	});

	it('takes no empty secret, though a signature with it can be computed', () => {
		expect(isSignedBy(Buffer.from('a'), '', hmac('', Buffer.from('a')))).toBe(false);
	});

	const right = hmac('s', Buffer.from('a'));
	it.each([
		undefined,
		null,
		'',
		7,
		{},
		[right],
		right.slice(1),
		`${right}0`,
		`${right.slice(1)}g`,
		` ${right.slice(1)}`,
		`sha256=${right}`,
		`${right}\n`,
		`${right}, ${right}`,
		'é'.repeat(64),
		'0'.repeat(1_000_000),
	])('refuses the header %j', (header) => {
		expect(isSignedBy(Buffer.from('a'), 's', header)).toBe(false);
		expect(isDigest(header)).toBe(false);
	});
});
