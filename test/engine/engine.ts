import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// n8n-core reads its settings when it is loaded, and would otherwise write to the home folder.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'engine-'));
process.env.N8N_ENCRYPTION_KEY ??= 'only for tests';
process.env.N8N_DIAGNOSTICS_ENABLED ??= 'false';
process.env.N8N_LOG_LEVEL ??= 'silent';

import 'reflect-metadata';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	ExecutionLifecycleHooks,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	NodeHelpers,
	Workflow,
	type IBinaryData,
	type IConnection,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IDataObject,
	type IExecuteData,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IRequestOptionsSimplified,
	type IRun,
	type IVersionedNodeType,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type OnError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

const NODE_NAME = 'Document Extraction';
const START = 'Start';
const AFTER = 'After';
const AFTER_ERROR = 'After error';
const PACKAGE = resolve(__dirname, '..', '..');

/** Hands the items of a test to the node, and keeps them so that item links can be followed. */
const startType: INodeType = {
	description: {
		displayName: 'Start',
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: START },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

/** Stands behind an output, and asks for the item that each of its items came from. */
const afterType: INodeType = {
	description: {
		displayName: 'After',
		name: 'after',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: AFTER },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Origin', name: 'origin', type: 'json', default: '' }],
	},
	async execute() {
		return [
			this.getInputData().map(({ json, ...rest }, item) => ({
				...rest,
				json: { received: json, origin: this.getNodeParameter('origin', item) as IDataObject },
			})),
		];
	},
};

const OTHER_TYPES = new Map([
	['start', startType],
	['after', afterType],
]);

/** The loaded package, as n8n itself loads it. */
export interface LoadedPackage {
	node: INodeType;
	credentials: Map<string, ICredentialType>;
}

let loaded: Promise<LoadedPackage> | undefined;

/** Loads the built package with n8n's own loader. Needs `npm run build`. */
export async function loadPackage(): Promise<LoadedPackage> {
	loaded ??= (async () => {
		const loader = new PackageDirectoryLoader(PACKAGE);
		await loader.loadAll();
		const type = loader.getNode('documentExtraction').type;
		const credentials = new Map(
			Object.values(loader.credentialTypes).map(({ type: one }) => [one.name, one]),
		);
		return { node: NodeHelpers.getVersionedNodeType(type, 1), credentials };
	})();
	return await loaded;
}

/** Decrypted credentials of a test; adds them to a request as n8n's helper does. */
export class TestCredentials extends ICredentialsHelper {
	constructor(
		private readonly types: ReadonlyMap<string, ICredentialType>,
		private readonly data: Record<string, ICredentialDataDecryptedObject>,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const options = requestOptions as IHttpRequestOptions;
		const authenticate = this.types.get(typeName)?.authenticate;
		if (authenticate === undefined) throw new Error(`no such credential: ${typeName}`);
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		const headers: IDataObject = { ...options.headers };
		for (const [name, value] of Object.entries(authenticate.properties.headers ?? {})) {
			headers[name] = workflow!.expression.getSimpleParameterValue(
				node!,
				value as string,
				'internal',
				{ $credentials: credentials },
				undefined,
				'',
			) as string;
		}
		options.headers = headers;
		return options;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('tests have decrypted credentials only');
	}

	/** As n8n does: a field of a credential may be an expression over the item that is asked for. */
	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: unknown,
		type: string,
		mode?: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.data[type];
		if (data === undefined) throw new Error(`the test gives no credential ${type}`);
		if (values === undefined || mode === undefined) return { ...data };
		return values.workflow.expression.getParameterValue(
			data as INodeParameters,
			values.runExecutionData,
			values.runIndex,
			values.itemIndex,
			values.node.name,
			values.connectionInputData,
			mode,
			{},
			executeData,
			false,
			data,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.types.get(type)?.properties ?? [];
	}
}

export function additionalDataWith(
	credentialsHelper: ICredentialsHelper,
	executionId: string,
): IWorkflowExecuteAdditionalData {
	const address = 'http://127.0.0.1:5678';
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		executionId,
		currentNodeExecutionIndex: 0,
		restApiUrl: `${address}/rest`,
		instanceBaseUrl: address,
		formBaseUrl: `${address}/form`,
		formWaitingBaseUrl: `${address}/form-waiting`,
		formTestBaseUrl: `${address}/form-test`,
		webhookBaseUrl: `${address}/webhook`,
		webhookWaitingBaseUrl: `${address}/webhook-waiting`,
		webhookTestBaseUrl: `${address}/webhook-test`,
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
	};
	// What the engine does not use in these tests is left out.
	return data as IWorkflowExecuteAdditionalData;
}

export interface NodeRun {
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** Decrypted credentials by type. */
	credentials: Record<string, ICredentialDataDecryptedObject>;
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	executionId?: string;
	/** Cancels the execution as the user does, so many milliseconds after its start. */
	cancelAfterMs?: number;
	/** Puts a node behind each output; what reaches it is in `after` of the result. */
	withNodesAfter?: boolean;
}

/** What the node behind an output got. */
export interface Arrival {
	received: IDataObject;
	/** The item of the start node that n8n finds by the item's link. */
	origin: unknown;
}

export interface NodeResult {
	/** Items of the success output. */
	items: INodeExecutionData[];
	/** Items of the error output, with `onError: 'continueErrorOutput'`. */
	errors: INodeExecutionData[];
	error?: { message: string; description?: string | null; context?: IDataObject; name?: string };
	/** What n8n handed to the nodes behind the two outputs; undefined where such a node did not run. */
	after: { success?: Arrival[]; error?: Arrival[] };
	hints: string[];
	status: string;
	run: IRun;
}

let executions = 0;

function arrivals(run: IRun, output: 'success' | 'error', name: string): NodeResult['after'] {
	const items = run.data.resultData.runData[name]?.at(-1)?.data?.main?.[0];
	if (items === undefined || items === null) return {};
	return { [output]: items.map(({ json }) => json as unknown as Arrival) };
}

/** Runs the node once in n8n's own engine, after a start node that holds the items. */
export async function runNode(options: NodeRun): Promise<NodeResult> {
	const { node: type, credentials: types } = await loadPackage();
	executions++;
	const executionId = options.executionId ?? `execution-${executions}`;
	const nodeTypes: INodeTypes = {
		getByName: (name: string): INodeType | IVersionedNodeType => OTHER_TYPES.get(name) ?? type,
		getByNameAndVersion: (name: string) => OTHER_TYPES.get(name) ?? type,
		getKnownTypes: () => ({}),
	};
	const node: INode = {
		id: 'node-1',
		name: NODE_NAME,
		type: 'documentExtraction',
		typeVersion: 1,
		position: [200, 0],
		parameters: options.parameters,
		credentials: Object.fromEntries(
			Object.keys(options.credentials).map((name) => [name, { id: name, name }]),
		),
		...(options.onError === undefined ? {} : { onError: options.onError }),
		...(options.retryOnFail === undefined ? {} : { retryOnFail: options.retryOnFail }),
		...(options.maxTries === undefined ? {} : { maxTries: options.maxTries }),
		waitBetweenTries: 1,
	};
	const start: INode = {
		id: 'start-1',
		name: START,
		type: 'start',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const behind = options.withNodesAfter === true ? [AFTER, AFTER_ERROR] : [];
	const after = behind.map<INode>((name) => ({
		id: name,
		name,
		type: 'after',
		typeVersion: 1,
		position: [400, 0],
		parameters: { origin: `={{ $('${START}').item.json }}` },
	}));
	const to = (name: string): IConnection[] => [{ node: name, type: 'main', index: 0 }];
	const workflow = new Workflow({
		id: 'workflow-1',
		name: 'Test',
		nodes: [start, node, ...after],
		connections: {
			[START]: { main: [to(NODE_NAME)] },
			[NODE_NAME]: { main: behind.map(to) },
		},
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	const additionalData = additionalDataWith(
		new TestCredentials(types, options.credentials),
		executionId,
	);
	const hooks = new ExecutionLifecycleHooks('trigger', executionId, {
		id: 'workflow-1',
		name: 'Test',
	} as IWorkflowBase);
	(additionalData as { hooks?: ExecutionLifecycleHooks }).hooks = hooks;
	const first: IExecuteData = { node: start, data: { main: [options.items] }, source: null };
	const runExecutionData = createRunExecutionData({
		executionData: { nodeExecutionStack: [first] },
	});
	const promise = new WorkflowExecute(
		additionalData,
		'trigger',
		runExecutionData,
	).processRunExecutionData(workflow);
	const timer =
		options.cancelAfterMs === undefined
			? undefined
			: setTimeout(() => promise.cancel(), options.cancelAfterMs);
	try {
		const run = await promise;
		const task = run.data.resultData.runData[NODE_NAME]?.at(-1);
		const error = run.data.resultData.error ?? task?.error;
		return {
			items: task?.data?.main?.[0] ?? [],
			errors: task?.data?.main?.[1] ?? [],
			...(error === undefined ? {} : { error: error as unknown as NodeResult['error'] }),
			after: { ...arrivals(run, 'success', AFTER), ...arrivals(run, 'error', AFTER_ERROR) },
			hints: (task?.hints ?? []).map(({ message }) => message),
			status: run.status,
			run,
		} as NodeResult;
	} finally {
		clearTimeout(timer);
	}
}

let binaryReady: Promise<void> | undefined;

/** n8n's file store on disk, its default. */
export async function useFileStore(): Promise<void> {
	binaryReady ??= (async () => {
		const config = Container.get(BinaryDataConfig);
		config.mode = 'filesystem';
		config.availableModes = ['filesystem'];
		await Container.get(BinaryDataService).init();
	})();
	await binaryReady;
}

/** Puts a file into the store, as the node before ours would. */
export async function storedFile(
	bytes: Buffer,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	await useFileStore();
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'workflow-1', executionId: 'before' },
		bytes,
		{ data: '', fileName, mimeType },
	);
}

/** A file inside the item, as older versions and some nodes give it. */
export function inlineFile(bytes: Buffer, fileName: string, mimeType: string): IBinaryData {
	return { data: bytes.toString('base64'), fileName, mimeType };
}
