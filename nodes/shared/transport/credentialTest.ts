import type { ICredentialTestRequest } from 'n8n-workflow';

/**
 * Every status but the expected refusal (400) ends the test. A list, because n8n can only be told
 * which statuses count as a failure, and because a 200 is one of them here.
 */
const UNEXPECTED_STATUSES = [
	200, 201, 202, 204, 301, 302, 303, 307, 308, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411,
	413, 415, 418, 421, 426, 429, 451, 500, 501, 502, 503, 504, 505, 520, 521, 522, 523, 524, 525,
	526, 530,
];
const ANSWERS_OF_OTHER_SERVERS = [200, 201, 202, 204, 301, 302, 303, 307, 308, 404, 405];

const NOT_THIS_SERVICE =
	"The server at 'Base URL' is not a document extraction service. Check the address, which ends in /api/v1";

/**
 * The test request of a credential: asks the service to create something and leaves out what that
 * needs. The service refuses it with 400 as a JSON object (section 7) once it has accepted the
 * credential, and creates nothing. A wrong credential gets 401. A server that is not this service
 * answers 200, 404, or with a web page.
 */
export function refusedRequestTest(
	url: string,
	texts: { notAccepted: string; notAllowed: string },
): ICredentialTestRequest {
	return {
		request: {
			method: 'POST',
			baseURL:
				"={{ $credentials.baseUrl.trim().replace(/\\/+$/, '').replace(/(\\/api(\\/v1)?)?$/, '/api/v1') }}",
			url,
			headers: { Accept: 'application/json' },
			body: { credentialTest: true },
			json: true,
			timeout: 20_000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: UNEXPECTED_STATUSES },
		},
		rules: [
			{ type: 'responseCode', properties: { value: 401, message: texts.notAccepted } },
			{ type: 'responseCode', properties: { value: 403, message: texts.notAllowed } },
			...ANSWERS_OF_OTHER_SERVERS.map((value) => ({
				type: 'responseCode',
				properties: { value, message: NOT_THIS_SERVICE },
			})),
			// A web page is text, and so is an empty answer; the service answers with a JSON object.
			{
				type: 'responseSuccessBody',
				properties: { key: 'constructor', value: String, message: NOT_THIS_SERVICE },
			},
			{
				type: 'responseSuccessBody',
				properties: { key: 'constructor', value: undefined, message: NOT_THIS_SERVICE },
			},
		] as ICredentialTestRequest['rules'],
	};
}
