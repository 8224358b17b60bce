import { retryAfterMs } from '../../nodes/shared/transport/retryAfter';

const NOW = Date.parse('2026-03-04T12:00:00Z');

describe('Retry-After', () => {
	it.each([
		[{ 'retry-after': '7' }, 7000],
		[{ 'Retry-After': '0' }, 0],
		[{ 'retry-after': ' 1.5 ' }, 1500],
		[{ 'retry-after': 3 }, 3000],
		[{ 'retry-after': ['4', '9'] }, 4000],
		[{ 'retry-after': 'Wed, 04 Mar 2026 12:00:20 GMT' }, 20_000],
		[{ 'retry-after': 'Wed, 04 Mar 2026 11:00:00 GMT' }, 0],
		[{ 'retry-after': 'soon' }, undefined],
		[{ 'retry-after': '-5' }, undefined],
		[{ 'retry-after': '' }, undefined],
		[{ 'retry-after': 'Wednesday' }, undefined],
		[{}, undefined],
		[undefined, undefined],
	])('%j is %s ms', (headers, expected) => {
		expect(retryAfterMs(headers, NOW)).toBe(expected);
	});
});
