import { randomUUID } from 'node:crypto';
import { LoadOptionsContext, PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { DocumentExtractionApi } from '../../credentials/DocumentExtractionApi.credentials';
import { DocumentExtractionProjectTrigger } from '../../nodes/DocumentExtractionProjectTrigger/DocumentExtractionProjectTrigger.node';
import { additionalDataWith, TestCredentials } from './engine';
import { oneNodeWorkflow } from './oneNodeWorkflow';

const CREDENTIAL = 'documentExtractionApi';

/**
 * As much of n8n as a polling trigger sees: a workflow in memory, whose static data is saved when
 * it is activated and when a poll gives items, and at no other time.
 */
export class PollHost {
	saved: IDataObject = {};
	nodeName = 'Project Trigger';
	readonly nodeId = randomUUID();
	readonly nodeType = new DocumentExtractionProjectTrigger();
	private workflow: Workflow | undefined;

	constructor(
		readonly serviceUrl: () => string,
		public parameters: INodeParameters,
		private readonly accessToken = 'dex_pat_right',
	) {}

	private newWorkflow(staticData: IDataObject): Workflow {
		return oneNodeWorkflow(
			this.nodeType,
			{
				id: this.nodeId,
				name: this.nodeName,
				type: 'documentExtractionProjectTrigger',
				parameters: this.parameters,
				credentials: { [CREDENTIAL]: { id: '1', name: CREDENTIAL } },
			},
			staticData,
		);
	}

	private additionalData() {
		const credentials = new TestCredentials(new Map([[CREDENTIAL, new DocumentExtractionApi()]]), {
			[CREDENTIAL]: { baseUrl: this.serviceUrl(), accessToken: this.accessToken },
		});
		return additionalDataWith(credentials, 'poll');
	}

	private async run(
		workflow: Workflow,
		mode: WorkflowExecuteMode,
	): Promise<INodeExecutionData[] | null> {
		const node = workflow.getNode(this.nodeName)!;
		const context = new PollContext(workflow, node, this.additionalData(), mode, 'activate');
		const result = await this.nodeType.poll.call(context);
		return result === null ? null : result[0]!;
	}

	private save(): void {
		// Through JSON, as in the database.
		this.saved = JSON.parse(JSON.stringify(this.workflow!.staticData)) as IDataObject;
	}

	/** Publishes the workflow, or starts n8n: a first poll, whose failure keeps it from starting. */
	async activate(): Promise<INodeExecutionData[] | null> {
		this.workflow = this.newWorkflow(this.saved);
		const items = await this.run(this.workflow, 'trigger');
		this.save();
		return items;
	}

	/** One poll of the active workflow. */
	async tick(): Promise<INodeExecutionData[] | null> {
		const items = await this.run(this.workflow!, 'trigger');
		if (items !== null) this.save();
		return items;
	}

	/** "Fetch test event" in the editor. */
	async fetchTestEvent(): Promise<INodeExecutionData[] | null> {
		const workflow = this.newWorkflow(this.saved);
		const before = JSON.stringify(workflow.staticData);
		const items = await this.run(workflow, 'manual');
		expect(JSON.stringify(workflow.staticData)).toBe(before);
		return items;
	}

	/** The list of the field 'Project'. */
	async projects(filter?: string): Promise<INodeListSearchResult> {
		const workflow = this.newWorkflow({});
		const node = workflow.getNode(this.nodeName)!;
		const context = new LoadOptionsContext(workflow, node, this.additionalData(), '');
		return await this.nodeType.methods.listSearch.searchProjects.call(context, filter);
	}
}
