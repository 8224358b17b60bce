import { randomBytes } from 'node:crypto';

import { KNOWN_EVENTS } from '../../nodes/shared/webhooks/events';
import { ScriptedService, type Reply } from './scriptedService';

export interface StoredWebhook {
	id: string;
	url: string;
	events: string[];
	enabled: boolean;
	secret: string;
}

export const secretText = () => randomBytes(32).toString('hex');

/** A service with the webhook endpoints of section 4.4, as the interface describes them. */
export class WebhookService extends ScriptedService {
	readonly webhooks = new Map<string, StoredWebhook>();
	private lastId = 0;

	constructor() {
		super();
		this.on('GET', /\/agent\/webhooks(\?.*)?$/, () => ({
			body: { webhooks: [...this.webhooks.values()].map((one) => this.shown(one)) },
		}));
		this.on('POST', /\/agent\/webhooks$/, ({ body }) => {
			const { url, events } = JSON.parse(body.toString()) as StoredWebhook;
			return { status: 201, body: this.told(this.add({ url, events })) };
		});
		this.on('GET', /\/agent\/webhooks\/(\d+)$/, (_request, [id]) =>
			this.with(id, (webhook) => ({ body: this.shown(webhook) })),
		);
		this.on('PUT', /\/agent\/webhooks\/(\d+)$/, ({ body }, [id]) =>
			this.with(id, (webhook) => {
				Object.assign(webhook, JSON.parse(body.toString()));
				return { body: this.shown(webhook) };
			}),
		);
		this.on('DELETE', /\/agent\/webhooks\/(\d+)$/, (_request, [id]) =>
			this.with(id, () => {
				this.webhooks.delete(id!);
				return { status: 204 };
			}),
		);
		this.on('POST', /\/agent\/webhooks\/(\d+)\/regenerate-secret$/, (_request, [id]) =>
			this.with(id, (webhook) => {
				webhook.secret = secretText();
				return { body: this.told(webhook) };
			}),
		);
		this.on('GET', /\/agent\/webhooks\/events$/, {
			body: { events: [...KNOWN_EVENTS.map(({ name }) => name), 'document.deleted'] },
		});
	}

	add(fields: Partial<StoredWebhook> & { url: string }): StoredWebhook {
		const id = String(++this.lastId);
		const webhook = { id, events: [], enabled: true, secret: secretText(), ...fields };
		this.webhooks.set(webhook.id, webhook);
		return webhook;
	}

	/** Those that deliver to this address. */
	at(url: string): StoredWebhook[] {
		return [...this.webhooks.values()].filter((webhook) => webhook.url === url);
	}

	shown({ id, url, events, enabled }: StoredWebhook) {
		return { id, url, events, enabled, version: '2024-01-01', createdAt: '2026-01-01T00:00:00Z' };
	}

	told(webhook: StoredWebhook) {
		return { ...this.shown(webhook), secret: webhook.secret, secretShownOnce: true };
	}

	with(id: string | undefined, then: (webhook: StoredWebhook) => Reply): Reply {
		const webhook = this.webhooks.get(id ?? '');
		return webhook === undefined ? { status: 404, body: { error: 'gone' } } : then(webhook);
	}
}
