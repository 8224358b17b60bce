import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { WebhookRow } from '../../database/schema.ts';
import { numericId } from '../../documents/documentId.ts';
import { EVENT_NAMES } from '../../events/eventNames.ts';
import {
	DELIVERY_STATUSES,
	DeliveryUnderWayError,
	listDeliveries,
	replayDelivery,
} from '../../webhooks/deliveries.ts';
import { checkReceiver } from '../../webhooks/receiver/checkReceiver.ts';
import { addTestDelivery } from '../../webhooks/testDelivery.ts';
import {
	addWebhook,
	findWebhook,
	listWebhooks,
	regenerateSecret,
	removeWebhook,
	TooManyWebhooksError,
	updateWebhook,
	webhookRecord,
} from '../../webhooks/webhooks.ts';
import { accountOf } from '../authentication.ts';
import { HttpError, notFound } from '../errors.ts';
import {
	DeliverySchema,
	idParams,
	Offset,
	WebhookSchema,
	WebhookWithSecretSchema,
} from '../schemas.ts';
import type { Services } from '../services.ts';

const DELIVERIES_A_PAGE = 50;
const MOST_DELIVERIES_A_PAGE = 200;

const EventNameSchema = Type.Enum([...EVENT_NAMES]);
const UrlSchema = Type.String({ minLength: 1, maxLength: 2000 });
const EventsSchema = Type.Array(EventNameSchema, { minItems: 1, maxItems: 20 });

/** Section 4.4: webhooks, their secrets and their deliveries. */
export const webhookRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db, webhookSecretKey, receiverPolicy } = services;

	async function webhookOf(request: FastifyRequest, id: string | number): Promise<WebhookRow> {
		return found(await findWebhook(db, accountOf(request).contractId, idOf(id)));
	}

	/** Answers 400 for an address that the service would not deliver to. */
	async function assertReceiver(url: string): Promise<void> {
		// A reader of addresses ignores them at the ends; here the address is kept as it came.
		if (/[\s\p{Cc}]/u.test(url) || !url.isWellFormed()) {
			throw new HttpError(
				400,
				'invalid_request',
				'`url` must not contain white space or control characters.',
				'url',
			);
		}
		const problem = await checkReceiver(url, receiverPolicy);
		if (problem !== null) throw new HttpError(400, 'receiver_not_allowed', problem, 'url');
	}

	app.route({
		method: 'GET',
		url: '/webhooks',
		schema: {
			operationId: 'getWebhooks',
			tags: ['Webhooks'],
			summary: 'Lists the webhooks of the contract, oldest first',
			response: { 200: Type.Object({ webhooks: Type.Array(WebhookSchema) }) },
		},
		handler: async (request) => ({
			webhooks: (await listWebhooks(db, accountOf(request).contractId)).map(webhookRecord),
		}),
	});

	app.route({
		method: 'POST',
		url: '/webhooks',
		schema: {
			operationId: 'createWebhook',
			tags: ['Webhooks'],
			errors: ['receiver_not_allowed', 'too_many_webhooks'],
			summary: 'Creates a webhook; the answer is the only one that shows its secret',
			body: Type.Object({ url: UrlSchema, events: EventsSchema }),
			response: { 201: WebhookWithSecretSchema },
		},
		handler: async (request, reply) => {
			const { url, events } = request.body;
			assertDistinct(events);
			await assertReceiver(url);
			try {
				const added = await addWebhook(db, webhookSecretKey, accountOf(request), { url, events });
				return await reply.status(201).send(withSecret(added));
			} catch (error) {
				if (!(error instanceof TooManyWebhooksError)) throw error;
				throw new HttpError(400, 'too_many_webhooks', error.message);
			}
		},
	});

	app.route({
		method: 'GET',
		url: '/webhooks/events',
		schema: {
			operationId: 'getEventNames',
			tags: ['Webhooks'],
			summary: 'Lists the names of all events',
			response: { 200: Type.Object({ events: Type.Array(EventNameSchema) }) },
		},
		handler: async () => ({ events: [...EVENT_NAMES] }),
	});

	app.route({
		method: 'GET',
		url: '/webhooks/:id',
		schema: {
			operationId: 'getWebhook',
			tags: ['Webhooks'],
			errors: ['not_found'],
			summary: 'Gives one webhook, without its secret',
			params: idParams('webhook'),
			response: { 200: WebhookSchema },
		},
		handler: async (request) => webhookRecord(await webhookOf(request, request.params.id)),
	});

	app.route({
		method: 'PUT',
		url: '/webhooks/:id',
		schema: {
			operationId: 'updateWebhook',
			tags: ['Webhooks'],
			errors: ['not_found', 'receiver_not_allowed'],
			summary: 'Changes the address, the events or whether the webhook is enabled',
			params: idParams('webhook'),
			body: Type.Object({
				url: Type.Optional(UrlSchema),
				events: Type.Optional(EventsSchema),
				enabled: Type.Optional(Type.Boolean()),
			}),
			response: { 200: WebhookSchema },
		},
		handler: async (request) => {
			// Before the address is looked up: a stranger's webhook is not there, whatever the body.
			const { id } = await webhookOf(request, request.params.id);
			const { url, events, enabled } = request.body;
			if (events !== undefined) assertDistinct(events);
			if (url !== undefined) await assertReceiver(url);
			return webhookRecord(
				found(
					await updateWebhook(db, accountOf(request).contractId, id, {
						...(url === undefined ? {} : { url }),
						...(events === undefined ? {} : { events }),
						...(enabled === undefined ? {} : { enabled }),
					}),
				),
			);
		},
	});

	app.route({
		method: 'DELETE',
		url: '/webhooks/:id',
		schema: {
			operationId: 'deleteWebhook',
			tags: ['Webhooks'],
			errors: ['not_found'],
			summary: 'Removes a webhook with its deliveries',
			params: idParams('webhook'),
			response: { 204: Type.Null() },
		},
		handler: async (request, reply) => {
			const id = idOf(request.params.id);
			if (!(await removeWebhook(db, accountOf(request).contractId, id))) throw notFound('webhook');
			return await reply.status(204).send(null);
		},
	});

	app.route({
		method: 'POST',
		url: '/webhooks/:id/test',
		schema: {
			operationId: 'testWebhook',
			tags: ['Webhooks'],
			errors: ['not_found'],
			summary: 'Sends a sample delivery to the webhook',
			params: idParams('webhook'),
			bodyRequired: false,
			body: Type.Object({ event: Type.Optional(EventNameSchema) }),
			response: { 202: DeliverySchema },
		},
		preValidation: async (request) => {
			// The body may be left out.
			if (request.body === undefined) request.body = {};
		},
		handler: async (request, reply) => {
			const delivery = await addTestDelivery(
				db,
				accountOf(request),
				idOf(request.params.id),
				request.body.event ?? null,
			);
			return await reply.status(202).send(found(delivery));
		},
	});

	app.route({
		method: 'POST',
		url: '/webhooks/:id/regenerate-secret',
		schema: {
			operationId: 'regenerateWebhookSecret',
			tags: ['Webhooks'],
			errors: ['not_found'],
			summary: 'Gives the webhook a new secret; the old one is worth nothing from then on',
			params: idParams('webhook'),
			response: { 200: WebhookWithSecretSchema },
		},
		handler: async (request) => {
			const id = idOf(request.params.id);
			const { contractId } = accountOf(request);
			const renewed = await regenerateSecret(db, webhookSecretKey, contractId, id);
			if (renewed === null) throw notFound('webhook');
			return withSecret(renewed);
		},
	});

	app.route({
		method: 'GET',
		url: '/webhooks/:id/deliveries',
		schema: {
			operationId: 'getWebhookDeliveries',
			tags: ['Webhooks'],
			errors: ['not_found'],
			summary: 'Lists the deliveries of a webhook, newest first, with their attempts',
			params: idParams('webhook'),
			querystring: Type.Object({
				limit: Type.Optional(
					Type.Integer({ minimum: 1, maximum: MOST_DELIVERIES_A_PAGE, default: DELIVERIES_A_PAGE }),
				),
				offset: Type.Optional(Offset),
				status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
				since: Type.Optional(
					Type.String({ description: 'ISO 8601; deliveries that were created then or later' }),
				),
			}),
			response: {
				200: Type.Object({
					deliveries: Type.Array(DeliverySchema),
					total: Type.Integer(),
					limit: Type.Integer(),
					offset: Type.Integer(),
				}),
			},
		},
		handler: async (request) => {
			const webhook = await webhookOf(request, request.params.id);
			const { limit = DELIVERIES_A_PAGE, offset = 0, status = null, since } = request.query;
			const listed = await listDeliveries(db, webhook.id, {
				limit,
				offset,
				status,
				since: since === undefined ? null : momentOf(since, 'since'),
			});
			return { ...listed, limit, offset };
		},
	});

	app.route({
		method: 'POST',
		url: '/webhooks/deliveries/:id/retry',
		schema: {
			operationId: 'retryDelivery',
			tags: ['Webhooks'],
			errors: ['not_found', 'delivery_under_way'],
			summary: 'Sends a delivery that has ended once more, with the same event id and bytes',
			params: idParams('delivery'),
			response: { 202: DeliverySchema },
		},
		handler: async (request, reply) => {
			try {
				const { contractId } = accountOf(request);
				const delivery = await replayDelivery(db, contractId, idOf(request.params.id, 'delivery'));
				if (delivery === undefined) throw notFound('delivery');
				return await reply.status(202).send(delivery);
			} catch (error) {
				if (!(error instanceof DeliveryUnderWayError)) throw error;
				throw new HttpError(409, 'delivery_under_way', error.message);
			}
		},
	});
};

function idOf(id: string | number, what: 'webhook' | 'delivery' = 'webhook'): number {
	const number = numericId(id);
	if (number === null) throw notFound(what);
	return number;
}

function found<T>(webhook: T | undefined): T {
	if (webhook === undefined) throw notFound('webhook');
	return webhook;
}

function withSecret({ webhook, secret }: { webhook: WebhookRow; secret: string }) {
	return { ...webhookRecord(webhook), secret, secretShownOnce: true as const };
}

function assertDistinct(events: string[]): void {
	const index = events.findIndex((name, place) => events.indexOf(name) !== place);
	if (index === -1) return;
	const field = `events[${index}]`;
	throw new HttpError(
		400,
		'invalid_request',
		`\`${field}\` names ${events[index] ?? ''} a second time.`,
		field,
	);
}

const ISO_MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

function momentOf(text: string, field: string): Date {
	const moment = new Date(text);
	const year = moment.getUTCFullYear();
	// Other years are not written as four digits, and the database would not read them.
	if (!ISO_MOMENT.test(text) || !(year >= 1 && year <= 9999)) {
		throw new HttpError(
			400,
			'invalid_request',
			`\`${field}\` must be an ISO 8601 time, such as 2024-01-31T09:30:00Z.`,
			field,
		);
	}
	return moment;
}
