import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { searchProjects } from '../shared/projects/search';
import { fields } from './fields';
import { poll } from './poll';

export class DocumentExtractionProjectTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Document Extraction Project Trigger',
		name: 'documentExtractionProjectTrigger',
		icon: {
			light: 'file:../../icons/documentExtraction.svg',
			dark: 'file:../../icons/documentExtraction.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["triggerOn"].join(", ") }}',
		description:
			'Starts the workflow when documents of a project are new or finished, by asking the service regularly',
		defaults: {
			name: 'Document Extraction Project Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documentExtractionApi', required: true }],
		properties: fields,
	};

	methods = { listSearch: { searchProjects } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll.call(this);
	}
}
