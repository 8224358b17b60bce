import { listIn } from '../extraction/looseFields';
import { isJsonObject, type JsonObject } from '../extraction/model';
import { parametersOf, type ToolParameter } from './inputSchema';

/** A tool of the service (section 4.5 of the interface). */
export interface ToolRecord {
	name: string;
	description: string;
	/** As it came; undefined where the tool is listed without. */
	inputSchema?: unknown;
	/** Undefined where the schema does not say. */
	parameters?: ToolParameter[];
	/** True where the tool says that it changes nothing. */
	readOnly: boolean;
	/** All fields as they came. */
	record: JsonObject;
}

const LISTS = ['tools', 'data', 'items', 'results', 'result', 'functions', 'records'];
const SCHEMAS = [
	'inputSchema',
	'input_schema',
	'parameters',
	'schema',
	'inputs',
	'input',
	'argsSchema',
	'args_schema',
	'params',
];

function textOf(...values: unknown[]): string {
	const text = values.find((value) => typeof value === 'string' && value.trim() !== '');
	return typeof text === 'string' ? text.trim() : '';
}

/** A tool that is listed as its name, as an object, or as `{ type: 'function', function }`. */
function readTool(entry: unknown, key?: string): ToolRecord | undefined {
	if (typeof entry === 'string' && key === undefined) {
		return entry.trim() === ''
			? undefined
			: { name: entry.trim(), description: '', readOnly: false, record: { name: entry.trim() } };
	}
	if (!isJsonObject(entry)) return undefined;
	const tool = isJsonObject(entry.function) ? entry.function : entry;
	const name = textOf(tool.name, tool.toolName, tool.id, key);
	if (name === '') return undefined;
	const schemaName = SCHEMAS.find((one) => tool[one] !== undefined && tool[one] !== null);
	const inputSchema = schemaName === undefined ? undefined : tool[schemaName];
	const parameters = parametersOf(inputSchema);
	const annotations = isJsonObject(tool.annotations) ? tool.annotations : {};
	return {
		name,
		description: textOf(tool.description, tool.summary, tool.title, annotations.title),
		...(inputSchema === undefined ? {} : { inputSchema }),
		...(parameters === undefined ? {} : { parameters }),
		readOnly: annotations.readOnlyHint === true,
		record: entry,
	};
}

/** Tools by name: `{ list_projects: { description, … } }`, also inside `tools`. */
function toolsByName(body: unknown, depth = 0): ToolRecord[] | undefined {
	if (!isJsonObject(body) || depth > 3) return undefined;
	for (const name of LISTS) {
		const inner = toolsByName(body[name], depth + 1);
		if (inner !== undefined) return inner;
	}
	const entries = Object.entries(body);
	if (entries.length === 0 || !entries.every(([, value]) => isJsonObject(value))) return undefined;
	const tools = entries.map(([key, value]) => readTool(value, key));
	return tools.filter((tool) => tool !== undefined);
}

/** Reads the list of tools; undefined where the answer holds none. Never throws. */
export function toolsOf(body: unknown): ToolRecord[] | undefined {
	const list = listIn(body, LISTS);
	const tools = list?.map((entry) => readTool(entry)) ?? toolsByName(body);
	if (tools === undefined) return undefined;
	const found = new Map<string, ToolRecord>();
	for (const tool of tools) if (tool !== undefined) found.set(tool.name, tool);
	return [...found.values()];
}
