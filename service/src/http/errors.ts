import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** Every code of an error, and its status (docs/interface-choices.md, "Errors"). */
export const ERROR_STATUS = {
	invalid_request: 400,
	unsupported_type: 400,
	document_not_uploaded: 400,
	receiver_not_allowed: 400,
	too_many_webhooks: 400,
	content_type_mismatch: 400,
	empty_file: 400,
	incomplete_upload: 400,
	etag_mismatch: 400,
	unauthorized: 401,
	address_expired: 403,
	signature_mismatch: 403,
	not_found: 404,
	method_not_allowed: 405,
	not_acceptable: 406,
	job_not_finished: 409,
	job_failed: 409,
	document_not_extracted: 409,
	delivery_under_way: 409,
	document_in_use: 409,
	idempotency_mismatch: 409,
	length_required: 411,
	file_too_large: 413,
	body_too_large: 413,
	unsupported_media_type: 415,
	rate_limited: 429,
	internal_error: 500,
	starting: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The one error object of every answer (docs/interface-choices.md, "Errors"). */
export interface ErrorBody {
	error: { code: ErrorCode; message: string; field?: string };
}

/** An answer that is an error. The message tells a person what to do, and holds no secret. */
export class HttpError extends Error {
	readonly status: number;
	readonly code: ErrorCode;
	readonly field: string | null;

	constructor(status: number, code: ErrorCode, message: string, field: string | null = null) {
		super(message);
		this.name = 'HttpError';
		this.status = status;
		this.code = code;
		this.field = field;
	}
}

/** Asked too often. The answer says in `Retry-After` how long to wait. */
export class RateLimitedError extends HttpError {
	/** Whole seconds, at least 1. */
	readonly retryAfterSeconds: number;

	constructor(message: string, retryAfterSeconds: number) {
		super(429, 'rate_limited', message);
		this.name = 'RateLimitedError';
		this.retryAfterSeconds = retryAfterSeconds;
	}
}

export function notFound(
	what: 'document' | 'job' | 'project' | 'webhook' | 'delivery' | 'access token',
	field: string | null = null,
): HttpError {
	return new HttpError(404, 'not_found', `There is no such ${what}.`, field);
}

export function errorBody(
	code: ErrorCode,
	message: string,
	field: string | null = null,
): ErrorBody {
	return { error: { code, message, ...(field === null ? {} : { field }) } };
}

/** Turns every error of a request into the one error object. What is not expected is logged. */
export function answerError(
	error: FastifyError | HttpError,
	request: FastifyRequest,
	reply: FastifyReply,
): void {
	const known = error instanceof HttpError ? error : knownError(error);
	if (known !== null) {
		if (known instanceof RateLimitedError) {
			void reply.header('retry-after', String(known.retryAfterSeconds));
		}
		void reply
			.status(known.status)
			.type('application/json')
			.send(errorBody(known.code, known.message, known.field));
		return;
	}
	request.log.error({ err: error }, 'A request ended with a fault in the service.');
	void reply
		.status(500)
		.type('application/json')
		.send(
			errorBody(
				'internal_error',
				`The service has a fault. Its log says more under the request ${request.id}.`,
			),
		);
}

function knownError(error: FastifyError): HttpError | null {
	const [problem] = error.validation ?? [];
	if (problem !== undefined) return invalid(error);
	switch (error.code) {
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			return new HttpError(
				413,
				'body_too_large',
				'The body of the request is larger than this address takes. Send less at a time; files go to the address of upload-url.',
			);
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
			return new HttpError(
				415,
				'unsupported_media_type',
				'The body must be JSON, with the header Content-Type: application/json.',
			);
		case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
			return new HttpError(
				400,
				'invalid_request',
				'The body is not as long as the header Content-Length says.',
			);
		case 'FST_ERR_BAD_URL':
			return new HttpError(400, 'invalid_request', 'The address of the request is malformed.');
		// What is longer than any id is the id of nothing.
		case 'FST_ERR_MAX_PARAM_LENGTH':
			return new HttpError(404, 'not_found', 'There is no such address.');
	}
	if (error.statusCode === 404) return new HttpError(404, 'not_found', 'There is no such address.');
	if (error.statusCode === 400) {
		return new HttpError(400, 'invalid_request', 'The body of the request is not valid JSON.');
	}
	return null;
}

/** What a validator found wrong with a body that did not come as one, such as parameters of a tool. */
export function invalidBody(validation: Problem[]): HttpError {
	return invalid({ validation, validationContext: 'body' });
}

/** Says which field is wrong and how; of several problems the first. */
function invalid(error: Pick<FastifyError, 'validation' | 'validationContext'>): HttpError {
	const problems = error.validation ?? [];
	// An alternative reports each branch and then itself; only the last says what is allowed.
	const problem = problems.find(({ keyword }) => keyword === 'anyOf') ?? problems[0];
	const isHeader = error.validationContext === 'headers';
	const path = fieldOf(problem?.instancePath ?? '', isHeader);
	if (problem?.keyword === 'required') {
		const missing = problem.params.requiredProperties;
		const [name] = Array.isArray(missing) ? missing.map(String) : [];
		const field = [path, fieldOf(`/${name ?? ''}`, isHeader)].filter((part) => part).join('.');
		return new HttpError(400, 'invalid_request', `\`${field}\` is missing.`, field);
	}
	const place = PLACES.get(error.validationContext ?? '') ?? 'The request';
	const subject = path === '' ? place : `\`${path}\``;
	return new HttpError(
		400,
		'invalid_request',
		`${subject} ${problemText(problem, problems)}.`,
		path === '' ? null : path,
	);
}

const PLACES = new Map([
	['body', 'The body'],
	['querystring', 'The query'],
	['params', 'The path'],
	['headers', 'The header of the request'],
]);

type Problem = NonNullable<FastifyError['validation']>[number];

function problemText(problem: Problem | undefined, problems: Problem[]): string {
	const { keyword, params = {}, message } = problem ?? {};
	switch (keyword) {
		case 'anyOf':
			return alternatives(problems.filter((one) => one.instancePath === problem?.instancePath));
		case 'minimum':
			return `must be at least ${String(params.limit)}`;
		case 'maximum':
			return `must not be more than ${String(params.limit)}`;
		case 'enum': {
			const allowed = Array.isArray(params.allowedValues) ? params.allowedValues : [];
			return `must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`;
		}
		case 'minLength':
			return 'must not be empty';
		case 'maxLength':
			return `must not have more than ${String(params.limit)} characters`;
		case 'pattern':
			return 'has characters that are not allowed';
		case 'minItems':
			return `must have at least ${String(params.limit)} entry`;
		case 'maxItems':
			return `must not have more than ${String(params.limit)} entries`;
		case 'type':
			return `must be ${article(String(params.type))}`;
		default:
			return message ?? 'is not valid';
	}
}

/** What each branch of an alternative wants: its type, or what else is wrong with the value. */
function alternatives(problems: Problem[]): string {
	const branches = problems.filter(({ keyword }) => keyword !== 'anyOf');
	const types = branches.filter(({ keyword }) => keyword === 'type');
	const other = branches.find(({ keyword }) => keyword !== 'type');
	if (other !== undefined) return problemText(other, []);
	return `must be ${types.map(({ params }) => article(String(params.type))).join(' or ')}`;
}

function article(type: string): string {
	if (type === 'null') return type;
	return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** `/documents/1` as `documents[1]`; headers as they are written, `idempotency-key` as `Idempotency-Key`. */
function fieldOf(pointer: string, isHeader: boolean): string {
	return pointer
		.split('/')
		.slice(1)
		.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
		.map((part) =>
			isHeader ? part.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) : part,
		)
		.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
		.join('');
}
