import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

/**
 * Every answer but the expected one ends the test. A list, because n8n can only be told which
 * statuses count as a failure, and because a 200 is one of them here.
 */
const UNEXPECTED_STATUSES = [
	200, 201, 202, 204, 301, 302, 303, 307, 308, 401, 402, 403, 405, 406, 408, 409, 410, 411, 413,
	415, 418, 421, 426, 429, 451, 500, 501, 502, 503, 504, 505, 520, 521, 522, 523, 524, 525, 526,
	530,
];

const NOT_THIS_SERVICE =
	"The server at 'Base URL' is not a document extraction service. Check the address, which ends in /api/v1";

/**
 * What other servers say about an address that they do not have. The service has the address of
 * the test and only lacks the job, so it says something else.
 */
const UNKNOWN_ADDRESS: Array<[key: string, value: string]> = [
	// n8n itself: its address is the one that is pasted by mistake most easily.
	['message', 'not found'],
	['message', 'Cannot GET /api/v1/protected/job/0'],
	['message', 'Route GET:/api/v1/protected/job/0 not found'],
	['path', '/api/v1/protected/job/0'],
	['detail', 'Not Found'],
	// The local service, below a path that is not its own.
	['error.message', 'There is no such address.'],
];

/** Bearer token in JWT format, for the legacy surface (section 5 of the interface). */
export class DocumentExtractionJwtApi implements ICredentialType {
	name = 'documentExtractionJwtApi';

	displayName = 'Document Extraction JWT API';

	icon: Icon = {
		light: 'file:../icons/documentExtraction.svg',
		dark: 'file:../icons/documentExtraction.dark.svg',
	};

	documentationUrl =
		'https://github.com/document-extraction/n8n-nodes-document-extraction#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'http://127.0.0.1:8787/api/v1',
			required: true,
			placeholder: 'e.g. https://extraction.example.com/api/v1',
			description: 'Address of the service, with the version. /api/v1 is added when it is missing.',
		},
		{
			displayName: 'JWT',
			name: 'jwtToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'API key in JWT format. The local service writes one to credentials.json in its data folder.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				Authorization: '=Bearer {{ $credentials.jwtToken.trim() }}',
			},
		},
	};

	/**
	 * Asks for a job that does not exist. With a valid token the service answers 404 as a JSON object
	 * (sections 4.1 and 7); a wrong token gets 401. Nothing on this surface answers 200 without the
	 * id of a document or job.
	 */
	test: ICredentialTestRequest = {
		request: {
			method: 'GET',
			baseURL:
				"={{ $credentials.baseUrl.trim().replace(/\\/+$/, '').replace(/(\\/api(\\/v1)?)?$/, '/api/v1') }}",
			url: '/protected/job/0',
			headers: { Accept: 'application/json' },
			json: true,
			timeout: 20_000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: UNEXPECTED_STATUSES },
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message: "The service did not accept the JWT. Check 'JWT'; it may have expired",
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: "The service refuses this JWT. Check what 'JWT' may do",
				},
			},
			...[200, 201, 202, 204, 301, 302, 303, 307, 308, 405].map((value) => ({
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
			...UNKNOWN_ADDRESS.map(([key, value]) => ({
				type: 'responseSuccessBody',
				properties: { key, value, message: NOT_THIS_SERVICE },
			})),
		] as ICredentialTestRequest['rules'],
	};
}
