import type {
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

/** Every place of n8n from which the service is asked: a run, a life cycle, a poll, a list. */
export type RequestContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The signal that the user cancelled; only a run has one. */
export function cancelSignal(this: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in this ? this.getExecutionCancelSignal() : undefined;
}
