import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';

export type Authentication = 'accessToken' | 'jwt';

/** An operation that the node's panel offers for a credential. */
export interface Offer {
	authentication: Authentication;
	resource: string;
	operation: string;
}

export function nameOf({ authentication, resource, operation }: Offer): string {
	return `${resource}:${operation} (${authentication})`;
}

/** The values of a list of the panel, as it is with these settings. */
function choices(
	description: INodeTypeDescription,
	name: string,
	settings: INodeParameters,
): string[] {
	const node: Pick<INode, 'typeVersion'> = { typeVersion: 1 };
	return description.properties
		.filter((property) => property.name === name)
		.filter((property) => NodeHelpers.displayParameter(settings, property, node, description))
		.flatMap(({ options = [] }) =>
			options.flatMap((option) => ('value' in option ? [String(option.value)] : [])),
		);
}

/** Every operation that the panel offers, asked as n8n asks it. */
export function offeredOperations(description: INodeTypeDescription): Offer[] {
	return choices(description, 'authentication', {}).flatMap((value) => {
		const authentication = value as Authentication;
		return choices(description, 'resource', { authentication }).flatMap((resource) =>
			choices(description, 'operation', { authentication, resource }).map((operation) => ({
				authentication,
				resource,
				operation,
			})),
		);
	});
}
