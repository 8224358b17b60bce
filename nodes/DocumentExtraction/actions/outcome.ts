import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { detailsOf, type Failure, withoutPassword } from '../../shared/transport/failures';

/** What became of an input item, or of several that share a job. */
export type Outcome =
	{ itemIndex: number; items: INodeExecutionData[] } | { itemIndex: number; failure: Failure };

/** An operation, over the items that are given. */
export type Operation = (this: IExecuteFunctions, itemIndexes: number[]) => Promise<Outcome[]>;

/**
 * Our own errors as they are, everything else (an expression that fails, a missing credential)
 * with the item's number added. By name, because two copies of n8n-workflow may be installed.
 */
export function asFailure(this: IExecuteFunctions, error: unknown, itemIndex: number): Failure {
	const { name } = error as { name?: string };
	if (name === 'NodeApiError' || name === 'NodeOperationError') {
		return withoutPassword(error as Failure);
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	return withoutPassword(new NodeOperationError(this.getNode(), cause, { itemIndex }));
}

export function isCancelled(this: IExecuteFunctions): boolean {
	return this.getExecutionCancelSignal()?.aborted === true;
}

/** True where the node is a tool of an AI agent. */
export function isTool(this: IExecuteFunctions): boolean {
	return this.getNode().type.endsWith('Tool');
}

/** What an AI agent is told in place of no items, of which it would only see an empty text. */
export const NOTHING_FOUND: INodeExecutionData = {
	json: { count: 0, message: 'Nothing was found' },
	pairedItem: { item: 0 },
};

/**
 * The failure as it is thrown. An AI agent is told the message alone, so where the node is a tool of
 * one, the message also says what to do.
 */
export function asThrown(this: IExecuteFunctions, failure: Failure): Failure {
	const { description } = failure;
	if (isTool.call(this) && description && !failure.message.includes(description)) {
		failure.message = `${failure.message}. ${description}`;
	}
	return failure;
}

/** An operation that takes one item after the other and stops at a failure, unless told to go on. */
export function perItem(
	execute: (this: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData[]>,
): Operation {
	return async function (this, itemIndexes) {
		const outcomes: Outcome[] = [];
		for (const itemIndex of itemIndexes) {
			const outcome = await outcomeOf.call(this, itemIndex, execute);
			outcomes.push(outcome);
			if ('failure' in outcome && (!this.continueOnFail() || isCancelled.call(this))) break;
		}
		return outcomes;
	};
}

/** Runs one item and turns what it throws into an outcome. */
export async function outcomeOf(
	this: IExecuteFunctions,
	itemIndex: number,
	execute: (this: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData[]>,
): Promise<Outcome> {
	try {
		return { itemIndex, items: await execute.call(this, itemIndex) };
	} catch (error) {
		return { itemIndex, failure: asFailure.call(this, error, itemIndex) };
	}
}

/**
 * The item for a failure. Only `error`, `message` and `details` may be in its fields: with anything
 * else n8n leaves it on the success output. The files of the input stay with it, so that a workflow
 * can put aside what could not be read.
 */
export function errorItem(
	this: IExecuteFunctions,
	{ itemIndex, failure }: { itemIndex: number; failure: Failure },
): INodeExecutionData {
	const { message } = failure;
	const binary = this.getInputData()[itemIndex]?.binary;
	return {
		json: { error: message, message, details: detailsOf(failure) },
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item: itemIndex },
	};
}
