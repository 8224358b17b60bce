import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { getEvents } from '../shared/webhooks/eventOptions';
import { searchProjects } from '../shared/projects/search';
import * as document from './actions/document/Document.resource';
import * as fraud from './actions/fraud/Fraud.resource';
import * as job from './actions/job/Job.resource';
import * as project from './actions/project/Project.resource';
import { router } from './actions/router';
import * as tool from './actions/tool/Tool.resource';
import * as webhook from './actions/webhook/Webhook.resource';
import { searchDocuments, searchTools, searchWebhooks } from './methods/listSearch';
import { getToolFields } from './methods/resourceMapping';

export class DocumentExtraction implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Document Extraction',
		name: 'documentExtraction',
		icon: {
			light: 'file:../../icons/documentExtraction.svg',
			dark: 'file:../../icons/documentExtraction.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Turn bank statements, checks, invoices and tax forms into rows',
		defaults: {
			name: 'Document Extraction',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'documentExtractionApi',
				required: true,
				displayOptions: { show: { authentication: ['accessToken'] } },
			},
			{
				name: 'documentExtractionJwtApi',
				required: true,
				displayOptions: { show: { authentication: ['jwt'] } },
			},
		],
		properties: [
			{
				displayName: 'Authentication',
				name: 'authentication',
				type: 'options',
				default: 'accessToken',
				options: [
					{ name: 'Access Token', value: 'accessToken' },
					{
						name: 'JWT',
						value: 'jwt',
						description:
							'For documents, jobs and exports of the legacy surface, and for fraud signals',
					},
				],
			},
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { authentication: ['accessToken'] } },
				default: 'document',
				options: [
					{ name: 'Document', value: 'document' },
					{ name: 'Job', value: 'job' },
					{ name: 'Project', value: 'project' },
					{ name: 'Tool', value: 'tool' },
					{ name: 'Webhook', value: 'webhook' },
				],
			},
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { authentication: ['jwt'] } },
				default: 'document',
				options: [
					{ name: 'Document', value: 'document' },
					{ name: 'Fraud', value: 'fraud' },
					{ name: 'Job', value: 'job' },
				],
			},
			...document.description,
			...fraud.description,
			...job.description,
			...project.description,
			...tool.description,
			...webhook.description,
		],
	};

	methods = {
		listSearch: { searchDocuments, searchProjects, searchTools, searchWebhooks },
		loadOptions: { getEvents },
		resourceMapping: { getToolFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await router.call(this);
	}
}
