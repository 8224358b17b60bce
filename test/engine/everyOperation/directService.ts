import type { IDataObject } from 'n8n-workflow';

import type { LocalService } from '../localService';
import type { Authentication } from './offered';

const LIMIT_MS = 60_000;
/** Often at first, and not more often in the long run than the service lets one job be asked for. */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 1_000;
const ENDED = new Set(['Succeeded', 'Failed', 'OutOfCredits']);

/** Asks until there is an answer. Throws after a minute. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
	const deadline = Date.now() + LIMIT_MS;
	for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LAST_LOOK_MS)) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`It did not happen: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, pause));
	}
}

/** Asks the service itself, so that what the node gives can be compared with it. */
export class DirectService {
	constructor(private readonly service: LocalService) {}

	/** The answer to one request; throws where it is no success. */
	async request(
		authentication: Authentication,
		method: string,
		path: string,
		body?: object,
	): Promise<IDataObject> {
		const response = await this.response(authentication, method, path, body);
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
		return text === '' ? {} : (JSON.parse(text) as IDataObject);
	}

	async response(
		authentication: Authentication,
		method: string,
		path: string,
		body?: object,
	): Promise<Response> {
		const { accessToken, jwt, baseUrl } = this.service;
		const token = authentication === 'jwt' ? jwt : accessToken;
		return await fetch(`${baseUrl}${path}`, {
			method,
			headers: {
				authorization: `Bearer ${token}`,
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
	}

	async get(path: string): Promise<IDataObject> {
		return await this.request(path.startsWith('/protected') ? 'jwt' : 'accessToken', 'GET', path);
	}

	/** Uploads a file; its document's id. */
	async upload(bytes: Buffer, filename: string): Promise<string> {
		const mimetype = 'application/pdf';
		const made = await this.request('accessToken', 'POST', '/agent/documents/upload-url', {
			filename,
			mimetype,
		});
		const stored = await fetch(String(made.url), {
			method: 'PUT',
			headers: { 'content-type': mimetype },
			body: new Uint8Array(bytes),
		});
		if (!stored.ok) throw new Error(`The storage answered ${stored.status}`);
		return String((made.document as IDataObject).id);
	}

	async createJob(documentId: string): Promise<string> {
		const documents = [Number(documentId)];
		const { jobId } = await this.request('accessToken', 'POST', '/agent/jobs', { documents });
		return String(jobId);
	}

	async endedJob(jobId: string): Promise<IDataObject> {
		return await until(`job ${jobId} ends`, async () => {
			const job = await this.get(`/agent/jobs/${jobId}`);
			return ENDED.has(String(job.status)) ? job : undefined;
		});
	}

	async webhooks(): Promise<IDataObject[]> {
		return (await this.get('/agent/webhooks')).webhooks as IDataObject[];
	}

	async deliveries(webhookId: string): Promise<IDataObject[]> {
		return (await this.get(`/agent/webhooks/${webhookId}/deliveries`)).deliveries as IDataObject[];
	}

	/** The log of a webhook, once everything in it has ended. */
	async endedDeliveries(webhookId: string): Promise<IDataObject[]> {
		return await until(`the deliveries of webhook ${webhookId} end`, async () => {
			const log = await this.deliveries(webhookId);
			const ended = log.every(({ status }) =>
				['delivered', 'dead-letter'].includes(String(status)),
			);
			return ended && log.length > 0 ? log : undefined;
		});
	}

	/** An access token that was the account's, and is revoked. */
	async revokedToken(): Promise<string> {
		const path = '/protected/accessTokens';
		const { id, token } = await this.request('jwt', 'POST', path, { name: 'Revoked' });
		await this.request('jwt', 'DELETE', `${path}/${String(id)}`);
		return String(token);
	}

	async deleteAllWebhooks(): Promise<void> {
		for (const { id } of await this.webhooks()) {
			await this.request('accessToken', 'DELETE', `/agent/webhooks/${String(id)}`);
		}
	}
}
