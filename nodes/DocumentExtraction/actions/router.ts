import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import * as document from './document/Document.resource';
import * as fraud from './fraud/Fraud.resource';
import * as job from './job/Job.resource';
import { asThrown, errorItem, isCancelled, isTool, NOTHING_FOUND, type Operation } from './outcome';
import * as project from './project/Project.resource';
import * as tool from './tool/Tool.resource';
import * as webhook from './webhook/Webhook.resource';

const OPERATIONS: Record<string, Record<string, Operation>> = {
	document: {
		download: document.download.execute,
		extract: document.extract.execute,
		get: document.get.execute,
		getData: document.getData.execute,
		getTransactions: document.getTransactions.execute,
		upload: document.upload.execute,
	},
	fraud: {
		getManySignals: fraud.getManySignals.execute,
		getScore: fraud.getScore.execute,
	},
	job: {
		create: job.create.execute,
		export: job.exportJob.execute,
		get: job.get.execute,
		getData: job.getData.execute,
		getTransactions: job.getTransactions.execute,
		wait: job.wait.execute,
	},
	project: {
		getDocuments: project.getDocuments.execute,
		getMany: project.getMany.execute,
	},
	tool: {
		getMany: tool.getMany.execute,
		run: tool.run.execute,
	},
	webhook: {
		create: webhook.create.execute,
		delete: webhook.deleteWebhook.execute,
		get: webhook.get.execute,
		getDeliveries: webhook.getDeliveries.execute,
		getEventNames: webhook.getEventNames.execute,
		getMany: webhook.getMany.execute,
		recoverMissedDeliveries: webhook.recoverMissedDeliveries.execute,
		regenerateSecret: webhook.regenerateSecret.execute,
		retryDelivery: webhook.retryDelivery.execute,
		sendTest: webhook.sendTest.execute,
		update: webhook.update.execute,
	},
};

/** The legacy surface alone has them (sections 1 and 4.1). */
const RESOURCES_WITH_JWT_ONLY = new Set(['fraud']);
const OPERATIONS_WITH_JWT_ONLY = new Set([
	'document:download',
	'fraud:getManySignals',
	'fraud:getScore',
	'job:export',
]);
/** What a JWT reaches: an upload and a job are the same on both surfaces. */
const OPERATIONS_WITH_JWT = new Set([
	...OPERATIONS_WITH_JWT_ONLY,
	'document:upload',
	'job:create',
	'job:get',
	'job:wait',
]);

/** Runs the chosen operation. Throws the first failure, or gives an item for each one. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = this.getNodeParameter('resource', 0);
	// Empty where n8n hides all operations of the resource from the authentication.
	const name = this.getNodeParameter('operation', 0, '') as string;
	const authentication = this.getNodeParameter('authentication', 0, 'accessToken');
	const needsJwt =
		RESOURCES_WITH_JWT_ONLY.has(resource) || OPERATIONS_WITH_JWT_ONLY.has(`${resource}:${name}`);
	if (authentication !== 'jwt' && needsJwt) {
		throw new NodeOperationError(this.getNode(), 'This operation needs a JWT', {
			description:
				"The service offers downloads, exports and fraud signals for a JWT only. Choose 'JWT' in 'Authentication', and a credential of the type 'Document Extraction JWT API'",
		});
	}
	const operation = OPERATIONS[resource]?.[name];
	if (operation === undefined) {
		throw new NodeOperationError(this.getNode(), 'The node has no such operation', {
			description: "Choose a 'Resource' and an 'Operation' in the node",
		});
	}
	if (authentication === 'jwt' && !OPERATIONS_WITH_JWT.has(`${resource}:${name}`)) {
		throw new NodeOperationError(this.getNode(), 'This operation needs an access token', {
			description:
				"With a JWT the node can upload and download documents, create, get, export and wait for jobs, and read fraud signals. For everything else choose 'Access Token' in 'Authentication'",
		});
	}
	const outcomes = await operation.call(
		this,
		this.getInputData().map((_item, itemIndex) => itemIndex),
	);
	const failed = outcomes.find((outcome) => 'failure' in outcome);
	if (failed !== undefined && (!this.continueOnFail() || isCancelled.call(this))) {
		throw asThrown.call(this, failed.failure);
	}
	const items = outcomes.flatMap((outcome) =>
		'failure' in outcome ? [errorItem.call(this, outcome)] : outcome.items,
	);
	return [items.length === 0 && isTool.call(this) ? [{ ...NOTHING_FOUND }] : items];
}
