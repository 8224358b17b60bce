import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { mapperFields } from '../../shared/tools/mapperFields';
import { findTool } from '../../shared/tools/requests';
import { tokenAccessOf } from '../../shared/transport/access';
import { chosenTool } from '../actions/tool/fields';

/** The fields for the parameters of the chosen tool, out of its schema. */
export async function getToolFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const name = chosenTool.call(this);
	if (name === undefined) {
		return { fields: [], emptyFieldsNotice: "Choose a tool in 'Tool Name' first." };
	}
	const access = await tokenAccessOf.call(this);
	const tool = await findTool.call(this, access, name);
	if (tool === undefined) {
		return { fields: [], emptyFieldsNotice: `The service lists no tool '${name}'. Use JSON.` };
	}
	if (tool.parameters === undefined) {
		return {
			fields: [],
			emptyFieldsNotice: 'The service does not say which parameters this tool takes. Use JSON.',
		};
	}
	const fields = mapperFields(tool.parameters);
	return fields.length > 0
		? { fields }
		: { fields, emptyFieldsNotice: 'This tool takes no parameters.' };
}
