import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

/**
 * Every answer but the expected refusal ends the test. A list, because n8n can only be told which
 * statuses count as a failure, and because a 200 is one of them here.
 */
const UNEXPECTED_STATUSES = [
	200, 201, 202, 204, 301, 302, 303, 307, 308, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411,
	413, 415, 418, 421, 426, 429, 451, 500, 501, 502, 503, 504, 505, 520, 521, 522, 523, 524, 525,
	526, 530,
];

const NOT_THIS_SERVICE =
	"The server at 'Base URL' is not a document extraction service. Check the address, which ends in /api/v1";

/** Personal access token of the agent surface (section 5 of the interface). */
export class DocumentExtractionApi implements ICredentialType {
	name = 'documentExtractionApi';

	displayName = 'Document Extraction API';

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
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Personal access token. The service shows it once, when it is created; the local service writes it to credentials.json in its data folder.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				Authorization: '=Bearer {{ $credentials.accessToken.trim() }}',
			},
		},
	};

	/**
	 * Asks for an upload address and leaves out the file's name and type. The service refuses that
	 * with 400 (section 7) once it has accepted the token, and creates nothing. A wrong token gets
	 * 401; a server that is not this service answers 200, 404, or with a web page.
	 */
	test: ICredentialTestRequest = {
		request: {
			method: 'POST',
			baseURL:
				"={{ $credentials.baseUrl.trim().replace(/\\/+$/, '').replace(/(\\/api(\\/v1)?)?$/, '/api/v1') }}",
			url: '/agent/documents/upload-url',
			headers: { Accept: 'application/json' },
			body: { credentialTest: true },
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
					message:
						"The service did not accept the access token. Check 'Access Token', or create a new one",
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: "The service refuses this access token. Check what 'Access Token' may do",
				},
			},
			...[200, 201, 202, 204, 301, 302, 303, 307, 308, 404, 405].map((value) => ({
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
