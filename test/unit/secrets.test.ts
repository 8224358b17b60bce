import { withoutSecrets } from '../../nodes/shared/transport/secrets';

describe('texts without secrets', () => {
	it.each([
		['Bearer abc.def-ghi failed', 'Bearer *** failed'],
		[`token dex_pat_${'A1_-'.repeat(10)} is bad`, 'token *** is bad'],
		['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln here', 'jwt *** here'],
		[
			'PUT http://host/storage/k?expires=1&signature=deadbeef&x=1',
			'PUT http://host/storage/k?expires=1&signature=***&x=1',
		],
		[
			'https://s3/x?X-Amz-Credential=AKIA%2F1&X-Amz-Signature=ff00&X-Amz-Date=1',
			'https://s3/x?X-Amz-Credential=***&X-Amz-Signature=***&X-Amz-Date=1',
		],
		['The job 17 was not found', 'The job 17 was not found'],
	])('%s', (text, expected) => {
		expect(withoutSecrets(text)).toBe(expected);
	});
});
