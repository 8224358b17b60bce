import { additionalDataWith, loadPackage, TestCredentials } from './engine';
import { shortenPauses } from './fastClock';
import { documentPayload, row } from './scriptedService';
import { secretText, WebhookService } from './webhookService';

import { SupplyDataContext } from 'n8n-core';
import { createNodeAsTool } from 'n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { DocumentExtraction } from '../../nodes/DocumentExtraction/DocumentExtraction.node';
import { panelOf } from '../unit/panel';

const { description } = new DocumentExtraction();

let service: WebhookService;

/** What a model would say for a field of this name; for all others the default. */
const ANSWERS: Record<string, unknown> = {
	documentId: '7',
	documentIds: '7',
	jobId: '7',
	projectId: '3',
	webhookId: '1',
	deliveryId: '9',
	url: 'https://example.com/hook',
	events: ['document.uploaded'],
	event: 'document.uploaded',
	fileFrom: 'url',
	fileName: 'a.pdf',
	mimeType: 'application/pdf',
	toolName: 'list_projects',
	parametersFrom: 'json',
	toolJson: { note: 'x' },
	since: '2026-03-01T00:00:00Z',
	limit: 5,
	waitLimit: 1,
	enabled: true,
	outputDataFieldName: 'data',
	inputDataFieldName: 'data',
};

beforeEach(async () => {
	service = new WebhookService();
	service
		.on('GET', /./, () => ({ body: everything() }))
		.on('POST', /./, () => ({ status: 201, body: everything() }))
		.on('PUT', /./, () => ({ body: everything() }))
		.on('DELETE', /./, { status: 204 })
		.on('GET', /\/data$/, { body: { 7: documentPayload([row('f1', -3.5)]) } })
		.on('GET', /\/files\//, {
			headers: { 'content-type': 'application/pdf', 'content-length': '5' },
			body: '%PDF-',
		});
	await service.start();
	shortenPauses(100);
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

/** One answer that has what every operation looks for. */
function everything() {
	const webhook = {
		id: '1',
		url: 'https://example.com/hook',
		events: ['document.uploaded'],
		enabled: true,
		version: '2024-01-01',
		createdAt: '2026-01-01T00:00:00Z',
		secret: secretText(),
		secretShownOnce: true,
	};
	const delivery = {
		id: '9',
		webhookId: '1',
		event: 'document.uploaded',
		status: 'dead-letter',
		attempts: 3,
		createdAt: '2026-03-02T00:00:00Z',
	};
	return {
		...webhook,
		id: '7',
		jobId: '7',
		documentId: 7,
		status: 'Succeeded',
		url: `${service.siteUrl}/files/7`,
		expiresIn: 3600,
		document: { id: 7, originalname: 'a.pdf', mimetype: 'application/pdf' },
		transactions: [{ documentId: 7, account: 'a', ...row('f1', -3.5) }],
		documents: [{ id: 7, status: 'extracted' }],
		projects: [{ id: 3, name: 'Acme' }],
		webhooks: [webhook],
		deliveries: [delivery],
		tools: [{ name: 'list_projects', inputSchema: { type: 'object', properties: { note: {} } } }],
		signals: [{ id: 1, documentId: 7, type: 'balance_tampering', confidence: 0.9 }],
		score: { id: 1, documentId: 7, score: 80 },
		total: 1,
	};
}

const asText = ({ value }: { value?: unknown }) => String(value);

function optionsOf(name: string, authentication: string, resource?: string): string[] {
	const choices: INodeParameters = {
		authentication,
		...(resource === undefined ? {} : { resource }),
	};
	const field = panelOf(description, choices).fields.find((one) => one.name === name);
	return ((field?.options ?? []) as INodePropertyOptions[]).map(asText);
}

const operations = ['accessToken', 'jwt'].flatMap((authentication) =>
	optionsOf('resource', authentication).flatMap((resource) =>
		optionsOf('operation', authentication, resource).map(
			(operation) => [authentication, resource, operation] as const,
		),
	),
);

const TYPES: Partial<Record<INodeProperties['type'], string>> = {
	number: 'number',
	boolean: 'boolean',
	multiOptions: 'json',
	json: 'json',
};
/** Fields that a model cannot fill: the person who builds the workflow leaves or sets them. */
const LEFT = new Set(['authentication', 'resource', 'operation']);
/** A field that decides which options there are: n8n keeps those of one choice only. */
const CHOSEN = new Set(['uploadMethod']);

/** The fields with everything that can be left to the model left to it, and what it then says. */
function forModel(fields: INodeProperties[]) {
	const parameters: INodeParameters = {};
	const answers: Record<string, unknown> = {};
	const ask = (field: INodeProperties): NodeParameterValueType | undefined => {
		const { name, type } = field;
		if (type === 'notice' || type === 'resourceMapper') return undefined;
		if (type === 'collection') {
			const inner = (field.options as INodeProperties[])
				.map((one) => [one.name, ask(one)] as const)
				.filter(([, value]) => value !== undefined);
			return Object.fromEntries(inner) as INodeParameters;
		}
		const given = ANSWERS[name] ?? field.default;
		if (field.noDataExpression === true || CHOSEN.has(name)) return given as NodeParameterValueType;
		answers[name] = name === 'fileUrl' ? `${service.siteUrl}/files/a.pdf` : given;
		const text = field.displayName.replace(/[^A-Za-z ]/g, '');
		const expression = `={{ $fromAI('${name}', '${text}', '${TYPES[type] ?? 'string'}') }}`;
		return type === 'resourceLocator'
			? ({ __rl: true, mode: 'id', value: expression } as unknown as INodeParameters)
			: expression;
	};
	for (const field of fields) {
		if (LEFT.has(field.name)) continue;
		const value = ask(field);
		if (value === undefined) continue;
		parameters[field.name] = value;
	}
	return { parameters, answers };
}

/** Our node as a tool, made by n8n, and called as an agent calls it. */
async function asTool(parameters: INodeParameters) {
	const { node: type, credentials: types } = await loadPackage();
	const toolType = Object.assign(Object.create(Object.getPrototypeOf(type) as object), type, {
		description: {
			...type.description,
			name: `${type.description.name}Tool`,
			inputs: [],
			outputs: [NodeConnectionTypes.AiTool],
		},
	}) as INodeType;
	const node: INode = {
		id: 'tool-1',
		name: 'Our Tool',
		type: 'documentExtractionTool',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: {
			documentExtractionApi: { id: '1', name: 'x' },
			documentExtractionJwtApi: { id: '2', name: 'y' },
		},
	};
	const agent: INode = { ...node, id: 'agent-1', name: 'Agent', parameters: {} };
	const workflow = new Workflow({
		id: 'workflow-1',
		nodes: [node, agent],
		connections: { 'Our Tool': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
		active: false,
		nodeTypes: {
			getByName: () => toolType,
			getByNameAndVersion: () => toolType,
			getKnownTypes: () => ({}),
		},
	});
	const helper = new TestCredentials(types, {
		documentExtractionApi: { baseUrl: service.baseUrl, accessToken: 'dex_pat_right' },
		documentExtractionJwtApi: { baseUrl: service.baseUrl, jwtToken: 'a.b.c' },
	});
	const additionalData = additionalDataWith(helper, 'execution-1');
	const data = createRunExecutionData({});
	const contextAt = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			node,
			additionalData,
			'manual',
			data,
			runIndex,
			[{ json: {} }],
			{},
			NodeConnectionTypes.AiTool,
			{ node: agent, data: { main: [[{ json: {} }]] }, source: null },
			[],
			undefined,
			agent,
		);
	const invoke = makeHandleToolInvocation(contextAt, node, toolType, data);
	return createNodeAsTool({
		node,
		nodeType: toolType,
		handleToolInvocation: async (args) => await invoke(args),
	}).response;
}

it('there are operations of every resource', () => {
	expect(operations.length).toBeGreaterThan(30);
});

it.each(operations)('%s, %s: %s is a tool', async (authentication, resource, operation) => {
	service.add({ url: 'https://example.com/hook', events: ['document.uploaded'] });
	const choices = { authentication, resource, operation };
	// With the file from an address: a model has none.
	const { fields } = panelOf(description, { ...choices, fileFrom: 'url', parametersFrom: 'json' });
	const { parameters, answers } = forModel(fields);
	const tool = await asTool({ ...choices, ...parameters });
	expect(tool.name).toBe('Our_Tool');
	expect(tool.description).toMatch(/^[A-Z][a-z]+ .+ in Document Extraction$/i);
	const { shape } = tool.schema as { shape: Record<string, unknown> };
	expect(Object.keys(shape).sort()).toEqual(Object.keys(answers).sort());

	const text = String(await tool.invoke(answers));
	const result = JSON.parse(text) as unknown[];
	expect(result.length).toBeGreaterThan(0);
	expect(JSON.stringify(result)).not.toContain('"error"');
	const sent = service.seen.map(({ path, body }) => `${path} ${body.toString()}`).join('\n');
	expect(service.seen.length).toBeGreaterThan(0);
	for (const name of ['documentId', 'jobId', 'projectId', 'webhookId', 'deliveryId', 'toolName']) {
		if (Object.hasOwn(answers, name)) expect(sent).toContain(String(answers[name]));
	}
	// A file may stay with the run; what the model reads is text.
	expect(text).not.toMatch(/[A-Za-z0-9+/]{400}/);
});

it('a failure says what happened and what to do, once', async () => {
	service.on('GET', /documents\/7$/, { status: 404, body: { error: { code: 'not_found' } } });
	const documentId = { __rl: true, mode: 'id', value: "={{ $fromAI('documentId') }}" };
	const parameters = { resource: 'document', operation: 'get', documentId };
	const tool = await asTool(parameters);
	const failure = await tool.invoke({ documentId: '7' }).then(
		() => '',
		(error: Error) => error.message,
	);
	expect(failure).toContain('The document 7 was not found');
	expect(failure.split("Check 'Document'")).toHaveLength(2);
});

it('nothing found is said in words', async () => {
	service.on('GET', /projects/, { body: { projects: [] } });
	const tool = await asTool({ resource: 'project', operation: 'getMany', returnAll: true });
	expect(JSON.parse(String(await tool.invoke({})))).toEqual([
		{ count: 0, message: 'Nothing was found' },
	]);
});
