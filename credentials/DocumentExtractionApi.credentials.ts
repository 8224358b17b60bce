import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { refusedRequestTest } from '../nodes/shared/transport/credentialTest';

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

	/** Asks for an upload address without a file's name and type: refused, and nothing is created. */
	test: ICredentialTestRequest = refusedRequestTest('/agent/documents/upload-url', {
		notAccepted:
			"The service did not accept the access token. Check 'Access Token', or create a new one",
		notAllowed: "The service refuses this access token. Check what 'Access Token' may do",
	});
}
