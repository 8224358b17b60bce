import { readFile } from 'node:fs/promises';

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	[other: string]: unknown;
}

/** A workflow as n8n exports and imports it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[other: string]: unknown;
}

export const readWorkflow = async (file: string): Promise<Workflow> =>
	JSON.parse(await readFile(file, 'utf8')) as Workflow;

/** A copy in which the parameters of one node are replaced. Throws when there is no such node. */
export const withParameters = (
	workflow: Workflow,
	nodeName: string,
	parameters: Record<string, unknown>,
): Workflow => {
	const copy = structuredClone(workflow);
	const node = copy.nodes.find(({ name }) => name === nodeName);
	if (node === undefined) throw new Error(`"${workflow.name}" has no node "${nodeName}"`);
	Object.assign(node.parameters, parameters);
	return copy;
};

/** The first node that can start the workflow by hand. */
export const triggerName = (workflow: Workflow): string => {
	const trigger = workflow.nodes.find(({ type }) => /trigger$/i.test(type));
	if (trigger === undefined) throw new Error(`"${workflow.name}" has no trigger`);
	return trigger.name;
};
