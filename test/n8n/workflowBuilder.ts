import { randomUUID } from 'node:crypto';
import { credentialNames } from '../../scripts/n8n/credentialSetup.ts';
import { packageName } from '../../scripts/n8n/nodePackage.ts';
import type { Workflow, WorkflowNode } from '../../scripts/n8n/workflowFile.ts';

export const ourNodeType = `${packageName}.documentExtraction`;
export const ourTriggerType = `${packageName}.documentExtractionTrigger`;
export const ourProjectTriggerType = `${packageName}.documentExtractionProjectTrigger`;

const stepWidth = 220;

/** A node that starts the workflow by hand. */
export const manualTrigger = (): WorkflowNode => ({
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
});

/** A node that reads the files that match a pattern: one item for each file. */
export const readFiles = (fileSelector: string): WorkflowNode => ({
	name: 'Read Files',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1.1,
	parameters: { operation: 'read', fileSelector, options: {} },
});

/** Our node, with its usual parameters and those that are given. */
export const ourNode = (
	name: string,
	parameters: Record<string, unknown>,
	more: Record<string, unknown> = {},
): WorkflowNode => ({
	name,
	type: ourNodeType,
	typeVersion: 1,
	parameters: { authentication: 'accessToken', resource: 'document', options: {}, ...parameters },
	credentials: { documentExtractionApi: { id: null, name: credentialNames.accessToken } },
	...more,
});

/** n8n's own Webhook node, which answers at once and checks nothing. */
export const webhookNode = (path: string): WorkflowNode => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2.1,
	parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	webhookId: randomUUID(),
});

/** Our trigger for these events, with its usual parameters and those that are given. */
export const ourTrigger = (
	events: string[],
	parameters: Record<string, unknown> = {},
): WorkflowNode => ({
	name: 'Document Extraction Trigger',
	type: ourTriggerType,
	typeVersion: 1,
	parameters: { events, ...parameters },
	credentials: { documentExtractionApi: { id: null, name: credentialNames.accessToken } },
	webhookId: randomUUID(),
});

/** Our Project Trigger for one project, with its usual parameters and those that are given. */
export const ourProjectTrigger = (
	projectId: string,
	parameters: Record<string, unknown> = {},
): WorkflowNode => ({
	name: 'Document Extraction Project Trigger',
	type: ourProjectTriggerType,
	typeVersion: 1,
	parameters: { projectId: { __rl: true, mode: 'id', value: projectId }, ...parameters },
	credentials: { documentExtractionApi: { id: null, name: credentialNames.accessToken } },
});

/** A node that passes on what it gets. */
export const noOp = (name = 'Next'): WorkflowNode => ({
	name,
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
});

/** A workflow in which each node is connected to the first output of the one before. */
export const chain = (name: string, nodes: WorkflowNode[]): Workflow => ({
	name,
	nodes: nodes.map((node, index) => ({
		...node,
		id: `node-${index}`,
		position: [index * stepWidth, 0],
	})),
	connections: Object.fromEntries(
		nodes
			.slice(1)
			.map((node, index) => [
				nodes[index]?.name ?? '',
				{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
			]),
	),
	settings: { executionOrder: 'v1' },
});
