import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { RowsChangedError } from '../../documents/rowView.ts';
import { LONGEST_FILE_BODY } from '../../tools/convertBankStatement.ts';
import { JsonPieces } from '../../tools/tool.ts';
import type { ToolCall, ToolResult } from '../../tools/tool.ts';
import { TOOLS } from '../../tools/tools.ts';
import { HttpError } from '../errors.ts';
import type { Services } from '../services.ts';
import { goneSignal, noSuchTool } from './tools.ts';

/** Clients of the protocol give up after 60 seconds unless they are told otherwise. */
const LONGEST_WAIT_MS = 50_000;
/** A result has to be one message, so it is held in memory. */
const LONGEST_RESULT = 16 * 1024 * 1024;
/** Several calls in one message are run one after the other, but their results are sent together. */
const MOST_MESSAGES = 10;

const EXAMPLE_MESSAGES = [
	{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
	{ jsonrpc: '2.0', method: 'notifications/initialized' },
];

const SERVER = { name: 'document-extraction-service', version: '1.0.0' };
const INSTRUCTIONS =
	'Extracts the transactions of bank statements from PDFs and pictures. For one file up to 10 MiB use ' +
	'convert_bank_statement. For larger files: upload_url, PUT the bytes, convert_document, ' +
	'get_job_status, download_transactions. Documents that are there already: list_projects, ' +
	'list_documents, get_document_transactions.';
const validator = new AjvJsonSchemaValidator();

/** Section 4.5: the tools for clients of the Model Context Protocol (Streamable HTTP, no sessions). */
export const mcpRoute: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	app.route({
		method: 'POST',
		url: '/mcp',
		bodyLimit: LONGEST_FILE_BODY,
		schema: {
			operationId: 'modelContextProtocol',
			tags: ['Tools'],
			errors: ['not_acceptable'],
			summary: 'Takes messages of the Model Context Protocol (Streamable HTTP, without sessions)',
			body: Type.Union([
				Type.Object(
					{ jsonrpc: Type.Literal('2.0') },
					{ additionalProperties: true, examples: EXAMPLE_MESSAGES },
				),
				Type.Array(Type.Object({ jsonrpc: Type.Literal('2.0') }, { additionalProperties: true }), {
					minItems: 1,
					maxItems: MOST_MESSAGES,
				}),
			]),
			response: {
				200: {
					description: 'The answers to the requests in the messages, as an event stream',
					content: { 'text/event-stream': { schema: Type.String() } },
				},
				202: { description: 'There was nothing to answer', type: 'null' },
			},
		},
		handler: async (request, reply) => {
			const server = toolServer(
				{
					services,
					// A header of the connection does not stand for one of its calls.
					caller: { account: request.account, headers: {} },
					signal: goneSignal(services, reply),
					longestWait: Math.min(services.config.toolWaitSeconds * 1000, LONGEST_WAIT_MS),
				},
				request.log,
			);
			const transport = new WebStandardStreamableHTTPServerTransport();
			reply.raw.once('close', () => void server.close());
			await server.connect(transport);
			const response = await transport.handleRequest(webRequest(request), {
				parsedBody: request.body,
			});
			if (response.status >= 400) {
				throw await refusal(response);
			}
			return await sendResponse(reply, response);
		},
	});

	for (const method of ['GET', 'DELETE'] as const) {
		app.route({
			method,
			url: '/mcp',
			exposeHeadRoute: false,
			schema: {
				operationId: method === 'GET' ? 'openMcpStream' : 'endMcpSession',
				tags: ['Tools'],
				errors: ['method_not_allowed'],
				summary: 'Answers 405: there are no sessions and no streams outside of a request',
			},
			handler: async (_request, reply) => {
				void reply.header('allow', 'POST');
				throw new HttpError(
					405,
					'method_not_allowed',
					'This address has no sessions. Send messages of the Model Context Protocol with POST.',
				);
			},
		});
	}
};

/** A server for one request; without sessions there is nothing to keep. */
function toolServer(call: ToolCall, log: FastifyBaseLogger): Server {
	const server = new Server(SERVER, {
		capabilities: { tools: {} },
		instructions: INSTRUCTIONS,
		jsonSchemaValidator: validator,
	});
	server.setRequestHandler(ListToolsRequestSchema, () => ({
		tools: TOOLS.map(({ name, description, inputSchema, readOnly }) => ({
			name,
			description,
			inputSchema: { ...inputSchema, type: 'object' as const },
			annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
		})),
	}));
	let before: Promise<unknown> = Promise.resolve();
	server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
		const run = before.then(async (): Promise<CallToolResult> => {
			try {
				const tool = TOOLS.find(({ name }) => name === params.name);
				if (tool === undefined) throw noSuchTool();
				const ends = AbortSignal.any([call.signal, signal]);
				const result = await tool.run({ ...call, signal: ends }, params.arguments ?? {});
				return { content: [{ type: 'text', text: await textOf(result) }] };
			} catch (error) {
				return { isError: true, content: [{ type: 'text', text: messageOf(error, log) }] };
			}
		});
		before = run;
		return await run;
	});
	return server;
}

async function textOf(result: ToolResult): Promise<string> {
	if (!(result instanceof JsonPieces)) return JSON.stringify(result);
	const pieces: string[] = [];
	let length = 0;
	for await (const piece of result.pieces) {
		length += piece.length;
		if (length > LONGEST_RESULT) throw new ResultTooLongError();
		pieces.push(piece);
	}
	return pieces.join('');
}

class ResultTooLongError extends Error {
	constructor() {
		super(
			'The result has more than 16 MiB, too much for one message. Get it over HTTP instead: ' +
				'GET /agent/documents/{documentId}/transactions, with format=csv for a CSV file.',
		);
		this.name = 'ResultTooLongError';
	}
}

const EXPLAINED = [HttpError, ResultTooLongError, RowsChangedError];

function messageOf(error: unknown, log: FastifyBaseLogger): string {
	if (error instanceof Error && EXPLAINED.some((kind) => error instanceof kind)) {
		return error.message;
	}
	log.error({ err: error }, 'A tool ended with a fault in the service.');
	return 'The service has a fault. Its log says more.';
}

/** Fastify takes status, headers and stream from it. */
async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
	return await reply.send(response);
}

/** The request as the transport wants it; its body is parsed already. */
function webRequest(request: FastifyRequest): Request {
	const headers = new Headers();
	for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
		const value = request.headers[name];
		if (typeof value === 'string') headers.set(name, value);
	}
	return new Request('http://service/mcp', { method: 'POST', headers });
}

/** What the transport refuses, in the one error object. */
async function refusal(response: Response): Promise<HttpError> {
	const answer: unknown = await response.json();
	const message = memberOf(memberOf(answer, 'error'), 'message');
	const text = typeof message === 'string' ? message : 'The message is not valid.';
	return response.status === 406
		? new HttpError(406, 'not_acceptable', `${text}.`)
		: new HttpError(400, 'invalid_request', `${text}.`);
}

function memberOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
