import { createHash } from 'crypto';
import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type ResourceMapperValue,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { isJsonObject } from '../../../shared/extraction/model';
import type { ToolRecord } from '../../../shared/tools/records';
import { findTool } from '../../../shared/tools/requests';
import { missingRows, rowItems } from '../../../shared/tools/result';
import { runTool } from '../../../shared/tools/run';
import { jsonParameters, toolBody, type Entered } from '../../../shared/tools/toolBody';
import { accessOf } from '../../../shared/transport/access';
import { outputDataField } from '../fields';
import { isTool, perItem, type Operation } from '../outcome';
import { toolNameField, toolNameOf } from './fields';

const properties: INodeProperties[] = [
	toolNameField,
	{
		displayName: 'Parameters',
		name: 'parametersFrom',
		type: 'options',
		noDataExpression: true,
		default: 'fields',
		options: [
			{
				name: 'Fields Below',
				value: 'fields',
				description: 'The fields that the chosen tool asks for',
			},
			{ name: 'JSON', value: 'json', description: 'All parameters as one JSON object' },
		],
	},
	{
		displayName: 'Fields',
		name: 'toolFields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: ['toolName.value'],
			resourceMapper: {
				resourceMapperMethod: 'getToolFields',
				mode: 'add',
				addAllFields: true,
				supportAutoMap: false,
				hideNoDataError: true,
				noFieldsError: 'The service does not say which parameters this tool takes. Use JSON.',
				fieldWords: { singular: 'parameter', plural: 'parameters' },
			},
		},
		displayOptions: { show: { parametersFrom: ['fields'] } },
	},
	{
		displayName: 'JSON Parameters',
		name: 'toolJson',
		type: 'json',
		typeOptions: { rows: 5 },
		default: '{}',
		description:
			'The parameters by name. Where the tool wants a file as base64, enter the name of the input field that holds it.',
		displayOptions: { show: { parametersFrom: ['json'] } },
	},
	{
		displayName: 'Output',
		name: 'toolOutput',
		type: 'options',
		default: 'result',
		options: [
			{
				name: 'CSV File',
				value: 'file',
				description: 'One item, with the CSV of the result as a file',
			},
			{
				name: 'One Item per Row',
				value: 'rows',
				description: 'One item for each transaction, or for each entry of another list',
			},
			{ name: 'Whole Result', value: 'result', description: 'One item with what the tool gave' },
		],
	},
	...updateDisplayOptions({ show: { toolOutput: ['file'] } }, [outputDataField]),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['tool'], operation: ['run'] } },
	properties,
);

function entered(this: IExecuteFunctions, itemIndex: number): Entered {
	if (this.getNodeParameter('parametersFrom', itemIndex, 'fields') === 'json') {
		const json = this.getNodeParameter('toolJson', itemIndex, '{}');
		return { mode: 'json', values: jsonParameters.call(this, json, itemIndex) };
	}
	// As a whole: n8n would convert the values by their fields, and turn an empty number into 0.
	const mapper = this.getNodeParameter('toolFields', itemIndex, {}) as Partial<ResourceMapperValue>;
	const { value, schema } = isJsonObject(mapper) ? mapper : {};
	return {
		mode: 'fields',
		values: isJsonObject(value) ? value : {},
		fields: Array.isArray(schema) ? schema.filter(isJsonObject) : [],
	};
}

/** The CSV of the result as a file beside what else the result says. */
async function fileItem(
	this: IExecuteFunctions,
	result: unknown,
	options: { toolName: string; itemIndex: number },
): Promise<INodeExecutionData> {
	const { toolName, itemIndex } = options;
	if (!isJsonObject(result) || typeof result.csv !== 'string') {
		this.addExecutionHints?.({
			message: `The tool '${toolName}' gave no CSV for item ${itemIndex}. Set its parameter 'format' to csv, if it has one`,
			location: 'outputPane',
		});
		return recordToItem(result, itemIndex);
	}
	const { csv, ...others } = result;
	const fieldName = this.getNodeParameter('outputDataFieldName', itemIndex, 'data') as string;
	const fileName = `${toolName.replace(/[^\w.-]+/g, '_')}.csv`;
	const content = Buffer.from(csv, 'utf8');
	const file = await this.helpers.prepareBinaryData(content, fileName, 'text/csv');
	// A file does not reach the model of an agent; the text does.
	const text = isTool.call(this) ? { csv } : {};
	const json = { ...others, fileName, mimeType: 'text/csv', ...text };
	const item = recordToItem(json, itemIndex);
	const binary = this.getInputData()[itemIndex]?.binary;
	return { ...item, binary: { ...binary, [fieldName.trim() || 'data']: file } };
}

/** Says so where rows are missing, or where there are none: n8n would show an empty output. */
function hintAtRows(
	this: IExecuteFunctions,
	result: unknown,
	{ itemIndex, isEmpty }: { itemIndex: number; isEmpty: boolean },
): void {
	const missing = missingRows(result);
	if (missing > 0) {
		this.addExecutionHints?.({
			message: `The tool gives no more rows at once: ${missing} rows are missing for item ${itemIndex}. Job: Get Transactions gives all of them`,
			type: 'warning',
			location: 'outputPane',
		});
	} else if (isEmpty) {
		this.addExecutionHints?.({
			message: `The result of the tool has no rows for item ${itemIndex}`,
			location: 'outputPane',
		});
	}
}

/**
 * POST /agent/mcp/tools/{toolName}. What the tool takes is looked up once for all items, so that
 * each value gets the type that it wants; where the service does not say, values go as they are.
 */
export const execute: Operation = async function (this, itemIndexes) {
	const known = new Map<string, ToolRecord | undefined>();

	async function run(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
		const access = await accessOf.call(this, itemIndex);
		const toolName = toolNameOf.call(this, itemIndex);
		const key = JSON.stringify([access.baseUrl, toolName]);
		if (!known.has(key)) {
			known.set(key, await findTool.call(this, access, toolName, { itemIndex }));
		}
		const tool = known.get(key);
		const body = await toolBody.call(this, itemIndex, {
			toolName,
			tool,
			entered: entered.call(this, itemIndex),
		});
		const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
		const result = await runTool.call(this, access, { itemIndex, toolName, tool, body, digest });
		const output = this.getNodeParameter('toolOutput', itemIndex, 'result') as string;
		if (output === 'file') return [await fileItem.call(this, result, { toolName, itemIndex })];
		const items =
			output === 'rows'
				? rowItems(result, { toolName, itemIndex })
				: [recordToItem(result, itemIndex)];
		hintAtRows.call(this, result, { itemIndex, isEmpty: items.length === 0 });
		return items;
	}

	return await perItem(run).call(this, itemIndexes);
};
