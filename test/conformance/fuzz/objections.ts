import type {
	CheckedResponse,
	DescribedResponses,
	Schema,
} from '../description/describedResponses.ts';
import type { RequestPlan, WireRequest } from './requests.ts';

/** What a server may answer before it knows what a request is for: its head is too large. */
const LARGEST_HEAD_BYTES = 15_000;

/**
 * Everything that is wrong with an answer: what the document does not describe, a credential that is not
 * looked at, and success for what the document forbids.
 *
 * @param open the same document, for requests: their objects may have further members
 */
export function objections(
	described: DescribedResponses,
	open: DescribedResponses,
	plan: Pick<RequestPlan, 'credential'>,
	request: WireRequest,
	response: CheckedResponse,
): string[] {
	const { method, url } = request;
	const { status } = response;
	const asHead = method === 'HEAD';
	const asked = described.operationFor({ method: asHead ? 'GET' : method, url });
	if (asked === undefined) return undescribed(request, response);
	if (headBytes(request) > LARGEST_HEAD_BYTES && (status === 400 || status === 431)) return [];
	if (asHead) return headObjections(asked.operation.responses, response);

	const problems = described.checkAnswerOf(asked, response);
	const isGuarded = (asked.operation.security ?? []).length > 0;
	const succeeded = status >= 200 && status <= 299;
	if (isGuarded && plan.credential !== 'right' && (succeeded || status === 409)) {
		problems.push(
			`${method} ${url}: answered ${status} with a credential that is ${plan.credential}.`,
		);
	}
	if (plan.credential === 'right' && status === 401) {
		problems.push(`${method} ${url}: answered 401 with the right credential.`);
	}
	if (succeeded) {
		problems.push(
			...wrongQuery(open, asked.operation.parameters ?? [], request),
			...wrongBody(
				open,
				asked.operation.requestBody?.content?.['application/json']?.schema,
				request,
			),
		);
	}
	return problems;
}

/** Whatever is not described is not there. */
function undescribed({ method, url }: WireRequest, { status, body }: CheckedResponse): string[] {
	const refused = status === 404 || status === 400 || status === 405;
	// Guarded prefixes ask for the credential first.
	if (refused || status === 401) {
		return method === 'HEAD' || isErrorObject(body)
			? []
			: [`${method} ${url}: ${status} without an error object.`];
	}
	return [`${method} ${url}: ${status} for what the document does not describe.`];
}

/** HEAD is no operation of its own: it is answered like GET, or is not there. */
function headObjections(responses: object, { status, body }: CheckedResponse): string[] {
	const problems =
		(status in responses && status !== 500) || status === 404
			? []
			: [`HEAD: the status ${status} is not described.`];
	if (body.length > 0) problems.push('HEAD: there is a body.');
	return problems;
}

function isErrorObject(body: Uint8Array): boolean {
	try {
		const value: unknown = JSON.parse(new TextDecoder().decode(body));
		const error: unknown =
			typeof value === 'object' && value !== null ? Reflect.get(value, 'error') : null;
		return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
	} catch {
		return false;
	}
}

/** Success although a parameter does not fit its schema, or comes twice. */
function wrongQuery(
	open: DescribedResponses,
	parameters: Array<{ in: string; name: string; required?: boolean; schema: Schema }>,
	{ method, url, query }: WireRequest,
): string[] {
	return parameters.flatMap((parameter) => {
		if (parameter.in !== 'query' || url.startsWith('/storage/')) return [];
		const values = query.filter(([name]) => name === parameter.name).map(([, value]) => value);
		const [first] = values;
		const problem =
			first === undefined
				? null
				: values.length > 1
					? 'is given more than once'
					: open.problemOf(parameter.schema, typedValue(parameter.schema, first.toWellFormed()));
		return problem === null
			? []
			: [
					`${method} ${url}: success although ${parameter.name} ${problem} (${JSON.stringify(values)}).`,
				];
	});
}

/** As the introduction of the document says: plain decimal digits, and true, false, 1 or 0. */
function typedValue(schema: Schema, text: string): unknown {
	switch (schema['type']) {
		case 'integer':
			return /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text;
		case 'number':
			return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
		case 'boolean':
			return { true: true, '1': true, false: false, '0': false }[text] ?? text;
		default:
			return text;
	}
}

/** Success although the body does not fit its schema. */
function wrongBody(
	open: DescribedResponses,
	schema: Schema | undefined,
	{ method, url, json }: WireRequest,
): string[] {
	if (schema === undefined || json === undefined) return [];
	// As it was sent: an own `__proto__` is a member, and what JSON does not have is gone.
	const sent: unknown = JSON.parse(JSON.stringify(json) ?? 'null');
	const problem = open.problemOf(schema, sent);
	return problem === null ? [] : [`${method} ${url}: success although the body ${problem}.`];
}

function headBytes({ method, url, headers }: WireRequest): number {
	const fields = Object.entries(headers).reduce(
		(sum, [name, value]) => sum + name.length + value.length + 4,
		0,
	);
	return method.length + url.length + fields + 20;
}
