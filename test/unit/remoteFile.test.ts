import { remoteFileName } from '../../nodes/shared/transport/openAddress';

describe('name of a file at an address', () => {
	it.each([
		['attachment; filename="march.pdf"', 'https://x/y', 'march.pdf'],
		['attachment; filename=march.pdf; size=1', 'https://x/y', 'march.pdf'],
		['attachment; filename="a.pdf"; filename*=UTF-8\'\'m%C3%A4rz.pdf', 'https://x/y', 'märz.pdf'],
		['inline', 'https://x/files/my%20file.pdf?token=1', 'my file.pdf'],
		[undefined, 'https://x/100%25.pdf', '100%.pdf'],
		[undefined, 'https://x/a%E0%A4%A.pdf', 'a%E0%A4%A.pdf'],
		[undefined, 'https://x/', undefined],
	])('%s at %s is %s', (disposition, url, expected) => {
		expect(remoteFileName(disposition, url)).toBe(expected);
	});
});
