import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { additionalDataWith, TestCredentials } from './engine';
import { oneNodeWorkflow } from './oneNodeWorkflow';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
	DataDeduplicationService,
	ExecutionLifecycleHooks,
	HookContext,
	LoadOptionsContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	type DeduplicationItemTypes,
	type IDataDeduplicator,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type IWebhookData,
	type IWebhookResponseData,
	type IWorkflowBase,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { DocumentExtractionApi } from '../../credentials/DocumentExtractionApi.credentials';
import { DocumentExtractionTrigger } from '../../nodes/DocumentExtractionTrigger/DocumentExtractionTrigger.node';

const CREDENTIAL = 'documentExtractionApi';
const PAYLOAD_MAX = 16 * 1024 * 1024;

/** What n8n keeps of the events that a node has had: read and written in two steps, as there. */
class ProcessedData implements IDataDeduplicator {
	readonly rows = new Map<string, string[]>();
	broken = false;

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: string,
		{ node, workflow }: { node?: INode; workflow: { id: string } },
		{ maxEntries }: { maxEntries?: number },
	) {
		if (this.broken) throw new Error('the database is gone');
		const place = `${workflow.id} ${node?.id}`;
		const known = [...(this.rows.get(place) ?? [])];
		await new Promise((done) => setTimeout(done, 2));
		const fresh = items.filter((item) => !known.includes(String(item)));
		const all = [...known, ...fresh.map(String)];
		this.rows.set(place, all.slice(-(maxEntries ?? all.length)));
		return { new: fresh, processed: items.filter((item) => !fresh.includes(item)) };
	}

	async removeProcessed() {}
	async clearAllProcessedItems() {}
	async getProcessedDataCount() {
		return 0;
	}
}

export const processedData = new ProcessedData();
let isReady: Promise<void> | undefined;

export interface Answer {
	status: number;
	body: string;
}

export interface Run {
	items: INodeExecutionData[];
	hints: string[];
	status: string;
}

/** A request as n8n gives it to a node: the body is read on demand. */
type HostRequest = Partial<IncomingMessage> & { rawBody?: Buffer; body?: unknown };

/**
 * As much of n8n as a webhook trigger sees: life cycle calls in n8n's order, static data that is
 * saved when n8n saves it, requests by HTTP, and executions in n8n's own engine.
 */
export class TriggerHost {
	staticData: IDataObject = {};
	/** Executions that were started; one that ended is in `runs`. */
	started = 0;
	readonly runs: Run[] = [];
	readonly warnings: string[] = [];
	nodeName = 'Trigger';
	nodeId = 'node-1';
	parameters: INodeParameters;
	nodeType: INodeType = new DocumentExtractionTrigger();
	/** Answers 500 for so many deliveries instead of storing an execution. */
	failingStarts = 0;
	private readonly server = createServer((request, response) => {
		void this.handle(request, response);
	});

	constructor(
		private readonly serviceUrl: () => string,
		parameters: INodeParameters = {},
		private readonly accessToken = 'dex_pat_right',
	) {
		this.parameters = parameters;
	}

	async start(): Promise<this> {
		isReady ??= DataDeduplicationService.init(processedData);
		await isReady;
		jest.spyOn(Container.get(Logger), 'warn').mockImplementation((message) => {
			this.warnings.push(message);
		});
		await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
		return this;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((done) => this.server.close(done));
	}

	private get address(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** The address of the published workflow. */
	get url(): string {
		return `${this.address}/webhook/hook-id/webhook`;
	}

	get testUrl(): string {
		return `${this.address}/webhook-test/hook-id/webhook`;
	}

	private parts(staticData: IDataObject) {
		const workflow = oneNodeWorkflow(
			this.nodeType,
			{
				id: this.nodeId,
				name: this.nodeName,
				type: 'documentExtractionTrigger',
				parameters: this.parameters,
				webhookId: 'hook-id',
				credentials: { [CREDENTIAL]: { id: '1', name: CREDENTIAL } },
			},
			staticData,
		);
		const credentials = new TestCredentials(new Map([[CREDENTIAL, new DocumentExtractionApi()]]), {
			[CREDENTIAL]: { baseUrl: this.serviceUrl(), accessToken: this.accessToken },
		});
		const additionalData = additionalDataWith(credentials, `execution-${this.runs.length}`);
		additionalData.webhookBaseUrl = `${this.address}/webhook`;
		additionalData.webhookTestBaseUrl = `${this.address}/webhook-test`;
		return { workflow, node: workflow.getNode(this.nodeName)!, additionalData };
	}

	private webhookData(isTest: boolean): IWebhookData {
		const webhookDescription = this.nodeType.description.webhooks![0]!;
		return {
			httpMethod: 'POST',
			node: this.nodeName,
			path: 'hook-id/webhook',
			webhookDescription,
			workflowId: 'workflow-1',
			isTest,
		} as unknown as IWebhookData;
	}

	/** Calls one method; static data is saved afterwards, also where it throws. */
	async lifeCycle(
		method: 'checkExists' | 'create' | 'delete',
		{
			isTest = false,
			mode = 'trigger',
			activation = 'activate',
		}: {
			isTest?: boolean;
			mode?: WorkflowExecuteMode;
			activation?: WorkflowActivateMode;
		} = {},
	): Promise<boolean> {
		const { workflow, node, additionalData } = this.parts(this.staticData);
		const context = new HookContext(
			workflow,
			node,
			additionalData,
			mode,
			activation,
			this.webhookData(isTest),
		);
		try {
			return await this.nodeType.webhookMethods!.default![method].call(context);
		} finally {
			this.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		}
	}

	/** As n8n does on activation. */
	async activate(options: Parameters<TriggerHost['lifeCycle']>[1] = {}): Promise<void> {
		if (await this.lifeCycle('checkExists', options)) return;
		await this.lifeCycle('create', options);
	}

	async deactivate(options: Parameters<TriggerHost['lifeCycle']>[1] = {}): Promise<void> {
		await this.lifeCycle('delete', { mode: 'internal', activation: 'update', ...options });
	}

	/** What the panel offers in 'Trigger On Events'. */
	async eventOptions(): Promise<INodePropertyOptions[]> {
		const { workflow, node, additionalData } = this.parts({});
		const context = new LoadOptionsContext(workflow, node, additionalData, 'events');
		return await this.nodeType.methods!.loadOptions!.getEvents!.call(context);
	}

	/** What the node has kept, under its present name. */
	get kept(): IDataObject {
		return (this.staticData[`node:${this.nodeName}`] as IDataObject | undefined) ?? {};
	}

	/** Gives the request to the node, and starts an execution if the node says so. */
	async receive(
		request: HostRequest,
		response: ServerResponse | FakeResponse,
		mode: WorkflowExecuteMode = 'webhook',
	): Promise<void> {
		const { workflow, node, additionalData } = this.parts(this.staticData);
		const leavesBodyAlone: unknown = workflow.expression.getSimpleParameterValue(
			node,
			'={{$parameter["options"]["binaryData"]}}',
			mode,
			{},
			undefined,
			false,
		);
		if (leavesBodyAlone !== true) throw new Error('n8n would parse the body');
		Object.assign(additionalData, { httpRequest: request, httpResponse: response });
		const context = new WebhookContext(
			workflow,
			node,
			additionalData,
			mode,
			this.webhookData(mode === 'manual'),
			[],
			null,
		);
		const result: IWebhookResponseData = await this.nodeType.webhook!.call(context);
		if (result.workflowData !== undefined) {
			if (this.failingStarts > 0) {
				this.failingStarts--;
				answer(response, 500, { message: 'Workflow could not be started' });
				return;
			}
			// Through JSON, as with workers of their own.
			const data = JSON.parse(JSON.stringify(result.workflowData)) as INodeExecutionData[][];
			this.started++;
			const run = this.execute(data, mode);
			if (result.noWebhookResponse !== true) answer(response, 200, result.webhookResponse);
			this.runs.push(await run);
		} else if (result.noWebhookResponse !== true) {
			answer(response, 200, result.webhookResponse);
		}
	}

	/** One execution in n8n's engine, which begins with these items at the trigger. */
	async execute(data: INodeExecutionData[][], mode: WorkflowExecuteMode): Promise<Run> {
		const { workflow, node, additionalData } = this.parts(this.staticData);
		const hooks = new ExecutionLifecycleHooks(mode, 'execution', {
			id: 'workflow-1',
			name: 'Test',
		} as IWorkflowBase);
		(additionalData as { hooks?: ExecutionLifecycleHooks }).hooks = hooks;
		const runData = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: data }, source: null }] },
		});
		const run = await new WorkflowExecute(additionalData, mode, runData).processRunExecutionData(
			workflow,
		);
		const task = run.data.resultData.runData[this.nodeName]?.at(-1);
		const hints = (task?.hints ?? []).map(({ message }) => message);
		return { items: task?.data?.main?.[0] ?? [], hints, status: run.status };
	}

	/** Runs that gave items, which are those that run the rest of the workflow. */
	get ranWithItems(): Run[] {
		return this.runs.filter(({ items }) => items.length > 0);
	}

	/** A delivery by HTTP. */
	async deliver(
		body: string | Buffer,
		headers: Record<string, string>,
		url = this.url,
	): Promise<Answer> {
		const response = await fetch(url, {
			method: 'POST',
			body: typeof body === 'string' ? body : new Uint8Array(body),
			headers: { 'Content-Type': 'application/json', ...headers },
		});
		return { status: response.status, body: await response.text() };
	}

	/** Until all executions that were started have ended. */
	async settled(count: number): Promise<void> {
		for (let tries = 0; tries < 2_000 && this.runs.length < count; tries++) {
			await new Promise((done) => setTimeout(done, 10));
		}
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		// Express has these, and n8n's middleware reads the body on demand.
		const express = Object.assign(response, {
			status(code: number) {
				response.statusCode = code;
				return express;
			},
			json(body: unknown) {
				response.setHeader('Content-Type', 'application/json');
				response.end(JSON.stringify(body));
				return express;
			},
		});
		request.readRawBody = async () => {
			const chunks: Buffer[] = [];
			let size = 0;
			for await (const chunk of request) {
				size += (chunk as Buffer).length;
				if (size > PAYLOAD_MAX) {
					throw Object.assign(new Error('request entity too large'), { status: 413 });
				}
				chunks.push(chunk as Buffer);
			}
			request.rawBody = Buffer.concat(chunks);
		};
		const mode = request.url?.startsWith('/webhook-test/') ? 'manual' : 'webhook';
		try {
			await this.receive(request, express, mode);
		} catch (error) {
			if (!response.headersSent) answer(response, 500, { message: String(error) });
		}
	}
}

/** A response that is looked at instead of sent. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	/** True where the sender has gone away: then nothing is sent, and no event comes any more. */
	closed = false;
	sent: unknown;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		if (this.closed) return this;
		this.sent = body;
		this.headersSent = true;
		this.closed = true;
		this.emit('finish');
		this.emit('close');
		return this;
	}
}

function answer(response: ServerResponse | FakeResponse, status: number, body: unknown): void {
	if (response instanceof FakeResponse) {
		response.status(status).json(body);
		return;
	}
	response.statusCode = status;
	response.setHeader('Content-Type', 'application/json');
	response.end(JSON.stringify(body));
}
