import type { Static, TObject, TSchema } from '@fastify/type-provider-typebox';
import { Compile } from 'typebox/compile';
import type { Caller } from '../http/authentication.ts';
import { invalidBody } from '../http/errors.ts';
import type { Services } from '../http/services.ts';

/** For whom a tool runs, and until when it may wait. */
export interface ToolCall {
	services: Services;
	caller: Caller;
	/** Aborted when nobody waits for the result any more, or the service stops. */
	signal: AbortSignal;
	/** Milliseconds. */
	longestWait: number;
}

/** A result that is made in pieces, because it may be large: together they are one JSON text. */
export class JsonPieces {
	readonly pieces: AsyncGenerator<string>;

	constructor(pieces: AsyncGenerator<string>) {
		this.pieces = pieces;
	}
}

export type ToolResult = object | JsonPieces;

interface ToolDescription<Input extends TObject> {
	name: string;
	/** For a machine that has to choose a tool: what it does, what it needs, what comes next. */
	description: string;
	/** True where nothing is created or changed. */
	readOnly: boolean;
	inputSchema: Input;
	resultSchema: TSchema;
}

/** One tool of section 4.5. */
export interface Tool extends ToolDescription<TObject> {
	/** @throws HttpError, also for parameters that do not fit the schema */
	run(call: ToolCall, parameters: unknown): Promise<ToolResult>;
}

/** Puts the check of the parameters before the tool: against the schema that is published. */
export function defineTool<Input extends TObject>(
	tool: ToolDescription<Input> & {
		run(call: ToolCall, parameters: Static<Input>): Promise<ToolResult>;
	},
): Tool {
	const check = Compile(tool.inputSchema);
	const fits = (value: unknown): value is Static<Input> => check.Check(value);
	return {
		...tool,
		run: async (call, parameters) => {
			if (!fits(parameters)) throw invalidBody(check.Errors(parameters));
			return await tool.run(call, parameters);
		},
	};
}
