import type { IExecuteFunctions } from 'n8n-workflow';

import { serviceAddress } from './address';
import type { RequestContext } from './context';
import { operationFailure } from './failures';

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
	const { baseUrl } = await this.getCredentials(CREDENTIAL_TYPES[chosen], itemIndex);
	return accessAt.call(this, chosen, baseUrl, itemIndex);
}

/** As `accessOf`, where there are no items and only the access token is of use. */
export async function tokenAccessOf(this: RequestContext): Promise<Access> {
	const { baseUrl } = await this.getCredentials(CREDENTIAL_TYPES.accessToken);
	return accessAt.call(this, 'accessToken', baseUrl);
}

function accessAt(
	this: RequestContext,
	authentication: Authentication,
	baseUrl: unknown,
	itemIndex?: number,
): Access {
	const address = serviceAddress(baseUrl);
	if ('reason' in address) {
		throw operationFailure(
			this.getNode(),
			`The address in the credential cannot be used: ${address.reason}`,
			{
				...(itemIndex === undefined ? {} : { itemIndex }),
				description:
					"Open the credential and enter the address of the service in 'Base URL', for example http://127.0.0.1:8787/api/v1",
			},
		);
	}
	const credentialType = CREDENTIAL_TYPES[authentication];
	return { authentication, credentialType, baseUrl: address.baseUrl };
}
