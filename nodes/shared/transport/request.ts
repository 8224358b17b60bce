import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Access } from './access';
import { bodyOf, type Answer } from './answer';
import { systemClock, type Clock } from './clock';
import { cancelSignal, type RequestContext } from './context';
import {
	answerFailure,
	cancelledFailure,
	connectionFailure,
	strangeAnswerFailure,
	unknownOutcomeFailure,
	type NoAnswer,
	type Task,
} from './failures';
import type { FileContent } from './file';
import { retryAfterMs } from './retryAfter';
import { withoutSecret } from './secrets';
import { isStream, startOf } from './streams';

/** A request to the service, below its base address. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Starts with a slash. Ids in it are encoded by the caller, with `segment`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Opens a body of bytes, anew for each try. Its type and length are in the headers. */
	content?: () => Promise<FileContent>;
	headers?: IDataObject;
	timeoutMs?: number;
	/** For a POST that does no harm when it is carried out twice. */
	harmless?: boolean;
	/** Statuses besides 2xx that are an answer and no failure, such as 404 for what may be gone. */
	accepts?: readonly number[];
	/** How often it is tried at most, for a caller who does not want to wait. */
	attempts?: number;
	/** Leaves the body of a success in `stream`. Whoever asks has to read or destroy it. */
	streamed?: boolean;
	/** Part of the request that a refusal may repeat and nobody else may see. */
	secret?: string;
}

/** One attempt: an answer of whatever status, or no answer. */
export type Attempt =
	| { kind: 'answer'; answer: Answer }
	/** `sent` is false only where the request certainly did not reach the service. */
	| ({ kind: 'noAnswer'; sent: boolean } & NoAnswer)
	| { kind: 'cancelled' };

const TIMEOUT_MS = 120_000;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 120_000;
const NEVER_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

/** An id as one segment of a path. */
export function segment(id: string): string {
	return encodeURIComponent(id);
}

/**
 * Why there was no answer. n8n and axios leave the code of the connection somewhere in the chain
 * of causes; where there is none, n8n itself refused the request, and says why.
 */
export function noAnswerFrom(error: unknown): Extract<Attempt, { kind: 'noAnswer' }> {
	let current: unknown = error;
	let reason: string | undefined;
	for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
		const { code, cause, message } = current as {
			code?: unknown;
			cause?: unknown;
			message?: unknown;
		};
		if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) {
			return { kind: 'noAnswer', code, reason, sent: !NEVER_SENT.has(code) };
		}
		if (typeof message === 'string' && message !== '') reason = message;
		current = cause;
	}
	return { kind: 'noAnswer', code: undefined, reason, sent: true };
}

/**
 * Asks once. Throws nothing but what n8n throws before the request, such as a missing credential, and
 * what opening the content throws.
 */
export async function attempt(
	this: RequestContext,
	access: Access,
	request: ServiceRequest,
): Promise<Attempt> {
	const signal = cancelSignal.call(this);
	if (signal?.aborted) return { kind: 'cancelled' };
	const { body, content: open, query, streamed = false } = request;
	const content = await open?.();
	const options: IHttpRequestOptions = {
		method: request.method,
		url: access.baseUrl + request.path,
		headers: { Accept: 'application/json', ...request.headers },
		timeout: request.timeoutMs ?? TIMEOUT_MS,
		// Text, not JSON: parsed here, so that no amount loses digits.
		encoding: streamed ? 'stream' : 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		...(query === undefined ? {} : { qs: query }),
		...(body === undefined ? {} : { body }),
		...(content === undefined ? {} : { body: content }),
	};
	try {
		const response = (await this.helpers.httpRequestWithAuthentication.call(
			this,
			access.credentialType,
			options,
		)) as HttpResponse;
		return { kind: 'answer', answer: await answerFrom(response, request) };
	} catch (error) {
		if (signal?.aborted) return { kind: 'cancelled' };
		return noAnswerFrom(error);
	} finally {
		// What is left of it is not wanted after a refusal or a broken connection.
		if (content !== undefined && !Buffer.isBuffer(content)) content.destroy();
	}
}

interface HttpResponse {
	body?: unknown;
	headers?: Record<string, unknown>;
	statusCode: number;
}

async function answerFrom(response: HttpResponse, request: ServiceRequest): Promise<Answer> {
	const { body, headers = {}, statusCode: status } = response;
	const isSuccess = status >= 200 && status < 300;
	if (!isStream(body)) {
		const text = asText(body);
		const { secret } = request;
		const shown = isSuccess || secret === undefined ? text : withoutSecret(text, secret);
		return { status, headers, text: shown };
	}
	if (isSuccess) return { status, headers, text: '', stream: body };
	const text = await startOf(body);
	return { status, headers, text };
}

/** Older versions of n8n parse JSON whatever was asked for. */
function asText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined ? '' : JSON.stringify(body);
}

function mayBeRepeated({ method, harmless = false }: ServiceRequest): boolean {
	return method !== 'POST' || harmless;
}

function isWanted({ status }: Answer, { accepts = [] }: ServiceRequest): boolean {
	return (status >= 200 && status < 300) || accepts.includes(status);
}

function passes(result: Attempt, request: ServiceRequest): boolean {
	if (result.kind === 'cancelled') return false;
	if (result.kind === 'noAnswer') return mayBeRepeated(request) || !result.sent;
	const { status } = result.answer;
	return status === 429 || (mayBeRepeated(request) && status >= 500 && status !== 501);
}

/**
 * Asks, and asks again after a failure that passes: any failed reading (no answer, 5xx), and of
 * what changes something only what the service certainly did not carry out (429, no connection).
 * `Retry-After` is honoured up to two minutes. Returns an answer that is wanted; otherwise throws
 * NodeApiError, or NodeOperationError where the execution was cancelled.
 */
export async function ask(
	this: RequestContext,
	access: Access,
	request: ServiceRequest,
	task: Task,
	clock: Clock = systemClock,
): Promise<Answer> {
	const node = this.getNode();
	const signal = cancelSignal.call(this);
	let pauseMs = FIRST_PAUSE_MS;
	for (let number = 1; ; number++) {
		const result = await attempt.call(this, access, request);
		if (result.kind === 'answer' && isWanted(result.answer, request)) return result.answer;
		const asked =
			result.kind === 'answer' ? retryAfterMs(result.answer.headers, clock.now()) : undefined;
		const next = Math.max(asked ?? 0, pauseMs * (1 + clock.random() / 4));
		if (
			number < (request.attempts ?? ATTEMPTS) &&
			next <= LONGEST_PAUSE_MS &&
			passes(result, request)
		) {
			await clock.pause(next, signal);
			pauseMs *= 2;
			continue;
		}
		if (result.kind === 'cancelled') throw cancelledFailure(node, task.itemIndex, task.details);
		if (result.kind === 'answer') throw answerFailure(node, access, result.answer, task);
		if (!mayBeRepeated(request) && result.sent) {
			throw unknownOutcomeFailure(node, result, task);
		}
		throw connectionFailure(node, result, task);
	}
}

/** As `ask`, for answers that have to be JSON. Gives the parsed body beside the answer. */
export async function askForJson(
	this: RequestContext,
	access: Access,
	request: ServiceRequest,
	task: Task,
): Promise<{ answer: Answer; body: unknown }> {
	const answer = await ask.call(this, access, request, task);
	const body = bodyOf(answer);
	if (body === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	return { answer, body };
}
