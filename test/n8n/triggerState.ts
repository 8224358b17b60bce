import type { StoredWorkflow } from '../../scripts/n8n/n8nClient.ts';
import type { WorkflowNode } from '../../scripts/n8n/workflowFile.ts';
import { ourTriggerType } from './workflowBuilder.ts';

const secretPattern = /^[0-9a-f]{64}$/;

/** Our trigger in a workflow that has one. */
export const triggerOf = (workflow: StoredWorkflow): WorkflowNode => {
	const trigger = workflow.nodes.find(({ type }) => type === ourTriggerType);
	if (trigger === undefined) throw new Error(`"${workflow.name}" has no trigger of ours`);
	return trigger;
};

/** How the addresses of the trigger begin in n8n: production, or "Listen for test event". */
export const webhookPrefix = (
	n8nAddress: string,
	workflow: StoredWorkflow,
	kind: 'webhook' | 'webhook-test' = 'webhook',
): string => `${n8nAddress}/${kind}/${String(triggerOf(workflow).webhookId)}/`;

/** The address to which deliveries for the published workflow go. */
export const productionUrl = (n8nAddress: string, workflow: StoredWorkflow): string =>
	`${webhookPrefix(n8nAddress, workflow)}webhook`;

/** What n8n has stored for our trigger, as it was when the workflow was read. */
export const storedState = (workflow: StoredWorkflow): Record<string, unknown> => {
	const { staticData } = workflow;
	const all = (typeof staticData === 'string' ? JSON.parse(staticData) : staticData) as
		Record<string, Record<string, unknown>> | null | undefined;
	return all?.[`node:${triggerOf(workflow).name}`] ?? {};
};

/** The signing secret that n8n has stored for our trigger. */
export const storedSecret = (workflow: StoredWorkflow): string => {
	const secret = Object.values(storedState(workflow)).find(
		(value): value is string => typeof value === 'string' && secretPattern.test(value),
	);
	if (secret === undefined) throw new Error(`n8n has no secret for "${workflow.name}"`);
	return secret;
};
