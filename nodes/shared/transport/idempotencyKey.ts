import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * The key of a request that creates something: the same when n8n runs the node again within an
 * execution (Retry On Fail), different in every other case. Undefined where there is no execution
 * id, since a key that comes back in another execution would do harm.
 *
 * `purpose` tells the requests of one item apart, and has to name everything that the request
 * depends on.
 */
export function idempotencyKey(
	this: IExecuteFunctions,
	itemIndex: number,
	purpose: readonly string[],
): string | undefined {
	const executionId = this.getExecutionId();
	if (!executionId) return undefined;
	const { $runIndex: runIndex } = this.getWorkflowDataProxy(itemIndex);
	const workflowId = this.getWorkflow().id ?? '';
	const node = this.getNode();
	const parts = [workflowId, executionId, node.id, node.name, runIndex, itemIndex, ...purpose];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The header that carries the key; a service that does not know it ignores it. */
export function idempotencyHeader(key: string | undefined): IDataObject {
	return key === undefined ? {} : { 'Idempotency-Key': key };
}
