import { parseFlatted } from './flattedJson.ts';

/** One item as a node handed it on. */
export interface ExecutedItem {
	json: Record<string, unknown>;
	binary?: Record<string, { fileName?: string; mimeType?: string; id?: string; fileSize?: string }>;
	pairedItem?: unknown;
}

export interface NodeRun {
	/** The items of each output; for a node with an error output that is the last one. */
	outputs: ExecutedItem[][];
	error?: { message?: string; description?: string };
	executionTimeMs: number;
}

/** A finished execution as n8n's REST API tells it. */
export interface Execution {
	id: string;
	status: string;
	/** The runs of each node, by the node's name. */
	runs: Record<string, NodeRun[]>;
	error?: { message?: string; description?: string; nodeName?: string };
}

interface StoredError {
	message?: string;
	description?: string;
	node?: { name?: string };
}

interface StoredRunData {
	resultData?: {
		error?: StoredError;
		runData?: Record<
			string,
			Array<{
				error?: StoredError;
				executionTime?: number;
				data?: { main?: Array<ExecutedItem[] | null> };
			}>
		>;
	};
}

/** Reads the answer of `GET /rest/executions/{id}`. */
export const readExecution = (record: { id: string; status: string; data: string }): Execution => {
	const { resultData } = parseFlatted(record.data) as StoredRunData;
	const runs = Object.entries(resultData?.runData ?? {}).map(
		([node, nodeRuns]): [string, NodeRun[]] => [
			node,
			nodeRuns.map((run) => ({
				outputs: (run.data?.main ?? []).map((items) => items ?? []),
				error: run.error,
				executionTimeMs: run.executionTime ?? 0,
			})),
		],
	);
	const error = resultData?.error;
	return {
		id: record.id,
		status: record.status,
		runs: Object.fromEntries(runs),
		error: error && {
			message: error.message,
			description: error.description,
			nodeName: error.node?.name,
		},
	};
};

/** The items of one output of a node, of all its runs one after the other. */
export const itemsOf = (execution: Execution, node: string, output = 0): ExecutedItem[] =>
	(execution.runs[node] ?? []).flatMap((run) => run.outputs[output] ?? []);
