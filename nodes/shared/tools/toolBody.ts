import type { IDataObject, IExecuteFunctions, ResourceMapperField } from 'n8n-workflow';

import { isJsonObject, type JsonObject } from '../extraction/model';
import { operationFailure } from '../transport/failures';
import { toolFile, type ToolFile } from './fileParameter';
import {
	isFileNameParameter,
	isFileParameterName,
	isMimeTypeParameter,
	type ParameterKind,
	type ToolParameter,
} from './inputSchema';
import type { ToolRecord } from './records';
import { convert, isEmpty } from './values';

/** What was entered: in the fields of the mapper, or as JSON. */
export type Entered =
	| { mode: 'fields'; values: JsonObject; fields: readonly ResourceMapperField[] }
	| { mode: 'json'; values: JsonObject };

/** What the fields themselves tell, where the service does not say what the tool takes. */
const KINDS: Partial<Record<string, ParameterKind>> = {
	number: 'number',
	boolean: 'boolean',
	array: 'list',
	object: 'object',
	dateTime: 'dateTime',
};

function parametersOfFields(fields: readonly ResourceMapperField[]): ToolParameter[] {
	return fields.map(({ id, type, required }) => ({
		name: id,
		kind: isFileParameterName(id) ? 'file' : (KINDS[type ?? ''] ?? 'any'),
		required,
		description: '',
	}));
}

/** Writes it as its own member, whatever it is called. */
function put(body: JsonObject, name: string, value: unknown): void {
	Object.defineProperty(body, name, {
		value,
		enumerable: true,
		configurable: true,
		writable: true,
	});
}

function knownParameters(tool: ToolRecord | undefined, entered: Entered): ToolParameter[] {
	if (tool?.parameters !== undefined) return tool.parameters;
	if (entered.mode === 'fields') return parametersOfFields(entered.fields);
	return Object.keys(entered.values)
		.filter(isFileParameterName)
		.map((name) => ({ name, kind: 'file', required: false, description: '' }));
}

/** Name and type of the file, where the tool wants them and they were left empty. */
function describeFile(
	body: JsonObject,
	parameters: readonly ToolParameter[],
	{ fileName, mimeType }: ToolFile,
): void {
	for (const parameter of parameters) {
		if (!isEmpty(Object.hasOwn(body, parameter.name) ? body[parameter.name] : undefined)) continue;
		if (fileName !== undefined && isFileNameParameter(parameter)) {
			put(body, parameter.name, fileName);
		} else if (mimeType !== undefined && isMimeTypeParameter(parameter)) {
			put(body, parameter.name, mimeType);
		}
	}
}

/**
 * The body of a tool's request (section 4.5). In the fields each value gets the type that the tool
 * wants, and what was left empty is left out. JSON goes as it is. In both, a parameter that wants a
 * file as base64 takes the name of an input field that holds one. Everything that the tool requires
 * has to be there. Throws NodeOperationError that names the field.
 */
export async function toolBody(
	this: IExecuteFunctions,
	itemIndex: number,
	options: { toolName: string; tool: ToolRecord | undefined; entered: Entered },
): Promise<IDataObject> {
	const { toolName, tool, entered } = options;
	const { values } = entered;
	const isFields = entered.mode === 'fields';
	const parameters = knownParameters(tool, entered);
	const known = new Set(parameters.map(({ name }) => name));
	const body: JsonObject = {};
	const files: ToolFile[] = [];

	// Values of a tool that was chosen before stay in n8n's fields; they are not meant.
	const listed = isFields ? new Set(entered.fields.map(({ id }) => id)) : undefined;
	for (const name of Object.keys(values)) {
		if (isFields && (known.has(name) || isEmpty(values[name]))) continue;
		if (listed !== undefined && listed.size > 0 && !listed.has(name)) continue;
		put(body, name, values[name]);
	}
	for (const parameter of parameters) {
		const { name, kind } = parameter;
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		if (isEmpty(value)) continue;
		if (kind === 'file' && (isFields || typeof value === 'string')) {
			// Where the tool says so itself, a short text is no file but the name of a field.
			const strictly = isFields || tool?.parameters !== undefined;
			const given = { name, value, toolName, strictly };
			const file = await toolFile.call(this, itemIndex, given);
			put(body, name, file.base64);
			files.push(file);
		} else if (isFields) {
			const converted = convert(parameter, value, this.getTimezone());
			if ('problem' in converted) {
				throw operationFailure(this.getNode(), `The value of '${name}' ${converted.problem}`, {
					itemIndex,
					description: `Check '${name}'. The tool '${toolName}' was not run`,
					details: { toolName, field: name },
				});
			}
			put(body, name, converted.value);
		}
	}
	for (const file of files) describeFile(body, parameters, file);
	for (const { name, required, defaultValue, kind } of parameters) {
		if (!required || Object.hasOwn(body, name)) continue;
		if (isFields && defaultValue !== undefined) {
			put(body, name, defaultValue);
			continue;
		}
		const wants = kind === 'file' ? 'the name of the input field that holds the file' : 'a value';
		throw operationFailure(this.getNode(), `The tool '${toolName}' needs a value for '${name}'`, {
			itemIndex,
			description: isFields
				? `Enter ${wants} in '${name}'`
				: `Add "${name}" to the JSON, with ${wants}`,
			details: { toolName, field: name },
		});
	}
	// Everything in it was JSON, or has been made from it.
	return body as IDataObject;
}

/** JSON as text or as an object. Throws NodeOperationError where it is no JSON object. */
export function jsonParameters(
	this: IExecuteFunctions,
	value: unknown,
	itemIndex: number,
): JsonObject {
	if (isEmpty(value) || (typeof value === 'string' && value.trim() === '')) return {};
	let json: unknown = value;
	if (typeof value === 'string') {
		try {
			json = JSON.parse(value) as unknown;
		} catch (error) {
			throw operationFailure(this.getNode(), "The text in 'JSON Parameters' is not JSON", {
				itemIndex,
				description: `Enter an object such as {"jobId": "17"}. ${(error as Error).message}`,
			});
		}
	}
	if (isJsonObject(json)) return json;
	throw operationFailure(this.getNode(), "The JSON in 'JSON Parameters' is no object", {
		itemIndex,
		description: 'Enter the parameters by name, for example {"jobId": "17"}',
	});
}
