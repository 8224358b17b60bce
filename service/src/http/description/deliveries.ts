import { Type } from '@fastify/type-provider-typebox';
import type { TSchema } from '@fastify/type-provider-typebox';
import { EVENT_NAMES, EVENT_VERSION } from '../../events/eventNames.ts';
import type { EventName } from '../../events/eventNames.ts';
import {
	DocumentSchema,
	FailureReasonSchema,
	FraudSignalSchema,
	GroupedDataSchema,
	IdLike,
	JOB_DOCUMENT_STATUSES,
	JobSchema,
	nullable,
} from '../schemas.ts';

/** `data` of each event (docs/interface-choices.md, "Events"). */
const DATA: Record<EventName, TSchema> = {
	'document.uploaded': Type.Object({ document: DocumentSchema }),
	'document.extraction.completed': GroupedDataSchema,
	'bank_statement.extraction.completed': GroupedDataSchema,
	'invoice.extraction.completed': Type.Record(Type.String(), Type.Unknown()),
	'form.extraction.completed': Type.Record(
		Type.String(),
		Type.Array(
			Type.Object({
				rowNumber: Type.Integer(),
				pageNumber: Type.Integer(),
				form: Type.Record(Type.String(), Type.String()),
			}),
		),
	),
	'document.extraction.failed': Type.Object({
		failureReason: FailureReasonSchema,
		documents: Type.Array(
			Type.Object({
				id: IdLike,
				originalname: Type.String(),
				status: Type.Enum([...JOB_DOCUMENT_STATUSES]),
				failureReason: FailureReasonSchema,
			}),
		),
	}),
	'account.limit.approaching': Type.Object({
		pagesUsed: Type.Integer(),
		pageAllowance: Type.Integer(),
		percent: Type.Integer({ description: 'The mark that was passed, 80 or 100' }),
		month: Type.String({ description: 'YYYY-MM' }),
	}),
	'fraud.detected': Type.Object({
		document: Type.Object({ id: IdLike, originalname: Type.String() }),
		signals: Type.Array(FraudSignalSchema),
	}),
};

/** The body of a delivery (section 6). */
export function deliveryBodySchema(name: EventName): TSchema {
	return Type.Object({
		event: Type.Object({
			id: Type.String({ description: 'As in X-Service-Event-Id' }),
			name: Type.Literal(name),
			version: Type.Literal(EVENT_VERSION),
			createdAt: Type.String({ description: 'ISO 8601' }),
			test: Type.Optional(Type.Literal(true, { description: 'Present in a sample' })),
		}),
		job: nullable(Type.Object({ id: Type.String(), status: JobSchema.properties.status })),
		user: Type.Object({ id: Type.String() }),
		webhook: Type.Object({ id: Type.String() }),
		data: DATA[name],
	});
}

/** The `webhooks` of the OpenAPI document: what a receiver gets for each event. */
export function deliveryDescriptions() {
	return Object.fromEntries(
		EVENT_NAMES.map((name) => [
			name,
			{
				post: {
					operationId: `deliver ${name}`.replaceAll(/[^a-z]+(\w)/g, (_all, letter: string) =>
						letter.toUpperCase(),
					),
					summary: `What a webhook gets that is subscribed to ${name}`,
					tags: ['Webhooks'],
					parameters: DELIVERY_HEADERS.map(([header, description]) => ({
						in: 'header' as const,
						name: header,
						required: true,
						description,
						schema: { type: 'string' as const },
					})),
					requestBody: {
						required: true,
						content: { 'application/json': { schema: deliveryBodySchema(name) } },
					},
					responses: {
						'2XX': { description: 'The delivery has arrived' },
						default: {
							description:
								'It is sent again, at most three times; so is one without an answer in 30 s',
						},
					},
				},
			},
		]),
	);
}

const DELIVERY_HEADERS = [
	['X-Service-Event', 'The name of the event'],
	['X-Service-Event-Id', 'Unique; deliveries may come twice, and this tells them'],
	['X-Service-Version', 'The version of the schema of the event'],
	['X-Service-Signature', 'HMAC-SHA256 of the raw body with the secret, in hexadecimal digits'],
] as const;
