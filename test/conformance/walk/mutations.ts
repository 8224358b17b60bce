import {
	changedAt,
	isFor,
	jsonAnswer,
	withBody,
	withField,
	withoutField,
} from './mutatingProxy.ts';
import { withoutRoute, withRequest, withStatus } from './mutatingProxy.ts';
import type { Mutation, Passing, Route } from './mutatingProxy.ts';
import { at, isObject } from './expect.ts';
import { TOOL_ROWS } from './checks/4-tools.ts';
import type { RowId } from './rows.ts';

/** One thing that is not as the interface states, and the rows that have to notice. */
export interface MutationCase {
	name: string;
	service?: Mutation;
	/** What a delivery goes through on its way to the receiver. */
	deliveries?: Mutation;
	fails: RowId[];
	/** Rows that ask for the same and have to pass all the same. */
	passes: RowId[];
}

const V1 = '^/api/v1';
const route = (method: string, path: string): Route => [method, new RegExp(`${V1}${path}$`)];
const FORM_UPLOAD = route('POST', '/protected/document');
const UPLOADS3 = route('POST', '/protected/document/uploads3');
const DOWNLOADS3 = route('GET', '/protected/document/\\d+/downloads3');
const LEGACY_JOB = route('POST', '/protected/job');
const EXPORT = route('POST', '/protected/job/\\d+/export');
const SIGNALS = route('GET', '/protected/document/\\d+/fraudSignals');
const SCORE = route('GET', '/protected/document/\\d+/fraudScore');
const UPLOAD_URL = route('POST', '/agent/documents/upload-url');
const JOB_DATA = route('GET', '/agent/jobs/\\d+/data');
const JOB_ROWS = route('GET', '/agent/jobs/\\d+/transactions');
const JOB = route('GET', '/agent/jobs/\\d+');
const PROJECTS = route('GET', '/agent/projects');
const PROJECT_DOCUMENTS = route('GET', '/agent/projects/\\d+/documents');
const DOCUMENT_ROWS = route('GET', '/agent/documents/\\d+/transactions');
const WEBHOOKS = route('POST', '/agent/webhooks');
const WEBHOOK = '/agent/webhooks/\\d+';
const TOOLS = route('GET', '/agent/mcp/tools');
const STORAGE: Route = ['PUT', /^\/storage\//];
const DELIVERY: Route = ['POST', /./];

/** A delivery that arrives with other headers. */
function delivered(change: (headers: Record<string, string>) => Record<string, string>): Mutation {
	return withRequest(DELIVERY, (passing) => ({ ...passing, headers: change(passing.headers) }));
}

function withoutHeader(name: string): Mutation {
	return delivered((headers) =>
		Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
	);
}

const withHeader = (name: string, change: (value: string) => string): Mutation =>
	delivered((headers) => ({ ...headers, [name]: change(headers[name] ?? '') }));

/** A delivery whose body lacks a member. */
function deliveredWithout(path: string): Mutation {
	return withRequest(DELIVERY, (passing) => {
		const body = JSON.parse(passing.body.toString('utf8')) as unknown;
		const changed = changedAt(body, path.split('.'), () => undefined);
		return { ...passing, body: Buffer.from(JSON.stringify(changed)) };
	});
}

/** Deliveries of this event never arrive, though the service is told that they did. */
function neverDelivered(event: string): Mutation {
	return {
		request: (passing) =>
			passing.headers['x-service-event'] === event ? jsonAnswer(200, {}) : passing,
	};
}

/** A number in the query of a request is another one when it arrives. */
function withQuery(asked: Route, name: string, from: string, to: string): Mutation {
	return withRequest(asked, (passing) => {
		const url = new URL(passing.path, 'http://proxy');
		if (url.searchParams.get(name) !== from) return passing;
		url.searchParams.set(name, to);
		return { ...passing, path: url.pathname + url.search };
	});
}

const asks = (passing: Passing, name: string, value: string): boolean =>
	new URL(passing.path, 'http://proxy').searchParams.get(name) === value;

/** A page above its limit, filled up to that length by repeating what there is. */
function longerPage(asked: Route, limit: number, list: string): Mutation {
	const lowered = withQuery(asked, 'limit', String(limit), '1');
	return {
		...lowered,
		answer: (returning, passing) => {
			if (!isFor(asked, passing) || !asks(passing, 'limit', String(limit))) return returning;
			const body = JSON.parse(returning.body.toString('utf8')) as Record<string, unknown>;
			const entries = Array.isArray(body[list]) ? body[list] : [];
			const filled = Array.from({ length: limit }, () => entries[0] as unknown);
			return jsonAnswer(200, { ...body, [list]: filled });
		},
	};
}

/** The third attempt of every delivery gets lost. */
function withoutThirdAttempt(): Mutation {
	const attempts = new Map<string, number>();
	return {
		request: (passing) => {
			const id = passing.headers['x-service-event-id'] ?? '';
			const attempt = (attempts.get(id) ?? 0) + 1;
			attempts.set(id, attempt);
			return attempt === 3 ? jsonAnswer(500, {}) : passing;
		},
	};
}

const DATA = '*.*.bankMode';

export const mutations: MutationCase[] = [
	// Routes
	{
		name: 'POST …/uploads3/complete is missing',
		service: withoutRoute(...route('POST', '/protected/document/\\d+/uploads3/complete')),
		fails: ['4.1 POST /protected/document/{documentId}/uploads3/complete'],
		passes: ['4.1 POST /protected/document/uploads3', '7 400'],
	},
	{
		name: 'GET …/downloads3 is missing',
		service: withoutRoute(...DOWNLOADS3),
		fails: [
			'2.3 url',
			'4.1 GET /protected/document/{documentId}/downloads3',
			'8 expiresIn default',
		],
		passes: ['2.2 url'],
	},
	{
		name: 'GET …/fraudScore is missing',
		service: withoutRoute(...SCORE),
		fails: [
			'2.9 FraudScoreResponse.score',
			'4.1 GET /protected/document/{documentId}/fraudScore',
			'4.1 fraud analysis',
		],
		passes: ['2.9 FraudSignalsResponse.total'],
	},
	{
		name: 'the multipart upload is missing',
		service: withoutRoute(...FORM_UPLOAD),
		fails: ['2.1 document.id', '4.1 POST /protected/document', '7 400'],
		passes: ['2.2 document.id'],
	},
	{
		name: 'GET /agent/jobs/{id}/transactions is missing',
		service: withoutRoute(...JOB_ROWS),
		fails: ['4.2 GET /agent/jobs/{id}/transactions', '4.2 includeRaw'],
		passes: ['4.2 GET /agent/jobs/{id}/data'],
	},
	{
		name: 'includeRaw changes nothing',
		service: withQuery(JOB_ROWS, 'includeRaw', 'true', 'false'),
		fails: ['4.2 includeRaw'],
		passes: ['4.2 GET /agent/jobs/{id}/transactions'],
	},
	{
		name: 'a CSV of a document is not offered',
		service: withQuery(DOCUMENT_ROWS, 'format', 'csv', 'json'),
		fails: ['4.3 GET /agent/documents/{documentId}/transactions'],
		passes: ['4.3 GET /agent/documents/{documentId}/data'],
	},
	{
		name: 'DELETE of a webhook does nothing',
		service: {
			request: (passing) =>
				isFor(route('DELETE', WEBHOOK), passing) ? jsonAnswer(200, {}) : passing,
		},
		fails: ['4.4 DELETE /agent/webhooks/{id}'],
		passes: ['4.4 GET /agent/webhooks/{id}'],
	},
	{
		name: 'an update of a webhook is ignored',
		service: {
			request: (passing) => (isFor(route('PUT', WEBHOOK), passing) ? jsonAnswer(200, {}) : passing),
		},
		fails: ['4.4 PUT /agent/webhooks/{id}'],
		passes: ['4.4 GET /agent/webhooks/{id}'],
	},
	{
		name: 'the list of event names lacks one',
		service: withBody(route('GET', '/agent/webhooks/events'), (body) => ({
			events: (at(body, 'events') as string[]).filter((name) => name !== 'fraud.detected'),
		})),
		fails: ['4.4 GET /agent/webhooks/events'],
		passes: ['4.4 GET /agent/webhooks'],
	},
	{
		name: 'the delivery log is empty',
		service: withBody(route('GET', `${WEBHOOK}/deliveries`), () => ({ deliveries: [] })),
		fails: ['4.4 GET /agent/webhooks/{id}/deliveries'],
		passes: ['4.4 POST /agent/webhooks/{id}/test'],
	},

	// Fields
	{
		name: 'document.s3Key is missing in uploads3',
		service: withoutField(UPLOADS3, 'document.s3Key'),
		fails: ['2.2 document.s3Key', '4.1 POST /protected/document/uploads3'],
		passes: ['2.2 document.s3Path', '2.2 url'],
	},
	{
		name: 'expiresIn is missing in downloads3',
		service: withoutField(DOWNLOADS3, 'expiresIn'),
		fails: ['2.3 expiresIn', '4.1 GET /protected/document/{documentId}/downloads3'],
		passes: ['2.3 url', '2.3 document.id'],
	},
	{
		name: 'document.id is missing in upload-url',
		service: withoutField(UPLOAD_URL, 'document.id'),
		fails: ['2.2 upload-url', '4.2 POST /agent/documents/upload-url'],
		passes: ['2.2 document.id'],
	},
	{
		name: 'pdfInfo has no pageCount',
		service: withoutField(FORM_UPLOAD, 'pdfInfo.pageCount'),
		fails: ['2.1 pdfInfo.pageCount'],
		passes: ['2.1 pdfInfo', '2.1 document.id'],
	},
	{
		name: 'metadata=1 gives no metadata',
		service: withoutField(FORM_UPLOAD, 'metadata'),
		fails: ['2.1 metadata', '4.1 POST /protected/document'],
		passes: ['2.1 document'],
	},
	{
		name: 'totalDebits is missing in the export',
		service: withoutField(EXPORT, `${DATA}.totalDebits`),
		fails: ['2.8 totalDebits'],
		passes: ['2.8 totalCredits', '4.1 POST /protected/job/{id}/export'],
	},
	{
		name: 'totalDebits is without its sign',
		service: withField(JOB_DATA, `${DATA}.totalDebits`, (value) => String(value).slice(1)),
		fails: ['2.8 totalDebits', '4.2 GET /agent/jobs/{id}/data'],
		passes: ['2.8 numDebits'],
	},
	{
		name: 'totalCredits is a number',
		service: withField(EXPORT, `${DATA}.totalCredits`, Number),
		fails: ['2.8 totalCredits'],
		passes: ['2.8 numCredits'],
	},
	{
		name: 'a transaction is missing in the data',
		service: withField(JOB_DATA, `${DATA}.transactions`, (rows) => (rows as unknown[]).slice(1)),
		fails: ['2.8 transactions', '4.2 GET /agent/jobs/{id}/data'],
		passes: ['2.8 numDebits'],
	},
	{
		name: 'amounts have the other sign',
		service: withField(EXPORT, `${DATA}.transactions.*.amount`, (value) => -Number(value)),
		fails: ['2.8 transaction.amount'],
		passes: ['2.8 totalCredits', '2.8 transaction.balance'],
	},
	{
		name: 'dates are in another format',
		service: withField(JOB_DATA, `${DATA}.transactions.*.date`, (value) =>
			String(value).slice(0, 8),
		),
		fails: ['2.8 transaction.date'],
		passes: ['2.8 transaction.amount', '2.8 metadata startDate'],
	},
	{
		name: 'rows have no fitId',
		service: withoutField(EXPORT, `${DATA}.transactions.*.fitId`),
		fails: ['2.8 transaction.fitId'],
		passes: ['2.8 transaction.memo'],
	},
	{
		name: 'the metadata of an account lack the end balance',
		service: withField(JOB_DATA, '*.*.metadata', (entries) =>
			Array.isArray(entries)
				? entries.filter((entry) => at(entry, 'name') !== 'endBalance')
				: entries,
		),
		fails: ['2.8 metadata endBalance'],
		passes: ['2.8 metadata startBalance', '2.8 metadata entry'],
	},
	{
		name: 'isReconciled is always 1',
		service: withField(JOB_DATA, '*.*.metadata.*', (entry) =>
			isObject(entry) && entry['name'] === 'isReconciled' ? { ...entry, value: '1' } : entry,
		),
		fails: ['2.8 metadata isReconciled'],
		passes: ['2.8 metadata entry'],
	},
	{
		name: 'signals have no reasonCode',
		service: withoutField(SIGNALS, 'signals.*.reasonCode'),
		fails: ['2.9 reasonCode'],
		passes: ['2.9 type', '2.9 metadata'],
	},
	{
		name: 'the confidence of a signal is in percent',
		service: withField(SIGNALS, 'signals.*.confidence', (value) => Number(value) * 100),
		fails: ['2.9 confidence'],
		passes: ['2.9 type'],
	},
	{
		name: 'the score has no riskLevel',
		service: withoutField(SCORE, 'score.riskLevel'),
		fails: ['2.9 score.riskLevel'],
		passes: ['2.9 score.authenticityScore'],
	},
	{
		name: 'secretShownOnce is missing',
		service: withoutField(WEBHOOKS, 'secretShownOnce'),
		fails: ['2.10 secretShownOnce', '4.4 POST /agent/webhooks'],
		passes: ['2.10 secret'],
	},
	{
		name: 'the secret is shown again',
		service: withBody(route('GET', WEBHOOK), (body) => ({ ...(body as object), secret: 'x' })),
		fails: ['2.10 secret', '4.4 GET /agent/webhooks/{id}'],
		passes: ['2.10 id'],
	},
	{
		name: 'projects do not say their parent folder',
		service: withoutField(PROJECTS, 'projects.*.parentFolder'),
		fails: ['2.11 parent', '4.3 GET /agent/projects'],
		passes: ['2.11 source'],
	},
	{
		name: 'documents of a project do not say whether they are reconciled',
		service: withoutField(PROJECT_DOCUMENTS, 'documents.*.isReconciled'),
		fails: ['2.11 isReconciled'],
		passes: ['2.11 transactionCount', '2.11 page count'],
	},
	{
		name: 'documents of a project come oldest first',
		service: withField(PROJECT_DOCUMENTS, 'documents', (list) => (list as unknown[]).toReversed()),
		fails: ['4.3 GET /agent/projects/{projectId}/documents'],
		passes: ['2.11 status'],
	},
	{
		name: 'a tool is missing in the list',
		service: withField(TOOLS, 'tools', (list) =>
			(list as unknown[]).filter((tool) => at(tool, 'name') !== 'upload_url'),
		),
		fails: ['4.5 GET /agent/mcp/tools', '4.5 upload_url'],
		passes: ['4.5 get_job_status'],
	},
	{
		name: 'tools have no input schema',
		service: withoutField(TOOLS, 'tools.*.inputSchema'),
		fails: ['4.5 GET /agent/mcp/tools', '4.5 get_job_status'],
		passes: ['4.5 POST /agent/mcp/tools/{toolName}'],
	},

	// Statuses
	{
		name: 'a job is created with 202',
		service: withStatus(LEGACY_JOB, 201, 202),
		fails: ['2.5 templateId', '4.1 POST /protected/job'],
		passes: ['4.1 GET /protected/job/{id}'],
	},
	{
		name: 'a bad export is answered with 422',
		service: withStatus(EXPORT, 400, 422),
		fails: ['4.1 POST /protected/job/{id}/export', '7 400'],
		passes: ['2.8 transactions', '7 404'],
	},
	{
		name: 'a job that does not exist is answered with 403',
		service: withStatus(route('GET', '/protected/job/\\d+'), 404, 403),
		fails: ['4.1 GET /protected/job/{id}', '7 404'],
		passes: ['4.1 POST /protected/job'],
	},
	{
		name: 'one endpoint answers 403 without a credential',
		service: withStatus(route('POST', '/agent/webhooks/deliveries/\\d+/retry'), 401, 403),
		fails: ['5 4', '7 401'],
		passes: ['5 1'],
	},
	{
		name: 'a 401 is no JSON object',
		service: {
			answer: (returning) =>
				returning.status === 401 ? { ...returning, body: Buffer.from('"sign in"') } : returning,
		},
		fails: ['5 1', '5 4', '7 401', '7 rule 1'],
		passes: ['7 404'],
	},
	{
		name: 'a job that failed is shown as Succeeded later',
		service: {
			...withField(JOB, 'status', (value) => (value === 'Failed' ? 'Succeeded' : value)),
		},
		fails: ['3 Failed', '7 rule 4'],
		passes: ['3 Succeeded'],
	},

	// Limits
	{
		name: 'a project gives 201 documents',
		service: longerPage(PROJECT_DOCUMENTS, 201, 'documents'),
		fails: ['8 project documents limit'],
		passes: ['4.3 GET /agent/projects/{projectId}/documents'],
	},
	{
		name: '101 fraud signals are given',
		service: longerPage(SIGNALS, 101, 'signals'),
		fails: ['8 fraud signals limit'],
		passes: ['8 fraud signals offset'],
	},
	{
		name: 'a fraud signals limit of 0 gives none',
		service: {
			request: (passing) =>
				isFor(SIGNALS, passing) && asks(passing, 'limit', '0')
					? jsonAnswer(200, { total: 1, signals: [], score: null })
					: passing,
		},
		fails: ['8 fraud signals limit'],
		passes: ['8 fraud signals offset'],
	},
	{
		name: 'offset is not looked at',
		service: withQuery(SIGNALS, 'offset', '1', '0'),
		fails: ['8 fraud signals offset'],
		passes: ['8 fraud signals limit'],
	},
	{
		name: 'filters of the signals are not looked at',
		service: withRequest(SIGNALS, (passing) => ({
			...passing,
			path: passing.path.split('?')[0] ?? '',
		})),
		fails: [
			'4.1 GET /protected/document/{documentId}/fraudSignals',
			'8 fraud signals limit',
			'8 fraud signals offset',
		],
		passes: ['2.9 type'],
	},
	{
		name: 'expiresIn may be 0',
		service: withQuery(UPLOADS3, 'expiresIn', '0', '1'),
		fails: ['4.1 POST /protected/document/uploads3', '8 expiresIn minimum'],
		passes: ['8 expiresIn default'],
	},
	{
		name: 'an address does not end',
		service: withStatus(STORAGE, 403, 200),
		fails: ['8 expiresIn minimum'],
		passes: ['8 expiresIn default'],
	},
	{
		name: 'addresses are valid for an hour and a half by default',
		service: withField(UPLOADS3, 'expiresIn', (value) => (value === 3600 ? 5400 : value)),
		fails: ['8 expiresIn default'],
		passes: ['2.2 expiresIn'],
	},
	{
		name: 'the storage takes any Content-Type',
		service: withRequest(STORAGE, (passing) => ({
			...passing,
			headers: { ...passing.headers, 'content-type': 'application/pdf' },
		})),
		fails: ['4.2 PUT Content-Type'],
		passes: ['4.2 PUT url'],
	},
	{
		name: 'tight polling is not limited',
		service: {
			answer: (returning) =>
				returning.status === 429 ? jsonAnswer(200, { status: 'Queued' }) : returning,
		},
		fails: ['8 polling interval'],
		passes: ['4.2 polling'],
	},
	{
		name: 'a tool gives more rows than it may',
		service: withField(
			route('POST', '/agent/mcp/tools/download_transactions'),
			'transactions',
			(rows) => [...(rows as unknown[]), (rows as unknown[])[0]].slice(-TOOL_ROWS - 1),
		),
		fails: ['8 download_transactions rows'],
		passes: ['4.5 get_transactions'],
	},

	// Deliveries
	{
		name: 'signatures are wrong',
		deliveries: withHeader('x-service-signature', (value) => value.replace(/^./, 'g')),
		fails: ['4.2 canonical flow', '5 5', '6 X-Service-Signature'],
		passes: ['6 event.id'],
	},
	{
		name: 'signatures are in capitals',
		deliveries: withHeader('x-service-signature', (value) => value.toUpperCase()),
		fails: ['5 5', '6 X-Service-Signature'],
		passes: ['6 event.id'],
	},
	{
		name: 'X-Service-Signature is missing',
		deliveries: withoutHeader('x-service-signature'),
		fails: ['5 5', '6 X-Service-Signature'],
		passes: ['6 X-Service-Event'],
	},
	{
		name: 'X-Service-Event-Id is missing',
		deliveries: withoutHeader('x-service-event-id'),
		fails: ['6 X-Service-Event-Id', '6 event.id'],
		passes: ['6 X-Service-Version'],
	},
	{
		name: 'X-Service-Version is missing',
		deliveries: withoutHeader('x-service-version'),
		fails: ['6 X-Service-Version', '6 event.version', '9 3'],
		passes: ['6 event.id'],
	},
	{
		name: 'X-Service-Event is missing',
		deliveries: withoutHeader('x-service-event'),
		fails: ['6 X-Service-Event'],
		passes: ['6 event.name'],
	},
	{
		name: 'deliveries are sent as text',
		deliveries: withHeader('content-type', () => 'text/plain'),
		fails: ['6 Content-Type'],
		passes: ['6 data'],
	},
	{
		name: 'deliveries do not name their user',
		deliveries: deliveredWithout('user.id'),
		fails: ['6 user.id'],
		passes: ['6 webhook.id', '6 job.id'],
	},
	{
		name: 'the data of deliveries have no accounts',
		deliveries: deliveredWithout('data.*.*.bankMode'),
		fails: ['6 data'],
		passes: ['6 job.id'],
	},
	{
		name: 'failures are not delivered',
		deliveries: neverDelivered('document.extraction.failed'),
		fails: ['6 document.extraction.failed', '6 tie failed', '7 rule 4'],
		passes: ['6 tie bank statement'],
	},
	{
		name: 'the generic event is not delivered',
		deliveries: neverDelivered('document.extraction.completed'),
		fails: ['6 document.extraction.completed', '6 tie bank statement'],
		passes: ['6 bank_statement.extraction.completed'],
	},
	{
		name: 'a delivery is attempted twice only',
		deliveries: withoutThirdAttempt(),
		fails: ['3 attempt failed', '3 dead-letter', '6 rule 3', '8 webhook delivery attempts'],
		passes: ['3 attempt delivered'],
	},
];
