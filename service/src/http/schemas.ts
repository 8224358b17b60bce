import { Type } from '@fastify/type-provider-typebox';
import { LARGEST_ID } from '../documents/documentId.ts';
import { LONGEST_KEY } from './idempotencyKey.ts';

/** Shapes that several routes share. One schema validates and is published. */

/** Section 2: an id is an integer or a string; `7` and `"7"` are the same. */
export const IdLike = Type.Union([Type.Integer(), Type.String()]);

type Named = 'document' | 'job' | 'project' | 'webhook' | 'delivery' | 'access token';

/** An id in a path. What is no id is the id of nothing, so it is not found rather than wrong. */
export const idInPath = (what: Named) =>
	Type.Union([Type.Integer({ minimum: 1, maximum: LARGEST_ID }), Type.String()], {
		description: `Id of the ${what}, a whole number. Any other text is answered with 404.`,
	});

export const idParams = (what: Named) => Type.Object({ id: idInPath(what) });

export const DocumentParams = Type.Object({ documentId: idInPath('document') });

export const IdempotencyHeaders = Type.Object({
	'Idempotency-Key': Type.Optional(
		Type.String({
			minLength: 1,
			maxLength: LONGEST_KEY,
			description: 'The same key with the same body creates nothing anew for 24 hours',
		}),
	),
});

export const Moment = Type.String({ format: 'date-time' });

export const IncludeRaw = Type.Boolean({
	default: false,
	description: 'true gives every printed line instead of transactions',
});

/** A file as an attachment, beside or instead of JSON. */
export const CsvFile = { schema: Type.String({ description: 'UTF-8, CRLF, with a header line' }) };
export const CsvHeaders = {
	'Content-Disposition': Type.String({
		description: 'The name of the file, where it is CSV',
		'x-only-sometimes': true,
	}),
};

/** A page of a list. */
export const Offset = Type.Integer({
	minimum: 0,
	// The largest that the database takes without rounding.
	maximum: Number.MAX_SAFE_INTEGER,
	default: 0,
	description: 'How many entries are left out at the beginning',
});

export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
	Type.Union([schema, Type.Null()]);

export const FailureReasonSchema = nullable(
	Type.Object({ code: Type.String(), message: Type.String() }, { title: 'FailureReason' }),
);

export const JOB_DOCUMENT_STATUSES = ['uploaded', 'processing', 'extracted', 'failed'] as const;

export const JobSchema = Type.Object(
	{
		id: IdLike,
		status: Type.Enum(['Created', 'Queued', 'InProgress', 'Succeeded', 'Failed', 'OutOfCredits']),
		jobType: Type.String(),
		subType: nullable(Type.String()),
		name: nullable(Type.String()),
		documents: Type.Array(
			Type.Object({
				id: IdLike,
				status: Type.Enum([...JOB_DOCUMENT_STATUSES]),
				failureReason: FailureReasonSchema,
			}),
		),
		transactionCount: nullable(Type.Integer()),
		failureReason: FailureReasonSchema,
		createdAt: Moment,
		startedAt: nullable(Moment),
		finishedAt: nullable(Moment),
	},
	{ title: 'Job' },
);

export const DocumentSchema = Type.Object(
	{
		id: IdLike,
		originalname: Type.String(),
		mimetype: Type.String(),
		size: nullable(Type.Integer()),
		pageCount: nullable(Type.Integer()),
		status: Type.Enum(['waiting', 'uploaded', 'processing', 'extracted', 'failed']),
		documentType: nullable(Type.Enum(['bankStatement', 'check', 'invoice', 'form'])),
		source: Type.String(),
		transactionCount: nullable(Type.Integer()),
		isReconciled: nullable(Type.Boolean()),
		createdAt: Moment,
		uploadedAt: nullable(Moment),
		extractedAt: nullable(Moment),
		failureReason: FailureReasonSchema,
		project: nullable(
			Type.Object({
				id: IdLike,
				name: Type.String(),
				parentFolder: nullable(Type.String()),
			}),
		),
		customerId: nullable(Type.String()),
	},
	{ title: 'Document' },
);

const TransactionFields = {
	date: Type.String({ pattern: '^\\d{14}$', description: 'YYYYMMDDHHMMSS' }),
	amount: Type.Number({ description: 'Negative is outgoing, positive is incoming.' }),
	memo: Type.String(),
	name: Type.String(),
	payee: Type.String(),
	checkNumber: Type.String(),
	balance: nullable(Type.Number()),
	category: Type.String(),
	fitId: Type.String(),
	descriptionLines: Type.Array(Type.String()),
	pageNumber: Type.Integer(),
};

/** One row of the flat view; of the raw view only the first line of a transaction has its fields. */
export const RowSchema = Type.Object(
	{
		documentId: IdLike,
		isTransaction: Type.Boolean(),
		account: Type.Optional(Type.String()),
		period: Type.Optional(Type.String()),
		rowNumber: Type.Optional(Type.Integer()),
		lineNumber: Type.Optional(Type.Integer()),
		continues: Type.Optional(Type.Boolean()),
		text: Type.Optional(Type.String()),
		cells: Type.Optional(Type.Array(Type.String())),
		...Type.Partial(Type.Object(TransactionFields)).properties,
		pageNumber: Type.Integer(),
	},
	{ title: 'Row' },
);

/** The flat view of a job. */
export const JobRowsSchema = Type.Object({
	jobId: IdLike,
	count: Type.Integer(),
	transactions: Type.Array(RowSchema),
});

/** The flat view of an export: `selectedFieldNames` leaves members out. */
export const ExportedRowsSchema = Type.Object({
	jobId: IdLike,
	count: Type.Integer(),
	transactions: Type.Array(Type.Partial(RowSchema, { title: 'ExportedRow' })),
});

/** One account of the grouped shape. `period` is the index of the sub-period. */
const AccountDataSchema = Type.Object(
	{
		bankMode: Type.Object({
			transactions: Type.Array(
				Type.Object({ period: Type.String(), ...TransactionFields }, { title: 'Transaction' }),
			),
			totalCredits: Type.String({ description: 'Decimal number' }),
			totalDebits: Type.String({ description: 'Decimal number, negative where there are debits' }),
			numCredits: Type.Integer(),
			numDebits: Type.Integer(),
		}),
		metadata: Type.Array(
			Type.Object({
				name: Type.Enum(['startBalance', 'endBalance', 'startDate', 'endDate', 'isReconciled']),
				value: Type.String(),
				period: Type.String(),
			}),
		),
	},
	{ title: 'AccountData' },
);

/** Section 2.8: document id, then account (or `metadata`), then `bankMode`. */
export const GroupedDataSchema = Type.Record(
	Type.String(),
	Type.Object(
		{ metadata: Type.Array(Type.Unknown(), { description: 'Of the document; may be empty' }) },
		{ additionalProperties: AccountDataSchema },
	),
	{ title: 'GroupedData' },
);

/** Section 2.9. */
export const FraudSignalSchema = Type.Object(
	{
		id: Type.Integer(),
		documentId: Type.Integer(),
		period: nullable(Type.String()),
		type: Type.String(),
		confidence: Type.Number({ minimum: 0, maximum: 1 }),
		details: nullable(Type.String()),
		pageNumber: nullable(Type.Integer()),
		bbox: nullable(Type.Object({}, { additionalProperties: true })),
		text: nullable(Type.String()),
		createdAt: Moment,
		updatedAt: Moment,
		reasonCode: Type.String(),
		metadata: Type.Object({}, { additionalProperties: true }),
	},
	{ title: 'FraudSignal' },
);

const WebhookFields = {
	id: Type.String(),
	url: Type.String(),
	events: Type.Array(Type.String()),
	enabled: Type.Boolean(),
	version: Type.String(),
	createdAt: Moment,
	updatedAt: Moment,
};

export const WebhookSchema = Type.Object(WebhookFields, { title: 'Webhook' });

/** The two answers that show a secret. */
export const WebhookWithSecretSchema = Type.Object(
	{
		...WebhookFields,
		secret: Type.String({ description: '64 hexadecimal characters' }),
		secretShownOnce: Type.Literal(true),
	},
	{ title: 'WebhookWithSecret' },
);

export const DeliverySchema = Type.Object(
	{
		id: Type.String(),
		webhookId: Type.String(),
		eventId: Type.String(),
		event: Type.String(),
		status: Type.Enum(['pending', 'in-progress', 'retrying', 'delivered', 'dead-letter']),
		test: Type.Boolean(),
		attempts: Type.Integer({ description: 'Since it was created or last replayed; at most 3' }),
		createdAt: Moment,
		nextAttemptAt: nullable(Moment),
		deliveredAt: nullable(Moment),
		attemptLog: Type.Array(
			Type.Object({
				attempt: Type.Integer(),
				replay: Type.Integer({ description: '0 for the automatic attempts; counts the replays' }),
				startedAt: Moment,
				durationMs: Type.Integer(),
				statusCode: nullable(Type.Integer()),
				error: nullable(Type.String()),
				responseBody: nullable(Type.String({ description: 'The start of the answer' })),
			}),
		),
	},
	{ title: 'Delivery' },
);
