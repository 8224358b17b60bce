import { PlainError } from '../../scripts/processes/plainError.ts';
import { waitUntil } from '../../scripts/processes/waitUntil.ts';
import type { RunningService } from '../../scripts/service/serviceServer.ts';

/** A webhook as the service lists it (interface, section 2.10). */
export interface ServiceWebhook {
	id: string;
	url: string;
	events: string[];
	enabled: boolean;
	/** Only in the answer that makes it. */
	secret?: string;
}

/** An entry of the delivery log. */
export interface ServiceDelivery {
	id: string;
	eventId: string;
	event: string;
	status: 'pending' | 'in-progress' | 'retrying' | 'delivered' | 'dead-letter';
	attempts: number;
	attemptLog: Array<{
		statusCode: number | null;
		error: string | null;
		responseBody: string | null;
	}>;
}

export interface ServiceJob {
	id: string;
	status: string;
}

export interface ServiceProject {
	id: string;
	name: string;
}

const requestLimitMs = 30_000;
const jobLimitMs = 60_000;
/** Not more often than the service lets one job be asked for without an end. */
const jobIntervalMs = 500;
const deliveryLimitMs = 60_000;
const ended = new Set(['Succeeded', 'Failed', 'OutOfCredits']);

/** Talks to the service as a client of the agent surface does, without n8n in between. */
export class ServiceClient {
	/** @param running gives the service as it runs at the moment of a request */
	constructor(private readonly running: () => RunningService) {}

	/** Uploads a file; returns the document's id. */
	async upload(content: Buffer, filename: string): Promise<string> {
		const mimetype = 'application/pdf';
		const { url, document } = await this.request<{ url: string; document: { id: string } }>(
			'POST',
			'/agent/documents/upload-url',
			{ filename, mimetype },
		);
		const stored = await fetch(url, {
			method: 'PUT',
			headers: { 'content-type': mimetype },
			body: new Uint8Array(content),
			signal: AbortSignal.timeout(requestLimitMs),
		});
		if (!stored.ok) throw new Error(`The upload was answered ${stored.status}`);
		return String(document.id);
	}

	/** Uploads a file and has it extracted; returns the job's id. */
	async extract(content: Buffer, filename: string): Promise<string> {
		const documents = [await this.upload(content, filename)];
		const { jobId } = await this.request<{ jobId: string }>('POST', '/agent/jobs', { documents });
		return String(jobId);
	}

	/** Waits until the job has ended in whatever way. */
	async endedJob(id: string): Promise<ServiceJob> {
		return await waitUntil(
			async () => {
				const job = await this.request<ServiceJob>('GET', `/agent/jobs/${id}`);
				return ended.has(job.status) ? { ...job, id: String(job.id) } : undefined;
			},
			{
				limitMs: jobLimitMs,
				intervalMs: jobIntervalMs,
				onTimeout: () => new PlainError(`Job ${id} did not end.`),
			},
		);
	}

	async projects(): Promise<ServiceProject[]> {
		const { projects } = await this.request<{ projects: ServiceProject[] }>(
			'GET',
			'/agent/projects',
		);
		return projects.map((project) => ({ ...project, id: String(project.id) }));
	}

	/** The newest documents of a project. */
	async projectDocuments(
		projectId: string,
	): Promise<Array<{ originalname: string; status: string }>> {
		const { documents } = await this.request<{
			documents: Array<{ originalname: string; status: string }>;
		}>('GET', `/agent/projects/${projectId}/documents?limit=200`);
		return documents;
	}

	async webhooks(): Promise<ServiceWebhook[]> {
		const { webhooks } = await this.request<{ webhooks: ServiceWebhook[] }>(
			'GET',
			'/agent/webhooks',
		);
		return webhooks;
	}

	async createWebhook(url: string, events: string[]): Promise<ServiceWebhook & { secret: string }> {
		return await this.request('POST', '/agent/webhooks', { url, events });
	}

	async deleteWebhook(id: string): Promise<void> {
		await this.request('DELETE', `/agent/webhooks/${id}`);
	}

	/** Makes the secret that somebody has stored useless. */
	async regenerateSecret(id: string): Promise<void> {
		await this.request('POST', `/agent/webhooks/${id}/regenerate-secret`);
	}

	/** Sends a sample delivery; returns its entry in the log. */
	async sendTest(id: string, event?: string): Promise<ServiceDelivery> {
		return await this.request('POST', `/agent/webhooks/${id}/test`, { event });
	}

	async deliveries(webhookId: string): Promise<ServiceDelivery[]> {
		const { deliveries } = await this.request<{ deliveries: ServiceDelivery[] }>(
			'GET',
			`/agent/webhooks/${webhookId}/deliveries`,
		);
		return deliveries;
	}

	/** Sends a delivery that has ended once more: the same event id and the same bytes. */
	async replay(deliveryId: string): Promise<void> {
		await this.request('POST', `/agent/webhooks/deliveries/${deliveryId}/retry`);
	}

	/** Waits until a delivery has arrived or has been given up. */
	async endedDelivery(webhookId: string, deliveryId: string): Promise<ServiceDelivery> {
		return await waitUntil(
			async () => {
				const delivery = (await this.deliveries(webhookId)).find(({ id }) => id === deliveryId);
				return delivery?.status === 'delivered' || delivery?.status === 'dead-letter'
					? delivery
					: undefined;
			},
			{
				limitMs: deliveryLimitMs,
				onTimeout: () => new PlainError(`Delivery ${deliveryId} did not end.`),
			},
		);
	}

	private async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const { baseUrl, accessToken } = this.running().credentials;
		const response = await fetch(`${baseUrl}${path}`, {
			method,
			headers: {
				// The service is stopped and started between requests.
				connection: 'close',
				authorization: `Bearer ${accessToken}`,
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(requestLimitMs),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`The service answered ${response.status} to ${method} ${path}: ${text}`);
		}
		return (text === '' ? undefined : JSON.parse(text)) as T;
	}
}
