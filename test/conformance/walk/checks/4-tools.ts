import {
	at,
	isIdLike,
	isObject,
	listIn,
	named,
	refused,
	shown,
	succeeded,
	want,
} from '../expect.ts';
import type { Answer } from '../http.ts';
import { PDF } from '../documents.ts';
import type { Scene } from '../scene.ts';
import type { Check, Checks } from './check.ts';

export const TOOL_ROWS = 10_000;

const TOOL_NAMES = [
	'convert_bank_statement',
	'download_transactions',
	'get_transactions',
	'upload_url',
	'convert_document',
	'get_job_status',
	'list_projects',
	'list_documents',
	'get_document',
	'get_document_transactions',
] as const;
type ToolName = (typeof TOOL_NAMES)[number];

/** What a tool is told, by what it means: the names of most parameters are not shown. */
interface Parameters {
	jobId?: string | number;
	documentId?: string | number;
	documentIds?: Array<string | number>;
	projectId?: string | number;
	filename?: string;
	mimetype?: string;
	fileBase64?: string;
	format?: string;
}

/** How a parameter of this meaning may be called. */
const MEANING: Record<keyof Parameters, RegExp> = {
	jobId: /job/i,
	documentIds: /doc.*s$/i,
	documentId: /doc/i,
	projectId: /project|folder/i,
	filename: /file_?name|^name$/i,
	mimetype: /mime|content_?type/i,
	fileBase64: /base64|content|bytes/i,
	format: /format/i,
};

const tools = (scene: Scene): Promise<Answer> =>
	scene.once('tools', async () => {
		const answer = await scene.main.agent('GET', '/mcp/tools');
		succeeded(answer);
		return answer;
	});

async function schemaOf(scene: Scene, name: ToolName): Promise<Record<string, unknown>> {
	const tool = listIn(await tools(scene)).find((candidate) => at(candidate, 'name') === name);
	want(tool !== undefined, `the list has no tool ${name}`);
	const schema = named(tool, /schema/i);
	want(isObject(schema), `${name} has no input schema but ${shown(schema)}`);
	return schema;
}

/** Runs a tool. Its parameters get the names that its own schema gives them. */
export async function runTool(scene: Scene, name: ToolName, told: Parameters): Promise<Answer> {
	const schema = await schemaOf(scene, name);
	const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
	const body: Record<string, unknown> = {};
	for (const [meaning, value] of Object.entries(told)) {
		const pattern = MEANING[meaning as keyof Parameters];
		const own = properties.find((property) => property === meaning);
		const parameter = own ?? properties.find((property) => pattern.test(property));
		want(parameter !== undefined, `${name} has no parameter for ${meaning}: ${shown(properties)}`);
		body[parameter] = value;
	}
	return await scene.main.agent('POST', `/mcp/tools/${name}`, { json: body });
}

/** The rows in a tool's answer, wherever they are; null where there are none. */
export function rowsOf(answer: Answer): Record<string, unknown>[] | null {
	return rowsIn(answer.json);
}

function rowsIn(value: unknown): Record<string, unknown>[] | null {
	if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? value : null;
	if (!isObject(value)) return null;
	const found = Object.values(value).map(rowsIn);
	return found.find((rows) => rows !== null) ?? null;
}

/** The longest text of several lines in a tool's answer: its CSV. */
function csvIn(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return '';
	const texts = Object.values(value).map(csvIn);
	return texts.reduce((long, text) => (text.length > long.length ? text : long), '');
}

/** A member of this name, however deep. */
function deep(value: unknown, pattern: RegExp): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	const own = named(value, pattern);
	if (own !== undefined) return own;
	for (const member of Object.values(value)) {
		const found = deep(member, pattern);
		if (found !== undefined) return found;
	}
	return undefined;
}

export function uploadIn(answer: Answer): { url: string; id: string | number } {
	succeeded(answer);
	const url = deep(answer.json, /^(upload_?)?url$/i);
	const id = answer.member('document', 'id') ?? deep(answer.json, /document_?id|^id$/i);
	want(typeof url === 'string', `${answer.name} gave no url`);
	want(isIdLike(id), `${answer.name} gave no document id`);
	return { url, id };
}

export function jobIn(answer: Answer): string | number {
	succeeded(answer);
	const id = deep(answer.json, /job_?id/i) ?? answer.member('id');
	want(isIdLike(id), `${answer.name} gave no jobId`);
	return id;
}

/** How many transactions the statement of the scene has. */
const printed = async (scene: Scene): Promise<number> =>
	(await scene.statement()).truth.accounts[0]?.transactions.length ?? 0;

async function asJson(scene: Scene, name: ToolName, told: Parameters): Promise<string> {
	const answer = await runTool(scene, name, { ...told, format: 'json' });
	const seen = succeeded(answer);
	const count = await printed(scene);
	const rows = rowsOf(answer);
	want(rows?.length === count, `${name} gave ${rows?.length ?? 'no'} rows, ${count} are printed`);
	return `${seen}, ${rows.length} rows as JSON`;
}

async function asCsv(scene: Scene, name: ToolName, told: Parameters): Promise<string> {
	const answer = await runTool(scene, name, { ...told, format: 'csv' });
	succeeded(answer);
	const text = csvIn(answer.json ?? answer.text);
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	const count = await printed(scene);
	want(lines.length >= count, `${name} gave ${lines.length} lines of CSV, ${count} are printed`);
	want(
		lines.every((line) => line.includes(',') || line.includes(';')),
		`what ${name} gave as csv has lines without a separator`,
	);
	return `${lines.length} lines as CSV`;
}

function transactionsOfJob(name: ToolName): Check {
	return async (scene) => {
		const { jobId } = await scene.bankJob();
		return `${await asJson(scene, name, { jobId })}, ${await asCsv(scene, name, { jobId })}`;
	};
}

/** Section 4.5: a JSON document that describes an HTTP interface, with or without a credential. */
export async function described(scene: Scene, path: string): Promise<unknown> {
	const { main } = scene;
	const url = `${main.site}/api-docs/${path}`;
	const open = await main.plain('GET', url);
	const answer = open.isOk ? open : await main.plain('GET', url, { credential: main.access.token });
	succeeded(answer);
	const { json } = answer;
	want(isObject(json), `${answer.name} is no JSON object`);
	want(
		typeof (json['openapi'] ?? json['swagger']) === 'string' && isObject(json['paths']),
		`${answer.name} is no OpenAPI document, its members are ${shown(Object.keys(json))}`,
	);
	return json;
}

const LEGACY_PATHS = [
	'/protected/document',
	'/protected/document/uploads3',
	'/protected/job',
	'/protected/document/{}/uploads3/complete',
	'/protected/document/{}/downloads3',
	'/protected/job/{}',
	'/protected/job/{}/export',
	'/protected/document/{}/fraudSignals',
	'/protected/document/{}/fraudScore',
];

/** It describes the legacy surface. */
async function describesSurface(scene: Scene, path: string): Promise<string> {
	const json = await described(scene, path);
	const paths = at(json, 'paths');
	const own = isObject(paths) ? Object.keys(paths) : [];
	const general = own.map((one) => one.replaceAll(/\{[^}]*\}/g, '{}'));
	const missing = LEGACY_PATHS.filter((one) => !general.some((known) => known.endsWith(one)));
	want(missing.length === 0, `it does not describe ${missing.join(', ')}`);
	return `OpenAPI ${shown(at(json, 'openapi') ?? at(json, 'swagger'))}, ${own.length} paths`;
}

/** Section 4.5. */
export const toolDispatcher: Checks<'4.5'> = {
	'GET /agent/mcp/tools': async (scene) => {
		const answer = await tools(scene);
		const listed = listIn(answer).map((tool) => at(tool, 'name'));
		const missing = TOOL_NAMES.filter((name) => !listed.includes(name));
		want(missing.length === 0, `the list lacks ${missing.join(', ')}`);
		for (const name of TOOL_NAMES) {
			const schema = await schemaOf(scene, name);
			want(schema['type'] === 'object', `the input schema of ${name} is of no object`);
		}
		return `${listed.length} tools, each with an input schema`;
	},
	'POST /agent/mcp/tools/{toolName}': async (scene) => {
		const answer = await scene.main.agent('POST', '/mcp/tools/list_projects', { json: {} });
		const seen = succeeded(answer);
		const unknown = await scene.main.agent('POST', '/mcp/tools/no_such_tool', { json: {} });
		refused(unknown, 'for a tool that does not exist');
		const wrong = await scene.main.agent('POST', '/mcp/tools/get_job_status', { json: {} });
		refused(wrong, 'without its parameters');
		return `${seen}; ${unknown.status} for an unknown tool, ${wrong.status} without parameters`;
	},
	convert_bank_statement: async (scene) => {
		const schema = await schemaOf(scene, 'convert_bank_statement');
		for (const name of ['filename', 'mimetype', 'fileBase64']) {
			want(
				at(schema, 'properties', name) !== undefined,
				`its input schema has no parameter ${name}`,
			);
		}
		const { pdf } = await scene.statement();
		const told = {
			filename: 'statement.pdf',
			mimetype: PDF,
			fileBase64: Buffer.from(pdf).toString('base64'),
		};
		const json = await asJson(scene, 'convert_bank_statement', told);
		return `${json}, ${await asCsv(scene, 'convert_bank_statement', told)}`;
	},
	download_transactions: transactionsOfJob('download_transactions'),
	get_transactions: transactionsOfJob('get_transactions'),
	upload_url: async (scene) => {
		const told = { filename: 'a.pdf', mimetype: PDF };
		const { url } = uploadIn(await runTool(scene, 'upload_url', told));
		const put = await scene.main.put(url, (await scene.statement()).pdf);
		want(put.isOk, `a PUT to its url answered ${put.status}: ${put.start}`);
		return `PUT to its url answered ${put.status}`;
	},
	convert_document: async (scene) => {
		const documentId = await scene.main.upload((await scene.statement()).pdf);
		const answer = await runTool(scene, 'convert_document', { documentIds: [documentId] });
		const jobId = jobIn(answer);
		const ended = await scene.main.ended(jobId);
		want(
			ended.member('status') === 'Succeeded',
			`its job ended as ${shown(ended.member('status'))}`,
		);
		return `job ${jobId} succeeded`;
	},
	get_job_status: async (scene) => {
		const { jobId } = await scene.bankJob();
		const answer = await runTool(scene, 'get_job_status', { jobId });
		succeeded(answer);
		const status = deep(answer.json, /^(job_?)?status$/i);
		want(status === 'Succeeded', `its status is ${shown(status)}`);
		const count = deep(answer.json, /count/i);
		want(count === (await printed(scene)), `its transaction count is ${shown(count)}`);
		return `status ${shown(status)}, ${shown(count)} transactions`;
	},
	list_projects: async (scene) => {
		const { id } = await scene.project();
		const answer = await runTool(scene, 'list_projects', {});
		succeeded(answer);
		const ids = listIn(answer).map((project) => at(project, 'id'));
		want(ids.map(String).includes(String(id)), `project ${id} is not among ${shown(ids)}`);
		return `${ids.length} projects`;
	},
	list_documents: async (scene) => {
		const { id, documents } = await scene.project();
		const answer = await runTool(scene, 'list_documents', { projectId: id });
		succeeded(answer);
		const listed = listIn(answer);
		want(listed.length === listIn(documents).length, `${listed.length} documents are listed`);
		for (const document of listed) {
			for (const [what, pattern] of [
				['status', /status/i],
				['page count', /page/i],
				['transaction count', /transaction/i],
				['reconciliation flag', /reconcil/i],
			] as const) {
				want(named(document, pattern) !== undefined, `a document has no ${what}`);
			}
		}
		return `${listed.length} documents with the four facts`;
	},
	get_document: async (scene) => {
		const { documentId } = await scene.bankJob();
		const answer = await runTool(scene, 'get_document', { documentId });
		const seen = succeeded(answer);
		const id = answer.member('id') ?? deep(answer.json, /document_?id|^id$/i);
		want(String(id) === String(documentId), `document ${shown(id)} came, not ${documentId}`);
		return `${seen}, document ${shown(id)}`;
	},
	get_document_transactions: async (scene) => {
		const { documentId } = await scene.bankJob();
		const name = 'get_document_transactions';
		const json = await asJson(scene, name, { documentId });
		const csv = await asCsv(scene, name, { documentId });
		// Uploaded with the JWT, not with the token that asks.
		const other = await scene.legacyJob();
		const reached = await asJson(scene, name, { documentId: other.documentId });
		return `${json}, ${csv}; of a document of the other surface: ${reached}`;
	},
	'download_transactions reach': async (scene) => {
		const { jobId } = await scene.legacyJob();
		const foreign = await runTool(scene, 'download_transactions', { jobId });
		refused(foreign, 'for a job that the token did not create');
		const own = await runTool(scene, 'download_transactions', {
			jobId: (await scene.bankJob()).jobId,
		});
		return `${succeeded(own)} for its own job, ${foreign.status} for one that the JWT created`;
	},
	'openapi.json': async (scene) => describesSurface(scene, 'openapi.json'),
	'.well-known/openapi.json': async (scene) => {
		const seen = await describesSurface(scene, '.well-known/openapi.json');
		const one = await described(scene, 'openapi.json');
		const other = await described(scene, '.well-known/openapi.json');
		want(JSON.stringify(one) === JSON.stringify(other), 'the two addresses give two documents');
		return seen;
	},
	'llms.txt': async (scene) => {
		const { main } = scene;
		const answer = await main.plain('GET', `${main.site}/api-docs/llms.txt`);
		const seen = succeeded(answer);
		want(answer.text.trim() !== '', 'llms.txt is empty');
		want(!/^\s*<(!doctype|html)/i.test(answer.text), 'llms.txt is a page of HTML');
		return `${seen}, ${answer.bytes.length} bytes`;
	},
};
