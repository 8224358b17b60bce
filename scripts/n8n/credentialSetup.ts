import type { ServiceCredentials } from '../service/serviceServer.ts';
import type { N8nClient, StoredCredential } from './n8nClient.ts';

/** The names under which the example workflows look for their credentials. */
export const credentialNames = {
	accessToken: 'Document Extraction account',
	jwt: 'Document Extraction JWT account',
} as const;

/** Puts both credentials of the service into n8n, or renews the ones that are there. */
export const saveServiceCredentials = async (
	n8n: N8nClient,
	service: ServiceCredentials,
): Promise<{ accessToken: StoredCredential; jwt: StoredCredential }> => ({
	accessToken: await n8n.saveCredential({
		name: credentialNames.accessToken,
		type: 'documentExtractionApi',
		data: { baseUrl: service.baseUrl, accessToken: service.accessToken },
	}),
	jwt: await n8n.saveCredential({
		name: credentialNames.jwt,
		type: 'documentExtractionJwtApi',
		data: { baseUrl: service.baseUrl, jwtToken: service.jwt },
	}),
});
