import { Type } from '@fastify/type-provider-typebox';
import { ErrorSchema } from './errors.ts';

/** Shapes that several routes share. One schema validates and is published. */

export const IdLike = Type.Union([Type.Integer(), Type.String()]);

export const IdParams = Type.Object({ id: Type.String() });

export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
	Type.Union([schema, Type.Null()]);

const FailureReasonSchema = nullable(Type.Object({ code: Type.String(), message: Type.String() }));

export const JobSchema = Type.Object({
	id: IdLike,
	status: Type.Enum(['Created', 'Queued', 'InProgress', 'Succeeded', 'Failed', 'OutOfCredits']),
	jobType: Type.String(),
	subType: nullable(Type.String()),
	name: nullable(Type.String()),
	documents: Type.Array(
		Type.Object({
			id: IdLike,
			status: Type.Enum(['uploaded', 'processing', 'extracted', 'failed']),
			failureReason: FailureReasonSchema,
		}),
	),
	transactionCount: nullable(Type.Integer()),
	failureReason: FailureReasonSchema,
	createdAt: Type.String(),
	startedAt: nullable(Type.String()),
	finishedAt: nullable(Type.String()),
});

export const DocumentSchema = Type.Object({
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
	createdAt: Type.String(),
	uploadedAt: nullable(Type.String()),
	extractedAt: nullable(Type.String()),
	failureReason: FailureReasonSchema,
	project: nullable(
		Type.Object({
			id: IdLike,
			name: Type.String(),
			parentFolder: nullable(Type.String()),
		}),
	),
	customerId: nullable(Type.String()),
});

const TransactionFields = {
	date: Type.String({ description: 'YYYYMMDDHHMMSS' }),
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
export const RowSchema = Type.Object({
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
});

/** The flat view of a job. */
export const JobRowsSchema = Type.Object({
	jobId: IdLike,
	count: Type.Integer(),
	transactions: Type.Array(RowSchema),
});

/** Section 2.8: document id, then account (or `metadata`), then `bankMode`. */
export const GroupedDataSchema = Type.Record(
	Type.String(),
	Type.Record(Type.String(), Type.Unknown()),
);

const WebhookFields = {
	id: Type.String(),
	url: Type.String(),
	events: Type.Array(Type.String()),
	enabled: Type.Boolean(),
	version: Type.String(),
	createdAt: Type.String(),
	updatedAt: Type.String(),
};

export const WebhookSchema = Type.Object(WebhookFields);

/** The two answers that show a secret. */
export const WebhookWithSecretSchema = Type.Object({
	...WebhookFields,
	secret: Type.String({ description: '64 hexadecimal characters' }),
	secretShownOnce: Type.Literal(true),
});

export const DeliverySchema = Type.Object({
	id: Type.String(),
	webhookId: Type.String(),
	eventId: Type.String(),
	event: Type.String(),
	status: Type.Enum(['pending', 'in-progress', 'retrying', 'delivered', 'dead-letter']),
	test: Type.Boolean(),
	attempts: Type.Integer({ description: 'Since it was created or last replayed; at most 3' }),
	createdAt: Type.String(),
	nextAttemptAt: nullable(Type.String()),
	deliveredAt: nullable(Type.String()),
	attemptLog: Type.Array(
		Type.Object({
			attempt: Type.Integer(),
			replay: Type.Integer({ description: '0 for the automatic attempts; counts the replays' }),
			startedAt: Type.String(),
			durationMs: Type.Integer(),
			statusCode: nullable(Type.Integer()),
			error: nullable(Type.String()),
			responseBody: nullable(Type.String({ description: 'The start of the answer' })),
		}),
	),
});

/** The answers that every route may give. */
export const ErrorResponses = {
	'4xx': ErrorSchema,
	'5xx': ErrorSchema,
};
