import { serviceAddress } from '../../nodes/shared/transport/address';

describe('address of the service', () => {
	it.each([
		['http://127.0.0.1:8787/api/v1', 'http://127.0.0.1:8787/api/v1'],
		['http://127.0.0.1:8787/api/v1/', 'http://127.0.0.1:8787/api/v1'],
		['http://127.0.0.1:8787/api/v1///', 'http://127.0.0.1:8787/api/v1'],
		['http://127.0.0.1:8787', 'http://127.0.0.1:8787/api/v1'],
		['http://127.0.0.1:8787/', 'http://127.0.0.1:8787/api/v1'],
		['http://127.0.0.1:8787/api', 'http://127.0.0.1:8787/api/v1'],
		['  https://example.com/extraction/  ', 'https://example.com/extraction/api/v1'],
		['HTTPS://Example.com/api/v1', 'https://example.com/api/v1'],
		['http://[::1]:8787', 'http://[::1]:8787/api/v1'],
	])('reads "%s"', (entered, baseUrl) => {
		expect(serviceAddress(entered)).toEqual({ baseUrl });
	});

	it.each([
		['', 'is empty'],
		['   ', 'is empty'],
		[undefined, 'is empty'],
		[7, 'is empty'],
		['127.0.0.1:8787', 'http:// or https://'],
		['localhost:8787/api/v1', 'http:// or https://'],
		['ftp://example.com', 'http:// or https://'],
		['http://', 'not a valid address'],
		['http://exa mple.com', 'not a valid address'],
		['https://example.com/api/v2', 'ends in v2'],
		['https://example.com/api/v1?x=1', 'may not contain ?'],
		['https://example.com/api/v1#x', 'may not contain ?'],
		['https://user:hidden@example.com', 'user name or password'],
	])('refuses "%s"', (entered, reason) => {
		const result = serviceAddress(entered);
		expect(result).toEqual({ reason: expect.stringContaining(reason) });
		expect(JSON.stringify(result)).not.toContain('hidden');
	});
});
