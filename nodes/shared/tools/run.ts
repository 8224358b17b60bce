import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../extraction/model';
import type { Access } from '../transport/access';
import { isWebPage, refusalOf, type Answer, type Refusal } from '../transport/answer';
import {
	answerFailure,
	operationFailure,
	strangeAnswerFailure,
	type Failure,
	type Task,
} from '../transport/failures';
import { idempotencyHeader, idempotencyKey } from '../transport/idempotencyKey';
import { ask, segment, type ServiceRequest } from '../transport/request';
import { tooLargeFailure } from './fileParameter';
import type { ToolRecord } from './records';
import { toolResult } from './result';

/** A tool may wait for an extraction before it answers. */
const TIMEOUT_MS = 15 * 60_000;
/** Tools that only read may be asked again; the others could do twice what is paid for. */
const READS = /^(get|list|download|search|find|read)_/i;

export interface ToolRun {
	itemIndex: number;
	toolName: string;
	/** What the service says about the tool; undefined where it does not. */
	tool: ToolRecord | undefined;
	body: IDataObject;
	/** Stands for the body where it is compared. */
	digest: string;
}

const SUBJECTS: Array<[RegExp, string]> = [
	[/^job_?ids?$/i, 'The job'],
	[/^(document_?ids?|documents)$/i, 'The document'],
	[/^project_?ids?$/i, 'The project'],
];

/** What a 404 is about: the tool itself, or what one of its parameters names. */
function missing({ toolName, tool, body }: ToolRun, refusal: Refusal): string {
	const field = refusal.field?.split(/[[.]/)[0];
	const isTool = field === 'toolName' || (field === undefined && tool === undefined);
	if (isTool) return `The tool '${toolName}'`;
	for (const name of field === undefined ? Object.keys(body) : [field]) {
		const subject = SUBJECTS.find(([pattern]) => pattern.test(name))?.[1];
		const value = body[name];
		if (subject === undefined) continue;
		return typeof value === 'string' || typeof value === 'number'
			? `${subject} ${String(value).slice(0, 60)}`
			: `One of those in '${name}'`;
	}
	return field === undefined
		? `What the tool '${toolName}' was asked for`
		: `What '${field}' names`;
}

/** n8n sends no body at all in place of an empty object, and a tool without parameters wants one. */
function bodyOf(body: IDataObject): Pick<ServiceRequest, 'body' | 'content'> {
	if (Object.keys(body).length > 0) return { body };
	return { content: async () => Buffer.from('{}') };
}

function refusalFailure(
	this: IExecuteFunctions,
	access: Access,
	answer: Answer,
	run: ToolRun,
	task: Task,
): Failure {
	const { itemIndex, toolName } = run;
	const refusal = refusalOf(answer);
	const said = refusal.message === undefined ? '' : `: ${refusal.message}`;
	if (answer.status === 404 && !isWebPage(answer)) {
		const subject = missing(run, refusal);
		const field = refusal.field === 'toolName' || subject.includes(toolName) ? 'Tool Name' : '';
		const named = field === '' ? {} : { field, ownFieldNames: false };
		return answerFailure(this.getNode(), access, answer, { ...task, subject, ...named });
	}
	if (answer.status === 409 && refusal.code === 'job_failed') {
		return operationFailure(this.getNode(), `The service could not extract the document${said}`, {
			itemIndex,
			description:
				'Open the file and check that it is complete and of the kind that the tool reads. If it asks for a password, send a copy without one',
			details: { toolName, code: refusal.code, serviceMessage: refusal.message, httpStatus: 409 },
		});
	}
	if (answer.status === 413) {
		const file = run.tool?.parameters?.find(({ kind }) => kind === 'file')?.name;
		if (file !== undefined) return tooLargeFailure.call(this, itemIndex, { name: file, toolName });
	}
	return answerFailure(this.getNode(), access, answer, task);
}

/**
 * POST /agent/mcp/tools/{toolName}: what the tool gave (see result.ts). Sent once, unless the tool
 * only reads. Throws NodeApiError, or NodeOperationError where the tool says that it failed.
 */
export async function runTool(
	this: IExecuteFunctions,
	access: Access,
	run: ToolRun,
): Promise<unknown> {
	const { itemIndex, toolName, tool, body, digest } = run;
	const task: Task = {
		itemIndex,
		doing: `run the tool '${toolName}'`,
		ownFieldNames: true,
		details: { toolName },
	};
	const harmless = tool?.readOnly === true || READS.test(toolName);
	const key = harmless
		? undefined
		: idempotencyKey.call(this, itemIndex, ['tool', access.baseUrl, toolName, digest]);
	const answer = await ask.call(
		this,
		access,
		{
			method: 'POST',
			path: `/agent/mcp/tools/${segment(toolName)}`,
			...bodyOf(body),
			headers: { ...idempotencyHeader(key), 'Content-Type': 'application/json' },
			timeoutMs: TIMEOUT_MS,
			harmless,
			accepts: [404, 409, 413],
		},
		task,
	);
	if (answer.status >= 300) throw refusalFailure.call(this, access, answer, run, task);
	const result = toolResult(answer);
	if (result === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	if (!('failure' in result)) return result.result;
	const said = result.failure === '' ? '' : `: ${result.failure}`;
	throw operationFailure(this.getNode(), `The tool '${toolName}' failed${said}`, {
		itemIndex,
		description: 'Check the parameters of the tool, then run the node again',
		details: {
			toolName,
			parameters: Object.keys(isJsonObject(body) ? body : {}),
		},
	});
}
