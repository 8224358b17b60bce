import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { deliver } from './deliver/deliver';
import { getEvents } from '../shared/webhooks/eventOptions';
import { fields } from './fields';
import { checkExists } from './lifecycle/checkExists';
import { create } from './lifecycle/create';
import { remove } from './lifecycle/remove';
import { receive } from './receive/receive';

export class DocumentExtractionTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Document Extraction Trigger',
		name: 'documentExtractionTrigger',
		icon: {
			light: 'file:../../icons/documentExtraction.svg',
			dark: 'file:../../icons/documentExtraction.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when a document has been extracted, or could not be',
		defaults: {
			name: 'Document Extraction Trigger',
		},
		eventTriggerDescription: 'Waiting for a delivery of the service',
		activationMessage:
			'The service now delivers to this workflow. Upload a document, or send a sample with Webhook: Send Test.',
		triggerPanel: {
			header: 'Receive deliveries of the service',
			executionsHelp: {
				inactive:
					"<b>While building</b>, click 'Execute step': n8n listens for one test event. A webhook of its own is registered for that and removed afterwards. Upload a document, or send a sample with the action node (Webhook: Send Test). The service has to reach your n8n.<br /><br /><b>When it works</b>, activate the workflow. Then every event runs it once, and its secret, repeats and removal are taken care of.",
				active:
					"<b>This workflow is active</b>: every event runs it, which shows in the list of executions.<br /><br /><b>While building</b>, click 'Execute step': the test has a webhook of its own, so the active workflow goes on and both get the next event.",
			},
			activationHint:
				'Activate the workflow to receive every event. It registers one webhook, and deactivating removes it.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documentExtractionApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Otherwise n8n answers with a text of its own.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: fields,
	};

	methods = { loadOptions: { getEvents } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkExists.call(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await create.call(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await remove.call(this);
			},
		},
	};

	/**
	 * Receives nothing. n8n looks after the webhooks of a published workflow only when they change,
	 * but sets up nodes with this function each time it starts, their webhooks included: checkExists
	 * then mends what has happened to the webhook meanwhile.
	 */
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return {};
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive.call(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await deliver.call(this);
	}
}
