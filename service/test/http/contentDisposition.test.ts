import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attachment } from '../../src/http/contentDisposition.ts';

/** Reads the name back as RFC 6266 and RFC 8187 say. */
function nameIn(header: string): string {
	const extended = /; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(header)?.[1];
	if (extended !== undefined) return decodeURIComponent(extended);
	return /^attachment; filename="([^"\\]*)"$/.exec(header)?.[1] ?? assert.fail(header);
}

describe('Content-Disposition', () => {
	it('keeps a plain name as it is', () => {
		assert.equal(attachment('May 2026.pdf'), 'attachment; filename="May 2026.pdf"');
	});

	it('gives other names in ASCII and in UTF-8', () => {
		assert.equal(
			attachment("Auszug 'März'.pdf"),
			`attachment; filename="Auszug 'M_rz'.pdf"; filename*=UTF-8''Auszug%20%27M%C3%A4rz%27.pdf`,
		);
	});

	it('cannot be left by any name, and is always a valid header', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
				const header = attachment(name);
				validateHeaderValue('content-disposition', header);
				assert.match(header, /^[ -~]*$/);
				assert.match(header, /^attachment; filename="[^"\\]*"(; filename\*=UTF-8''\S*)?$/);
				const expected = name.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_');
				if (expected !== '') assert.equal(nameIn(header), expected);
			}),
			{ numRuns: 2000 },
		);
		for (const name of ['a"; filename="b', 'a\r\nSet-Cookie: x', '..\\..\\a', '../a', '\ud800']) {
			assert.doesNotMatch(attachment(name), /[\r\n\\/]|""|filename="a";/);
		}
	});
});
