import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** The values that n8n gives a node with these choices, and the fields that its panel shows. */
export function panelOf(
	description: INodeTypeDescription,
	choices: INodeParameters,
): { values: INodeParameters; fields: INodeProperties[] } {
	const { properties } = description;
	const version = { typeVersion: 1 };
	const values = NodeHelpers.getNodeParameters(
		properties,
		choices,
		true,
		false,
		version,
		description,
	);
	if (values === null) throw new Error('n8n takes no such parameters');
	const fields = properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, version, description),
	);
	return { values, fields };
}
