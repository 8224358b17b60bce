import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeType,
	type INodeTypes,
} from 'n8n-workflow';

/** A published workflow of one node, with what it has kept. */
export function oneNodeWorkflow(
	nodeType: INodeType,
	node: Pick<INode, 'id' | 'name' | 'type' | 'parameters' | 'credentials'> & { webhookId?: string },
	staticData: IDataObject,
): Workflow {
	const nodeTypes: INodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	return new Workflow({
		id: 'workflow-1',
		name: 'Test',
		nodes: [{ ...node, typeVersion: 1, position: [0, 0] }],
		connections: {},
		active: true,
		nodeTypes,
		staticData: structuredClone(staticData),
		settings: { executionOrder: 'v1' },
	});
}
