import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { serviceAddress } from './address';

/** Values of the node's `authentication` parameter. */
export type Authentication = 'accessToken' | 'jwt';

/** Which service is asked, and with which credential. */
export interface Access {
	authentication: Authentication;
	credentialType: 'documentExtractionApi' | 'documentExtractionJwtApi';
	/** Ends in `/api/v1`, without a slash. */
	baseUrl: string;
}

const CREDENTIAL_TYPES = {
	accessToken: 'documentExtractionApi',
	jwt: 'documentExtractionJwtApi',
} as const;

/**
 * Reads the address from the node's credential. The token stays with n8n, which adds it to the
 * request. Throws NodeOperationError where the address cannot be used.
 */
export async function accessOf(this: IExecuteFunctions, itemIndex: number): Promise<Access> {
	const authentication = this.getNodeParameter('authentication', itemIndex, 'accessToken');
	const chosen: Authentication = authentication === 'jwt' ? 'jwt' : 'accessToken';
	const credentialType = CREDENTIAL_TYPES[chosen];
	const { baseUrl } = await this.getCredentials(credentialType, itemIndex);
	const address = serviceAddress(baseUrl);
	if ('reason' in address) {
		throw new NodeOperationError(
			this.getNode(),
			`The address in the credential cannot be used: ${address.reason}`,
			{
				itemIndex,
				description:
					"Open the credential and enter the address of the service in 'Base URL', for example http://127.0.0.1:8787/api/v1",
			},
		);
	}
	return { authentication: chosen, credentialType, baseUrl: address.baseUrl };
}
