import { exampleWorkflows } from '../n8n/exampleWorkflows.ts';
import type { N8nClient, StoredWorkflow } from '../n8n/n8nClient.ts';

/**
 * Imports the example workflows that are not in n8n yet. One that is there stays as it is: somebody
 * may have changed it. Returns the workflow of the first import.
 */
export const loadExamples = async (
	n8n: N8nClient,
	filesFolder: string,
): Promise<StoredWorkflow> => {
	const existing = await n8n.workflows();
	const examples = await exampleWorkflows(filesFolder);
	const ids = new Map<string, string>();
	for (const workflow of Object.values(examples)) {
		const present = existing.find(({ name, isArchived }) => name === workflow.name && !isArchived);
		const { id } = present ?? (await n8n.createWorkflow(workflow));
		ids.set(workflow.name, id);
	}
	const firstId = ids.get(examples.statementFile.name);
	if (firstId === undefined) throw new Error('The workflow of the first import is missing');
	return await n8n.workflow(firstId);
};
