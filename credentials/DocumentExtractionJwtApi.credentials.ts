import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { refusedRequestTest } from '../nodes/shared/transport/credentialTest';

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

	/** Asks for a job without documents: refused, and nothing is created. */
	test: ICredentialTestRequest = refusedRequestTest('/protected/job', {
		notAccepted: "The service did not accept the JWT. Check 'JWT'; it may have expired",
		notAllowed: "The service refuses this JWT. Check what 'JWT' may do",
	});
}
