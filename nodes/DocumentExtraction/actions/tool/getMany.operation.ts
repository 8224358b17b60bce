import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { listTools } from '../../../shared/tools/requests';
import { accessOf } from '../../../shared/transport/access';
import { limitFields, limitOf } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['tool'], operation: ['getMany'] } },
	limitFields,
);

/** GET /agent/mcp/tools: the tools of the service, under the same names wherever they come from. */
async function getMany(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const limit = limitOf.call(this, itemIndex);
	const tools = await listTools.call(this, access, { itemIndex });
	return tools
		.slice(0, limit)
		.map(({ name, description: about, inputSchema = null }) =>
			recordToItem({ name, description: about, inputSchema }, itemIndex),
		);
}

export const execute = perItem(getMany);
