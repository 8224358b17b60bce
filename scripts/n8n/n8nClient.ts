import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PlainError } from '../processes/plainError.ts';
import { waitUntil } from '../processes/waitUntil.ts';
import { readExecution, type Execution } from './execution.ts';
import type { OwnerAccount } from './ownerAccount.ts';
import { triggerName, type Workflow } from './workflowFile.ts';

export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
	active?: boolean;
	isArchived?: boolean;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

/** How far n8n is with registering the triggers of a workflow. */
export interface Publication {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	/** The published triggers; `errorMessage` is what the editor shows. */
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** An execution in the list of executions. */
export interface ListedExecution {
	id: string;
	status: string;
	/** What started it: `webhook`, `trigger`, `manual`, … */
	mode: string;
}

const requestLimitMs = 60_000;
const unavailable = 503;
const unavailablePauseMs = 500;
const stillRunning = new Set(['new', 'running', 'waiting', 'unknown']);

/** Talks to n8n as its editor does, signed in as the owner. */
export class N8nClient {
	private cookie = '';

	private readonly browserId = randomUUID();

	constructor(readonly address: string) {}

	/** The cookie of the session, for a browser that is to be signed in already. */
	get session(): { cookie: string; browserId: string } {
		return { cookie: this.cookie, browserId: this.browserId };
	}

	async signIn(owner: OwnerAccount): Promise<void> {
		const response = await this.send('POST', '/rest/login', {
			emailOrLdapLoginId: owner.email,
			password: owner.password,
		});
		const cookie = response.headers.getSetCookie().find((text) => text.startsWith('n8n-auth='));
		if (!response.ok || cookie === undefined) {
			throw new PlainError(`n8n did not accept its owner account (status ${response.status}).`);
		}
		this.cookie = cookie.split(';')[0] ?? '';
	}

	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		if (!response.ok) {
			throw new Error(
				`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`,
			);
		}
		const answer = JSON.parse(text) as { data: T };
		return answer.data;
	}

	/** A file that n8n serves as it is, for example its list of node types. */
	async rawJson<T>(path: string): Promise<T> {
		const response = await this.send('GET', path);
		if (!response.ok) throw new Error(`n8n answered ${response.status} to GET ${path}`);
		return (await response.json()) as T;
	}

	async credentials(): Promise<StoredCredential[]> {
		return await this.request('GET', '/rest/credentials');
	}

	/** Creates the credential, or gives the one of this name and type the new content. */
	async saveCredential(credential: {
		name: string;
		type: string;
		data: Record<string, string>;
	}): Promise<StoredCredential> {
		const existing = (await this.credentials()).find(
			({ name, type }) => name === credential.name && type === credential.type,
		);
		return existing === undefined
			? await this.request('POST', '/rest/credentials', credential)
			: await this.request('PATCH', `/rest/credentials/${existing.id}`, credential);
	}

	/** What the editor's "Test" does with a credential: `{ status, message }`. */
	async testCredential(credential: {
		id: string;
		name: string;
		type: string;
		data: Record<string, string>;
	}): Promise<{ status: string; message: string }> {
		return await this.request('POST', '/rest/credentials/test', { credentials: credential });
	}

	async workflows(): Promise<StoredWorkflow[]> {
		return await this.request('GET', '/rest/workflows');
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		return await this.request('POST', '/rest/workflows', workflow);
	}

	/** Changes a stored workflow, as "Save" does; it is not published by that. */
	async updateWorkflow(
		workflow: StoredWorkflow,
		changes: Partial<Pick<Workflow, 'name' | 'nodes' | 'connections' | 'settings'>>,
	): Promise<StoredWorkflow> {
		return await this.request('PATCH', `/rest/workflows/${workflow.id}`, {
			versionId: workflow.versionId,
			...changes,
		});
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${id}/archive`, {});
		await this.request('DELETE', `/rest/workflows/${id}`);
	}

	/** Publishes a version of the workflow. n8n registers its triggers after it has answered. */
	async activate(workflow: StoredWorkflow): Promise<void> {
		await this.request('POST', `/rest/workflows/${workflow.id}/activate`, {
			versionId: workflow.versionId,
		});
	}

	/** Takes the workflow back. n8n removes its triggers after it has answered. */
	async deactivate(id: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${id}/deactivate`, {});
	}

	async publication(id: string): Promise<Publication> {
		return await this.request('GET', `/rest/workflows/${id}/publication-status`);
	}

	/** Waits until n8n has registered or removed the triggers, or has given up. */
	async settledPublication(id: string, limitMs = 60_000): Promise<Publication> {
		return await waitUntil(
			async () => {
				const publication = await this.publication(id);
				return publication.status === 'in_progress' ? undefined : publication;
			},
			{
				limitMs,
				onTimeout: () => new PlainError(`n8n did not end publishing within ${limitMs / 1000} s.`),
			},
		);
	}

	/** What "Listen for test event" of a trigger does. True: it waits for a delivery. */
	async listenForTestEvent(
		workflow: StoredWorkflow,
		name = triggerName(workflow),
	): Promise<boolean> {
		const answer = await this.request<{ waitingForWebhook?: boolean }>(
			'POST',
			`/rest/workflows/${workflow.id}/run`,
			{ triggerToStartFrom: { name }, destinationNode: { nodeName: name, mode: 'inclusive' } },
		);
		return answer.waitingForWebhook ?? false;
	}

	/** What "Stop listening" does. */
	async stopListening(workflowId: string): Promise<void> {
		await this.request('DELETE', `/rest/test-webhook/${workflowId}`);
	}

	/** Runs a stored workflow from its trigger, as "Execute workflow" does, to its end. */
	async run(
		workflow: StoredWorkflow,
		options: { limitMs?: number; trigger?: string } = {},
	): Promise<Execution> {
		const { executionId } = await this.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflow.id}/run`,
			{ triggerToStartFrom: { name: options.trigger ?? triggerName(workflow) } },
		);
		return await this.finishedExecution(executionId, options.limitMs);
	}

	async executionStatus(id: string): Promise<string> {
		return (await this.request<{ status: string }>('GET', `/rest/executions/${id}`)).status;
	}

	async finishedExecution(id: string, limitMs = 300_000): Promise<Execution> {
		return await waitUntil(
			async () => {
				const record = await this.request<{ id: string; status: string; data: string }>(
					'GET',
					`/rest/executions/${id}`,
				);
				return stillRunning.has(record.status) ? undefined : readExecution(record);
			},
			{
				limitMs,
				intervalMs: 250,
				onTimeout: () =>
					new PlainError(`Execution ${id} in n8n did not end within ${limitMs / 1000} s.`),
			},
		);
	}

	/** A workflow's executions, newest first. */
	async executions(workflowId: string): Promise<ListedExecution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const answer = await this.request<{ results: ListedExecution[] }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=100`,
		);
		return answer.results;
	}

	/** The ids of a workflow's executions, newest first. */
	async executionIds(workflowId: string): Promise<string[]> {
		return (await this.executions(workflowId)).map(({ id }) => id);
	}

	/** How many executions of a workflow n8n has kept; of all of them, or with one status. */
	async executionCount(workflowId: string, status?: string): Promise<number> {
		const wanted = status === undefined ? { workflowId } : { workflowId, status: [status] };
		const filter = encodeURIComponent(JSON.stringify(wanted));
		const answer = await this.request<{ count: number }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=1`,
		);
		return answer.count;
	}

	/** Removes all executions of a workflow that have ended. */
	async deleteExecutions(workflowId: string): Promise<void> {
		await this.request('POST', '/rest/executions/delete', {
			deleteBefore: new Date(Date.now() + 60_000).toISOString(),
			filters: { workflowId },
		});
	}

	/** n8n refuses everything while it does not reach its database, on a busy machine for seconds. */
	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		const end = Date.now() + requestLimitMs;
		for (;;) {
			const response = await this.sendOnce(method, path, body);
			if (response.status !== unavailable || Date.now() >= end) return response;
			await response.body?.cancel();
			await pause(unavailablePauseMs);
		}
	}

	private async sendOnce(method: string, path: string, body?: unknown): Promise<Response> {
		return await fetch(`${this.address}${path}`, {
			method,
			headers: {
				// n8n blocks for seconds while it starts, and drops connections that wait meanwhile.
				connection: 'close',
				'browser-id': this.browserId,
				...(this.cookie === '' ? {} : { cookie: this.cookie }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(requestLimitMs),
		});
	}
}
