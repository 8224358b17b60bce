import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * The `Idempotency-Key` header for a request that creates something: the same when n8n runs the
 * node again within an execution (Retry On Fail), different in every other case. Empty where
 * there is no execution id, since a key that comes back in another execution would do harm.
 *
 * `purpose` tells the requests of one item apart, and has to name everything that the request
 * depends on.
 */
export function idempotencyHeader(
	this: IExecuteFunctions,
	itemIndex: number,
	purpose: readonly string[],
): IDataObject {
	const executionId = this.getExecutionId();
	if (!executionId) return {};
	const { $runIndex: runIndex } = this.getWorkflowDataProxy(itemIndex);
	const workflowId = this.getWorkflow().id ?? '';
	const node = this.getNode();
	const parts = [workflowId, executionId, node.id, node.name, runIndex, itemIndex, ...purpose];
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
	return { 'Idempotency-Key': digest };
}
