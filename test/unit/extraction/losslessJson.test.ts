import fc from 'fast-check';
import { losesDigits, parseJsonExactly } from '../../../nodes/shared/extraction/losslessJson';

describe('parseJsonExactly', () => {
	it.each([
		['a number beyond 2^53', '{"amount":12345678901234567.89}', { amount: '12345678901234567.89' }],
		['a long id', '{"id":9007199254740993}', { id: '9007199254740993' }],
		['the largest exact integer', '{"id":9007199254740992}', { id: 9007199254740992 }],
		['many digits after the point', '[0.12345678901234567890]', ['0.12345678901234567890']],
		['long but exact', '[0.5000000000000000000000]', [0.5]],
		['beyond the range of a double', '[1e400]', ['1e400']],
		['too small for a double', '[1e-400]', ['1e-400']],
		['an exponent that fits', '[1.5E3, 2e-2]', [1500, 0.02]],
		[
			'a negative number with space',
			'{"a": -12345678901234567890 }',
			{ a: '-12345678901234567890' },
		],
		['a number after a line break', '[\n\t12345678901234567890\r\n]', ['12345678901234567890']],
		['a number that is the whole text', ' 12345678901234567890 ', '12345678901234567890'],
		['a small number that is the whole text', '12.50', 12.5],
		[
			'digits in text',
			'{"memo":"REF: 12345678901234567890, x"}',
			{ memo: 'REF: 12345678901234567890, x' },
		],
		[
			'digits in text beside a long number',
			'{"memo":"a \\"[12345678901234567890,\\\\","n":12345678901234567890}',
			{ memo: 'a "[12345678901234567890,\\', n: '12345678901234567890' },
		],
		['digits in a name', '{"12345678901234567890":1.0}', { '12345678901234567890': 1 }],
		['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
	])('keeps %s', (_what, text, expected) => {
		expect(parseJsonExactly(text)).toEqual(expected);
	});

	it('leaves text amounts as they are', () => {
		expect(parseJsonExactly('{"amount":"12.50"}')).toEqual({ amount: '12.50' });
	});

	it.each(['', '{', '[012345678901234567890]', '{12345678901234567890:1}', 'abc', '[1e400'])(
		'refuses %p',
		(text) => {
			expect(() => parseJsonExactly(text)).toThrow(SyntaxError);
		},
	);

	it('gives what JSON.parse gives where no number is too long', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(parseJsonExactly(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	// An independent way to the same result: the source text that a reviver is given. It is slower.
	const literal = fc.oneof(
		fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})$/),
		fc.stringMatching(/^-?(?:0|[1-9]\d{0,18})\.\d{1,18}$/),
		fc.stringMatching(/^-?(?:0|[1-9]\d{0,3})(?:\.\d{1,3})?[eE][+-]?\d{1,3}$/),
	);
	const { tree } = fc.letrec<{ tree: string }>((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 4 },
			literal,
			fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
			fc.stringMatching(/^[\d.,:[\] "\\-]*$/).map((text) => JSON.stringify(text)),
			fc.constantFrom('true', 'false', 'null'),
			fc.array(tie('tree')).map((parts) => `[ ${parts.join(' , ')}]`),
			fc
				.array(fc.tuple(fc.string(), tie('tree')))
				.map((parts) => `{${parts.map(([k, v]) => `${JSON.stringify(k)} :${v}`).join(',')} }`),
		),
	}));

	it('agrees with a reviver that sees the source of every number', () => {
		const reviver = (_name: string, value: unknown, context?: { source?: string }): unknown =>
			typeof value === 'number' && context?.source !== undefined && losesDigits(context.source)
				? context.source
				: value;
		fc.assert(
			fc.property(tree, (text) => {
				expect(parseJsonExactly(text)).toEqual(JSON.parse(text, reviver));
			}),
			{ numRuns: 1000 },
		);
	});

	it('takes linear time on hostile text', () => {
		const hostile = [
			`["${'\\\\'.repeat(1_000_000)}",12345678901234567890]`,
			`[1${'0'.repeat(300_000)}1]`,
			`[${'1,'.repeat(500_000)}12345678901234567890]`,
			`[${' '.repeat(1_000_000)}12345678901234567890]`,
		];
		const start = performance.now();
		for (const text of hostile) parseJsonExactly(text);
		expect(performance.now() - start).toBeLessThan(10_000);
	});
});

describe('losesDigits', () => {
	it('is false for whatever a double prints', () => {
		const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
		fc.assert(fc.property(doubles, (value) => expect(losesDigits(String(value))).toBe(false)));
	});

	it('is true for more digits than a double has', () => {
		const digits = fc.stringMatching(/^[1-9]\d{17,30}[1-9]$/);
		fc.assert(fc.property(digits, (text) => expect(losesDigits(text)).toBe(true)));
	});

	it('does not mind zeros that carry no value', () => {
		for (const text of ['12.50', '-0', '0.000', '100000000000000000000', '1.0E2', '0e5']) {
			expect([text, losesDigits(text)]).toEqual([text, false]);
		}
	});
});
