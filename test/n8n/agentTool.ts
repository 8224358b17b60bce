import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { generateStatement } from '../documents/index.ts';
import { credentialNames } from '../../scripts/n8n/credentialSetup.ts';
import { exampleWorkflows } from '../../scripts/n8n/exampleWorkflows.ts';
import { itemsOf, type Execution } from '../../scripts/n8n/execution.ts';
import type { Workflow, WorkflowNode } from '../../scripts/n8n/workflowFile.ts';
import { inEditor } from './browser.ts';
import { assertSameRows, expectedRows, rowsFrom } from './expectedRows.ts';
import type { RealN8n } from './realN8n.ts';
import { ScriptedModel, type ModelStep, type OfferedTool } from './scriptedModel.ts';
import { chain, manualTrigger, ourNode, ourNodeType } from './workflowBuilder.ts';

const agentName = 'AI Agent';
const modelName = 'Chat Model';

/** Our node as a tool of the agent. */
const ourTool = (
	name: string,
	parameters: Record<string, unknown>,
	authentication: 'accessToken' | 'jwt' = 'accessToken',
): WorkflowNode => ({
	name,
	type: `${ourNodeType}Tool`,
	typeVersion: 1,
	parameters: { authentication, ...parameters },
	credentials:
		authentication === 'jwt'
			? { documentExtractionJwtApi: { id: null, name: credentialNames.jwt } }
			: { documentExtractionApi: { id: null, name: credentialNames.accessToken } },
});

const fromModel = (key: string, description: string): string =>
	`={{ $fromAI('${key}', '${description}', 'string') }}`;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const documentId = byId(fromModel('documentId', 'ID of the document'));
const fieldsOf = (value: Record<string, unknown>) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema: [],
	attemptToConvertTypes: false,
	convertFieldsToString: false,
});

const tools: WorkflowNode[] = [
	ourTool('Extract Statement', {
		resource: 'document',
		operation: 'extract',
		fileFrom: 'url',
		fileUrl: fromModel('url', 'Address of the statement'),
		options: {},
	}),
	ourTool('Get Transactions', { resource: 'document', operation: 'getTransactions', documentId }),
	ourTool('Get CSV', {
		resource: 'document',
		operation: 'getTransactions',
		documentId,
		format: 'csv',
		outputDataFieldName: 'data',
	}),
	ourTool('List Projects', { resource: 'project', operation: 'getMany', returnAll: true }),
	ourTool('Fraud Score', { resource: 'fraud', operation: 'getScore', documentId }, 'jwt'),
	ourTool('Get Document by Fields', {
		resource: 'tool',
		operation: 'run',
		toolName: byId('get_document'),
		parametersFrom: 'fields',
		toolFields: fieldsOf({ documentId: fromModel('documentId', 'ID of the document') }),
	}),
	ourTool('Run Any Tool', {
		resource: 'tool',
		operation: 'run',
		toolName: byId(fromModel('toolName', 'Name of the tool')),
		parametersFrom: 'json',
		toolJson: `={{ $fromAI('parameters', 'Parameters of the tool by name', 'json') }}`,
	}),
];

/** A workflow whose agent has the model and all the tools. */
const agentWorkflow = (
	model: ScriptedModel,
	credential: { id: string; name: string },
): Workflow => {
	const nodes: WorkflowNode[] = [
		manualTrigger(),
		{
			name: agentName,
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Look at the statement.', options: {} },
		},
		{
			name: modelName,
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.3,
			parameters: {
				model: { __rl: true, mode: 'id', value: 'scripted' },
				responsesApiEnabled: false,
				options: { baseURL: model.baseUrl },
			},
			credentials: { openAiApi: credential },
		},
		...tools,
	];
	const to = (type: string) => ({ [type]: [[{ node: agentName, type, index: 0 }]] });
	return {
		name: 'Agent',
		nodes: nodes.map((node, index) => ({
			...node,
			id: `node-${index}`,
			position: [index * 220, 0],
		})),
		connections: {
			Start: to('main'),
			[modelName]: to('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, to('ai_tool')])),
		},
		settings: { executionOrder: 'v1' },
	};
};

/** What the chat of n8n's editor sends. */
const chatMessage = (chatInput: string) => ({
	startTime: Date.now(),
	executionTime: 0,
	executionIndex: 0,
	executionStatus: 'success',
	source: [null],
	data: { main: [[{ json: { sessionId: 'session', action: 'sendMessage', chatInput } }]] },
});

const parsed = <T>(text: string | undefined): T => JSON.parse(text ?? 'null') as T;

/** Everything works as a tool of n8n's AI Agent, with a model that follows a script. */
export const testAgentTool = (running: () => RealN8n): void => {
	const model = new ScriptedModel();

	before(async () => void (await model.start()));
	after(async () => await model.stop());

	/** Runs the agent; the model takes one step after the other. */
	const converse = async (
		steps: Array<(texts: string[]) => ModelStep>,
	): Promise<{ execution: Execution; texts: string[]; offered: Map<string, OfferedTool> }> => {
		const { n8n } = running();
		const credential = await n8n.saveCredential({
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'sk-scripted', url: model.baseUrl },
		});
		const { id, name } = credential;
		model.play((texts) => steps[texts.length]?.(texts) ?? { answer: 'Done.' });
		const workflow = await n8n.createWorkflow(agentWorkflow(model, { id, name }));
		const execution = await n8n.run(workflow);
		assert.equal(execution.status, 'success', execution.error?.message);
		const [item] = itemsOf(execution, agentName);
		assert.equal(item?.json.output, 'Done.');
		return { execution, texts: model.texts(), offered: model.offered() };
	};

	test('the model is offered tools with a name, a description and a schema', async () => {
		const { offered } = await converse([]);
		assert.deepEqual(
			tools
				.map((node) => offered.get(node.name.replaceAll(' ', '_'))!)
				.map(({ name, description, parameters }) => [
					name,
					description,
					Object.entries(parameters.properties).map(
						([key, { type }]) => `${key}: ${type ?? 'json'}`,
					),
					parameters.required ?? [],
				]),
			[
				['Extract_Statement', 'Extract document in Document Extraction', ['url: string'], ['url']],
				[
					'Get_Transactions',
					'Get transactions of document in Document Extraction',
					['documentId: string'],
					['documentId'],
				],
				[
					'Get_CSV',
					'Get transactions of document in Document Extraction',
					['documentId: string'],
					['documentId'],
				],
				['List_Projects', 'Get many projects in Document Extraction', [], []],
				[
					'Fraud_Score',
					'Get fraud score in Document Extraction',
					['documentId: string'],
					['documentId'],
				],
				[
					'Get_Document_by_Fields',
					'Run tool in Document Extraction',
					['documentId: string'],
					['documentId'],
				],
				[
					'Run_Any_Tool',
					'Run tool in Document Extraction',
					['toolName: string', 'parameters: json'],
					['toolName', 'parameters'],
				],
			],
		);
		for (const { parameters } of offered.values()) {
			for (const { description } of Object.values(parameters.properties)) assert.ok(description);
		}
	});

	test('the model extracts a statement, and reads rows, projects, the score and tools', async () => {
		const statement = await generateStatement('ukCurrent', { seed: 21 });
		const url = model.serve('statement.pdf', statement.pdf);
		const idFrom = (texts: string[]) =>
			parsed<Array<{ documentId: string }>>(texts[0])[0]?.documentId ?? 'none';
		const call = (tool: string) => (texts: string[]) => ({
			tool,
			arguments: { documentId: idFrom(texts) },
		});
		const { texts, execution } = await converse([
			() => ({ tool: 'Extract_Statement', arguments: { url } }),
			call('Get_Transactions'),
			() => ({ tool: 'List_Projects', arguments: {} }),
			call('Fraud_Score'),
			call('Get_Document_by_Fields'),
			(before) => ({
				tool: 'Run_Any_Tool',
				arguments: {
					toolName: 'get_document_transactions',
					parameters: { documentId: idFrom(before) },
				},
			}),
			call('Get_CSV'),
		]);
		const id = idFrom(texts);
		const rowsOf = (text: string | undefined) =>
			rowsFrom(parsed<Array<Record<string, unknown>>>(text).map((json) => ({ json })));
		assertSameRows(rowsOf(texts[0]), expectedRows(statement));
		assert.equal(rowsOf(texts[1]).length, expectedRows(statement).length);
		assert.deepEqual(
			rowsOf(texts[1]).map(({ amount }) => amount),
			expectedRows(statement).map(({ amount }) => amount),
		);
		// This account has no projects, and the model is told so.
		assert.deepEqual(parsed(texts[2]), [{ count: 0, message: 'Nothing was found' }]);
		assert.equal(parsed<Array<{ documentId: string }>>(texts[3])[0]?.documentId, id);
		assert.equal(String(parsed<Array<{ id: unknown }>>(texts[4])[0]?.id), id);
		const [result] = parsed<Array<{ transactions: unknown[] }>>(texts[5]);
		assert.equal(result?.transactions.length, expectedRows(statement).length);

		// The file stays with the run of the tool. The model gets its text, and no bytes as base64.
		const [file] = parsed<Array<{ fileName: string; csv: string }>>(texts[6]);
		assert.equal(file?.fileName, `transactions-${id}.csv`);
		const lines: unknown[] = parse(file.csv, { columns: true, bom: true });
		assert.equal(lines.length, expectedRows(statement).length);
		assert.equal(execution.runs['Get CSV']?.length, 1);
		for (const request of model.requests) assert.doesNotMatch(request, /[A-Za-z0-9+/]{400}/);
	});

	test('the example: a question in the chat is answered with the tools', async () => {
		const { n8n, filesFolder } = running();
		const statement = await generateStatement('doesNotAddUp', { seed: 22 });
		const url = model.serve('march.pdf', statement.pdf);
		await n8n.saveCredential({
			name: 'OpenAI account',
			type: 'openAiApi',
			data: { apiKey: 'sk-scripted', url: model.baseUrl },
		});
		const workflow = await n8n.createWorkflow((await exampleWorkflows(filesFolder)).agent);
		const ours = workflow.nodes.filter(({ type }) => type === `${ourNodeType}Tool`);
		assert.equal(ours.length, 4);
		for (const { name, credentials } of ours) {
			assert.ok(credentials?.documentExtractionApi?.id, `${name} has found its credential`);
		}
		const steps: Array<(texts: string[]) => ModelStep> = [
			() => ({ tool: 'Extract_Statement', arguments: { url } }),
			(texts) => ({
				tool: 'Get_Transactions',
				arguments: { documentId: parsed<Array<{ documentId: string }>>(texts[0])[0]?.documentId },
			}),
			() => ({ tool: 'List_Projects', arguments: {} }),
			() => ({ tool: 'List_Documents', arguments: { projectId: '999999' } }),
		];
		model.play((texts) => steps[texts.length]?.(texts) ?? { answer: 'Done.' });
		const { executionId } = await n8n.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflow.id}/run`,
			{ triggerToStartFrom: { name: 'When Chat Message Received', data: chatMessage('Look.') } },
		);
		const execution = await n8n.finishedExecution(executionId);
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.equal(itemsOf(execution, agentName)[0]?.json.output, 'Done.');
		const [accounts, rows, projects, documents] = model.texts();
		assert.equal(parsed<Array<{ verdict: string }>>(accounts)[0]?.verdict, 'not reconciled');
		const [{ csv } = { csv: '' }] = parsed<Array<{ csv: string }>>(rows);
		const lines: unknown[] = parse(csv, { columns: true, bom: true });
		assert.equal(lines.length, expectedRows(statement).length);
		assert.deepEqual(parsed(projects), [{ count: 0, message: 'Nothing was found' }]);
		assert.match(documents ?? '', /The project 999999 was not found/);
		for (const { description } of model.offered().values()) assert.match(description, /\.$/);
	});

	test('the panel of the tool: the tools of the service, and the fields of the chosen one', async () => {
		const { n8n } = running();
		const { accessToken } = running().credentials;
		const ask = async <T>(path: string, more: object): Promise<T> =>
			await n8n.request<T>('POST', `/rest/dynamic-node-parameters/${path}`, {
				nodeTypeAndVersion: { name: `${ourNodeType}Tool`, version: 1 },
				path: 'parameters',
				currentNodeParameters: {
					authentication: 'accessToken',
					resource: 'tool',
					operation: 'run',
					toolName: byId('get_job_status'),
				},
				credentials: { documentExtractionApi: { id: accessToken.id, name: accessToken.name } },
				...more,
			});
		const { results } = await ask<{ results: Array<{ value: string }> }>(
			'resource-locator-results',
			{ methodName: 'searchTools', filter: 'status' },
		);
		assert.ok(results.some(({ value }) => value === 'get_job_status'));
		const { fields } = await ask<{ fields: Array<{ id: string; required: boolean }> }>(
			'resource-mapper-fields',
			{ methodName: 'getToolFields' },
		);
		assert.deepEqual(
			fields.map(({ id, required }) => [id, required]),
			[['jobId', true]],
		);
	});

	test('the editor shows the fields of the chosen tool', async () => {
		const { n8n } = running();
		const parameters = {
			resource: 'tool',
			operation: 'run',
			toolName: byId('list_documents'),
			toolFields: { mappingMode: 'defineBelow', value: null },
		};
		const workflow = await n8n.createWorkflow(
			chain('Tool', [manualTrigger(), ourNode('Run Tool', parameters)]),
		);
		await inEditor(running(), 'tool', async (page) => {
			await page.goto(`${n8n.address}/workflow/${workflow.id}`);
			const node = page.locator('[data-test-id="canvas-node"][data-node-name="Run Tool"]');
			await node.waitFor();
			await node.dblclick();
			const panel = page.locator('[data-test-id="ndv"]');
			await panel.waitFor();
			for (const name of ['projectId', 'limit', 'offset']) {
				await panel
					.getByText(new RegExp(`^${name}( |$)`))
					.first()
					.waitFor();
			}
		});
	});

	test('a failure reaches the model as words that say what to do, and the agent goes on', async () => {
		const { texts } = await converse([
			() => ({ tool: 'Get_Transactions', arguments: { documentId: '987654321' } }),
			() => ({
				tool: 'Extract_Statement',
				arguments: { url: model.serve('x.pdf', Buffer.from('x')) },
			}),
			() => ({ tool: 'Extract_Statement', arguments: { url: 'nowhere' } }),
			() => ({
				tool: 'Run_Any_Tool',
				arguments: { toolName: 'no_such_tool', parameters: { a: 1 } },
			}),
			() => ({
				tool: 'Run_Any_Tool',
				arguments: { toolName: 'get_document', parameters: { other: 1 } },
			}),
			() => ({ tool: 'List_Projects', arguments: {} }),
		]);
		const said = texts
			.slice(0, 5)
			.map((text) => parsed<Array<{ error?: string }>>(text)[0]?.error ?? text);
		assert.match(said[0] ?? '', /The document 987654321 was not found.*Check 'Document'/);
		assert.match(said[1] ?? '', /.{20}/);
		assert.match(said[2] ?? '', /URL/);
		assert.match(said[3] ?? '', /The tool 'no_such_tool' was not found.*Check 'Tool Name'/);
		assert.match(said[4] ?? '', /The tool 'get_document' needs a value for 'documentId'/);
		assert.deepEqual(parsed(texts[5]), [{ count: 0, message: 'Nothing was found' }]);
	});
};
