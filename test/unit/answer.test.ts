import { bodyOf, isWebPage, refusalOf } from '../../nodes/shared/transport/answer';

const answer = (body: unknown) => ({
	status: 400,
	headers: {},
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('error bodies', () => {
	it.each<[unknown, object]>([
		[
			{ error: { code: 'invalid_request', message: 'is missing', field: 'mimetype' } },
			{ code: 'invalid_request', message: 'is missing', field: 'mimetype' },
		],
		[{ message: 'no', error: 'Bad Request', details: {} }, { message: 'no' }],
		[{ error: 'only text' }, { message: 'only text' }],
		[{ errors: [{ message: 'first' }, { message: 'second' }] }, { message: 'first' }],
		[{ errors: ['plain'] }, { message: 'plain' }],
		[{ detail: 'as problem+json', title: 'Bad' }, { message: 'as problem+json' }],
		[
			{ code: 1042, message: 'x' },
			{ code: '1042', message: 'x' },
		],
		['"a JSON text"', { message: 'a JSON text' }],
		['plain text', { message: 'plain text' }],
		['', {}],
		['null', { message: 'null' }],
		['[]', { message: '[]' }],
		['<html><body>Bad Gateway</body></html>', {}],
		[
			'<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
			{ code: 'AccessDenied', message: 'Request has expired' },
		],
		[{}, {}],
		[{ error: null, message: null }, {}],
	])('%j', (body, expected) => {
		const { code, message, field } = refusalOf(answer(body));
		const given = Object.entries({ code, message, field }).filter(
			([, value]) => value !== undefined,
		);
		expect(Object.fromEntries(given)).toEqual(expected);
	});

	it('shortens long texts and leaves secrets out', () => {
		const token = `dex_pat_${'a'.repeat(43)}`;
		const { message } = refusalOf(answer({ message: `bad ${token} ${'x'.repeat(900)}` }));
		expect(message).not.toContain(token);
		expect(message!.length).toBeLessThan(450);
	});

	it('tells a web page from data', () => {
		expect(isWebPage(answer('\n <!DOCTYPE html><p>'))).toBe(true);
		expect(isWebPage(answer('{"a":"<html>"}'))).toBe(false);
	});

	it('reads bodies without losing digits', () => {
		expect(bodyOf(answer('{"id":12345678901234567890}'))).toEqual({ id: '12345678901234567890' });
		expect(bodyOf(answer('not JSON'))).toBeUndefined();
	});
});
