import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import type { Failure } from '../../shared/transport/failures';

/** Our own errors as they are. By name, because two copies of n8n-workflow may be installed. */
export function asFailure(this: IHookFunctions, error: unknown): Failure {
	const { name } = error as { name?: string };
	if (name === 'NodeApiError' || name === 'NodeOperationError') return error as Failure;
	return new NodeOperationError(this.getNode(), error as Error);
}
