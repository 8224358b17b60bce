import type { IExecuteFunctions, ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';

import { operationFailure } from '../../../shared/transport/failures';

export const toolNameField: INodeProperties = {
	displayName: 'Tool Name',
	name: 'toolName',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The tool, as the service lists it',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTools', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. get_job_status',
		},
	],
};

function isName(name: string): boolean {
	return name !== '' && !/[\s/?#\\]/.test(name) && !/^\.+$/.test(name);
}

/** The tool's name. Throws NodeOperationError where it is empty or could not be part of a path. */
export function toolNameOf(this: IExecuteFunctions, itemIndex: number): string {
	const value: unknown = this.getNodeParameter('toolName', itemIndex, '', { extractValue: true });
	const name = typeof value === 'string' ? value.trim() : '';
	if (isName(name)) return name;
	throw operationFailure(
		this.getNode(),
		name === '' ? "No tool is chosen in 'Tool Name'" : "The name in 'Tool Name' is not valid",
		{ itemIndex, description: "Choose a tool in 'Tool Name'. Tool: Get Many lists them" },
	);
}

/** The chosen tool while the panel is open; undefined where it is not known before the run. */
export function chosenTool(this: ILoadOptionsFunctions): string | undefined {
	let value: unknown;
	try {
		value = this.getNodeParameter('toolName', '', { extractValue: true });
	} catch {
		// An expression about nodes that have not run yet.
		return undefined;
	}
	const name = typeof value === 'string' ? value.trim() : '';
	return isName(name) && !name.startsWith('=') ? name : undefined;
}
