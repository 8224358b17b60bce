import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	groupedDataToItems,
	type OutputMode,
	type PairedItemSource,
} from '../../shared/extraction';
import type { Access } from '../../shared/transport/access';
import { gate, REQUESTS_AT_ONCE, type Gate } from '../../shared/transport/gate';
import { failedDocuments, jobFailure, jobTask, type Job } from '../../shared/transport/jobs';
import { askForJson, segment } from '../../shared/transport/request';
import { waitForJob } from '../../shared/transport/wait';
import { asFailure, isCancelled, outcomeOf, type Outcome } from '../actions/outcome';
import type { StartedJob } from './jobs';

/** GET /agent/jobs/{id}/data (section 2.8) as items. */
export async function jobData(
	this: IExecuteFunctions,
	access: Access,
	options: { jobId: string; output: OutputMode; itemIndex: number; pairedItem: PairedItemSource },
): Promise<INodeExecutionData[]> {
	const { jobId, output, itemIndex, pairedItem } = options;
	const { body } = await askForJson.call(
		this,
		access,
		{ method: 'GET', path: `/agent/jobs/${segment(jobId)}/data` },
		jobTask(itemIndex, jobId, `give the data of the job ${jobId}`),
	);
	return groupedDataToItems({ body }, { output, pairedItem });
}

/** GET /agent/documents/{id}/data (section 2.8) as items. */
export async function documentData(
	this: IExecuteFunctions,
	access: Access,
	options: { documentId: string; output: OutputMode; itemIndex: number },
): Promise<INodeExecutionData[]> {
	const { documentId, output, itemIndex } = options;
	const { body } = await askForJson.call(
		this,
		access,
		{ method: 'GET', path: `/agent/documents/${segment(documentId)}/data` },
		{
			itemIndex,
			doing: `give the data of the document ${documentId}`,
			subject: `The document ${documentId}`,
			field: 'Document',
			details: { documentId },
		},
	);
	return groupedDataToItems({ body }, { output, pairedItem: itemIndex, documentId });
}

/** The link of a row to the item whose file it was read from. */
function linkOf(job: StartedJob): PairedItemSource {
	const { itemIndexes, documents } = job;
	if (itemIndexes.length === 1) return itemIndexes[0];
	const itemOf = new Map(documents.map(({ documentId, itemIndex }) => [documentId, itemIndex]));
	const all = itemIndexes.map((item) => ({ item }));
	return (documentId) => {
		const item = documentId === null ? undefined : itemOf.get(documentId);
		return item === undefined ? all : { item };
	};
}

/** With one item per document, the file goes on with its document. */
function withFiles(
	this: IExecuteFunctions,
	items: INodeExecutionData[],
	job: StartedJob,
): INodeExecutionData[] {
	if (job.output !== 'documents') return items;
	const fileOf = new Map(
		job.documents.map(({ documentId, itemIndex, fieldName }) => [
			documentId,
			{
				fieldName,
				file: fieldName === null ? undefined : this.getInputData()[itemIndex]?.binary?.[fieldName],
			},
		]),
	);
	return items.map((item) => {
		const found = fileOf.get(String(item.json.documentId));
		if (found?.file === undefined || found.fieldName === null) return item;
		return { ...item, binary: { [found.fieldName]: found.file } };
	});
}

/**
 * The outcomes of a job that failed. Where the service names the documents that it could not read,
 * their items have failed, and the items of the other documents still get their rows, if the node
 * goes on after errors.
 */
async function outcomesOfFailedJob(
	this: IExecuteFunctions,
	started: StartedJob,
	job: Job,
): Promise<Outcome[]> {
	const names = new Map(
		started.documents.map(({ documentId, fileName }) => [documentId, fileName]),
	);
	const failed = new Set(failedDocuments(job.record).map(({ id }) => id));
	const ownOf = (itemIndex: number) =>
		started.documents.filter((document) => document.itemIndex === itemIndex);
	const named = started.itemIndexes.filter((itemIndex) =>
		ownOf(itemIndex).some(({ documentId }) => failed.has(documentId)),
	);
	const blamed = new Set(named.length > 0 ? named : started.itemIndexes);
	const outcomes: Outcome[] = [...blamed].map((itemIndex) => ({
		itemIndex,
		failure: jobFailure.call(this, job, itemIndex, names),
	}));
	if (!this.continueOnFail()) return outcomes;
	for (const itemIndex of started.itemIndexes) {
		if (blamed.has(itemIndex)) continue;
		const { access, output } = started;
		outcomes.push(
			await outcomeOf.call(this, itemIndex, async () => {
				const items: INodeExecutionData[] = [];
				for (const { documentId } of ownOf(itemIndex)) {
					const options = { documentId, output, itemIndex };
					items.push(...(await documentData.call(this, access, options)));
				}
				return withFiles.call(this, items, started);
			}),
		);
	}
	return outcomes;
}

async function resultOf(
	this: IExecuteFunctions,
	started: StartedJob,
	turns: Gate,
	stop: AbortSignal,
): Promise<Outcome[]> {
	const { access, jobId, limitMs, itemIndexes, output } = started;
	const [itemIndex] = itemIndexes;
	try {
		const waiting = { jobId, itemIndex, limitMs, justCreated: true, gate: turns };
		const end = await waitForJob.call(this, access, { ...waiting, stop });
		if ('failure' in end) {
			return itemIndexes.map((index) => ({ itemIndex: index, failure: end.failure }));
		}
		if (end.job.state !== 'succeeded') {
			return await outcomesOfFailedJob.call(this, started, end.job);
		}
		const options = { jobId, output, itemIndex, pairedItem: linkOf(started) };
		const items = await turns(async () => await jobData.call(this, access, options));
		return [{ itemIndex, items: withFiles.call(this, items, started) }];
	} catch (error) {
		return itemIndexes.map((index) => ({
			itemIndex: index,
			failure: asFailure.call(this, error, index),
		}));
	}
}

/** Says so where a run ends without a row: n8n would only show an empty output. */
function hintAtNothing(this: IExecuteFunctions, outcomes: readonly Outcome[]): void {
	const empty = outcomes.filter((outcome) => 'items' in outcome && outcome.items.length === 0);
	if (empty.length === 0 || isCancelled.call(this)) return;
	const items = [...new Set(empty.map(({ itemIndex }) => itemIndex))].join(', ');
	this.addExecutionHints?.({
		message: `No rows were found in the files of item ${items}. Check 'Document Kind', or set 'Output' to 'One Item per Document' to see what was read`,
		location: 'outputPane',
	});
}

/**
 * Waits for all jobs at the same time and reads what each one extracted. Where the node stops at
 * errors, the first failure ends all waits, and only that failure is returned.
 */
export async function resultsOf(
	this: IExecuteFunctions,
	jobs: readonly StartedJob[],
): Promise<Outcome[]> {
	const goesOn = this.continueOnFail();
	const turns = gate(REQUESTS_AT_ONCE);
	const stop = new AbortController();
	let first: Outcome | undefined;
	const results = await Promise.all(
		jobs.map(async (job) => {
			const outcomes = await resultOf.call(this, job, turns, stop.signal);
			const failed = outcomes.find((outcome) => 'failure' in outcome);
			if (failed !== undefined && !goesOn) {
				first ??= failed;
				stop.abort();
			}
			return outcomes;
		}),
	);
	if (first !== undefined) return [first];
	const outcomes = results.flat();
	hintAtNothing.call(this, outcomes);
	return outcomes;
}
