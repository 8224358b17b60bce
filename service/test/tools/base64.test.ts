import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Base64Error, decodeBase64 } from '../../src/tools/base64.ts';

const decode = (text: string): Buffer => Buffer.concat([...decodeBase64(text)]);

describe('base64', () => {
	it('gives every file back, with white space anywhere', () => {
		const whiteSpace = fc.array(fc.tuple(fc.nat(300), fc.constantFrom(' ', '\n', '\r\n', '\t')), {
			maxLength: 5,
		});
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), whiteSpace, (bytes, spaces) => {
				let text = Buffer.from(bytes).toString('base64');
				for (const [at, space] of spaces) text = text.slice(0, at) + space + text.slice(at);
				assert.deepEqual(decode(text), Buffer.from(bytes));
			}),
		);
	});

	it('gives files of every length around its pieces back', () => {
		for (let length = 3 * 16 * 1024 - 4; length < 3 * 16 * 1024 + 4; length++) {
			const bytes = Buffer.alloc(length, 'piece');
			assert.deepEqual(decode(bytes.toString('base64')), bytes);
			assert.deepEqual(decode(`\n ${bytes.toString('base64')}\n`), bytes);
		}
	});

	it('refuses whatever Node would read in another way', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
				let bytes: Buffer;
				try {
					bytes = decode(text);
				} catch (error) {
					assert.ok(error instanceof Base64Error);
					return;
				}
				assert.equal(bytes.toString('base64'), text.replaceAll(/[ \t\r\n]/g, ''));
			}),
			{ numRuns: 2000 },
		);
	});

	it('says what is wrong with a text', () => {
		for (const [text, message] of [
			['QUJD!', /do not belong/],
			['QUJDé', /do not belong/],
			['QUI', /cut off/],
			['QUI==', /cut off/],
			['QQ=', /cut off/],
			['QUJD=', /cut off/],
			['====', /no padding/],
			['QR==', /cut off/],
			['QQ==QUJD', /no padding/],
			['-_-_', /base64url/],
			['data:application/pdf;base64,QUJD', /up to the comma/],
			['QUJD\u00a0', /do not belong/],
		] as const) {
			assert.throws(() => decode(text), { name: 'Base64Error', message }, text);
		}
	});

	it('is quick with a text of white space or padding alone', () => {
		const begun = performance.now();
		assert.equal(decode(' '.repeat(8 * 1024 * 1024)).length, 0);
		assert.throws(() => decode('='.repeat(8 * 1024 * 1024)), Base64Error);
		assert.ok(performance.now() - begun < 5000);
	});
});
