import { resolve } from 'node:path';
import { projectFolder } from '../projectFolder.ts';
import { readWorkflow, withParameters, type Workflow } from './workflowFile.ts';

const examplesFolder = resolve(projectFolder, 'examples');

export const exampleFiles = {
	statementFile: 'statement-file-to-rows.json',
	uploadForm: 'upload-form-to-csv.json',
	scheduledFolder: 'scheduled-folder-import.json',
	deliveries: 'deliveries-to-rows.json',
	agent: 'ai-agent.json',
} as const;

/** The nodes of the examples that scripts and tests read from. */
export const exampleNodes = {
	readStatement: 'Read Statement',
	extractTransactions: 'Extract Transactions',
	getVerdict: 'Get Verdict',
	readStatements: 'Read Statements',
} as const;

/** Where the statements of the examples lie, below the folder that n8n may read. */
export const exampleStatements = (filesFolder: string) => ({
	single: resolve(filesFolder, 'statement.pdf'),
	folder: resolve(filesFolder, 'statements'),
});

/** The example workflows, with the paths of this n8n in place of those of a usual one. */
export const exampleWorkflows = async (
	filesFolder: string,
): Promise<Record<keyof typeof exampleFiles, Workflow>> => {
	const statements = exampleStatements(filesFolder);
	const read = async (file: string): Promise<Workflow> =>
		await readWorkflow(resolve(examplesFolder, file));
	const [statementFile, uploadForm, scheduledFolder, deliveries, agent] = await Promise.all([
		read(exampleFiles.statementFile),
		read(exampleFiles.uploadForm),
		read(exampleFiles.scheduledFolder),
		read(exampleFiles.deliveries),
		read(exampleFiles.agent),
	]);
	return {
		statementFile: withParameters(statementFile, exampleNodes.readStatement, {
			fileSelector: statements.single,
		}),
		uploadForm,
		scheduledFolder: withParameters(scheduledFolder, exampleNodes.readStatements, {
			fileSelector: `${statements.folder}/*.pdf`,
		}),
		deliveries,
		agent,
	};
};
