import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { listProjects } from '../../../shared/projects/requests';
import { accessOf } from '../../../shared/transport/access';
import { limitFields, limitOf } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['project'], operation: ['getMany'] } },
	limitFields,
);

/** GET /agent/projects: the projects that the token can read, with their parent folders. */
async function getMany(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const limit = limitOf.call(this, itemIndex);
	const projects = await listProjects.call(this, access, { itemIndex });
	return projects
		.slice(0, limit)
		.map(({ id, record }) => recordToItem({ ...record, projectId: id }, itemIndex));
}

export const execute = perItem(getMany);
