import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
	convertBankStatement,
	fileTooLargeForTool,
	LONGEST_FILE_BODY,
} from '../../tools/convertBankStatement.ts';
import { JsonPieces } from '../../tools/tool.ts';
import type { Tool, ToolCall } from '../../tools/tool.ts';
import { TOOLS } from '../../tools/tools.ts';
import { answerError, HttpError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { IdempotencyHeaders } from '../schemas.ts';
import { JSON_TYPE, sendPieces } from '../sendPieces.ts';
import type { Services } from '../services.ts';

/** What is left of a connection's idle time when a tool has waited for as long as it may. */
const AFTER_WAITING_MS = 60_000;

/** Section 4.5: the tool dispatcher. Each tool has a route of its own, with its own schemas. */
export const toolRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	app.route({
		method: 'GET',
		url: '/mcp/tools',
		schema: {
			operationId: 'listTools',
			tags: ['Tools'],
			summary: 'Lists the tools, each with the JSON Schema of its parameters',
			response: {
				200: Type.Object({
					tools: Type.Array(
						Type.Object({
							name: Type.String(),
							description: Type.String(),
							inputSchema: Type.Object({}, { additionalProperties: true }),
						}),
					),
				}),
			},
		},
		handler: async () => ({
			tools: TOOLS.map(({ name, description, inputSchema }) => ({
				name,
				description,
				inputSchema,
			})),
		}),
	});

	for (const tool of TOOLS) {
		const takesFile = tool === convertBankStatement;
		app.route({
			method: 'POST',
			url: `/mcp/tools/${tool.name}`,
			...(takesFile ? { bodyLimit: LONGEST_FILE_BODY, errorHandler: answerLargeBody } : {}),
			schema: {
				operationId: `runTool_${tool.name}`,
				tags: ['Tools'],
				errors: ERRORS[tool.name] ?? [],
				summary: `Runs the tool ${tool.name}`,
				description: tool.description,
				...(tool.readOnly ? {} : { headers: IdempotencyHeaders }),
				body: tool.inputSchema,
				...(tool.inputSchema.required?.length ? {} : { bodyRequired: false }),
				response: { 200: tool.resultSchema },
			},
			preValidation: async (request) => {
				// Without a body there are no parameters; which of them are missing is said by the schema.
				if (request.body === undefined) request.body = {};
			},
			handler: async (request, reply) => {
				const longestWait = services.config.toolWaitSeconds * 1000;
				// Nothing moves on the connection while the tool waits.
				request.raw.setTimeout(longestWait + AFTER_WAITING_MS);
				const call = {
					services,
					caller: request,
					signal: goneSignal(services, reply),
					longestWait,
				};
				return await runTool(tool, call, request, reply);
			},
		});
	}

	app.route({
		method: 'POST',
		url: '/mcp/tools/:toolName',
		schema: {
			operationId: 'runTool',
			tags: ['Tools'],
			errors: ['not_found'],
			summary: 'Answers 404: every tool that there is has an address of its own',
			params: Type.Object({ toolName: Type.String() }),
			bodyRequired: false,
		},
		handler: async () => {
			throw noSuchTool();
		},
	});
};

async function runTool(
	tool: Tool,
	call: ToolCall,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const result = await tool.run(call, request.body);
	if (result instanceof JsonPieces) return await sendPieces(reply, JSON_TYPE, result.pieces);
	return reply.send(result);
}

/** Which tools there are, for whoever asks for another one. */
export function noSuchTool(): HttpError {
	const names = TOOLS.map(({ name }) => name).join(', ');
	return new HttpError(
		404,
		'not_found',
		`There is no such tool. The tools are ${names}.`,
		'toolName',
	);
}

/** Aborted when the client is gone or the service stops. */
export function goneSignal({ stopping }: Services, reply: FastifyReply): AbortSignal {
	const gone = new AbortController();
	reply.raw.once('close', () => gone.abort());
	return AbortSignal.any([gone.signal, stopping]);
}

/** A body that is too large for any file of this tool is a file that is too large. */
function answerLargeBody(
	error: FastifyError | HttpError,
	request: FastifyRequest,
	reply: FastifyReply,
): void {
	const tooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
	answerError(tooLarge ? fileTooLargeForTool() : error, request, reply);
}

const ERRORS: Record<string, readonly ErrorCode[]> = {
	convert_bank_statement: [
		'unsupported_type',
		'empty_file',
		'file_too_large',
		'idempotency_mismatch',
		'job_failed',
	],
	download_transactions: ['not_found', 'job_not_finished', 'job_failed'],
	get_transactions: ['not_found', 'job_not_finished', 'job_failed'],
	upload_url: ['unsupported_type', 'idempotency_mismatch'],
	convert_document: ['not_found', 'document_not_uploaded', 'idempotency_mismatch'],
	get_job_status: ['not_found', 'rate_limited'],
	list_documents: ['not_found'],
	get_document: ['not_found'],
	get_document_transactions: ['not_found', 'document_not_extracted'],
};
