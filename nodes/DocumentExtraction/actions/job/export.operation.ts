import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import {
	flatRowsToItems,
	groupedDataToItems,
	OUTPUT_OPTIONS,
	type OutputMode,
} from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { exportCsv, exportJson, type ExportType } from '../../../shared/transport/exports';
import { operationFailure } from '../../../shared/transport/failures';
import type { LegacyKind } from '../../../shared/transport/jobs';
import {
	idOf,
	jobIdField,
	legacyKindField,
	legacyKindOf,
	listOf,
	outputDataField,
	outputField,
} from '../fields';
import { perItem } from '../outcome';

const csvFile = { name: 'CSV File', value: 'csv', description: 'One item with a CSV file' };
const rows = {
	name: 'Rows',
	value: 'rows',
	description: 'One item per transaction with the fields of the service, without verdict',
};

const properties: INodeProperties[] = [
	jobIdField,
	{ ...legacyKindField, description: 'What the documents of the job are' },
	{
		...outputField,
		options: [
			OUTPUT_OPTIONS.transactions,
			OUTPUT_OPTIONS.accounts,
			OUTPUT_OPTIONS.documents,
			rows,
			csvFile,
			OUTPUT_OPTIONS.raw,
		],
	},
	...updateDisplayOptions({ show: { output: ['csv'] } }, [outputDataField]),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Document IDs',
				name: 'documentIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42, 43',
				description:
					'Only these documents of the job, separated by commas. An expression may give an array.',
			},
			{
				displayName: 'Fields',
				name: 'fields',
				type: 'string',
				default: '',
				placeholder: 'e.g. date, amount, payee',
				description:
					'Only these fields, separated by commas, in this order. It is for rows and the CSV file.',
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['job'], operation: ['export'] } },
	properties,
);

/** Section 2.7. What is neither an invoice nor a form is exported as fields and tables. */
const EXPORT_TYPES: Record<LegacyKind, ExportType> = {
	bankStatement: 'FieldsToExcel1',
	invoice: 'Invoice',
	form: 'Form',
	other: 'FieldsToExcel1',
};
const GROUPED: readonly OutputMode[] = ['transactions', 'accounts', 'documents', 'raw'];
const OUTPUTS = [...GROUPED, 'rows', 'csv'] as const;
type ExportOutput = (typeof OUTPUTS)[number];

function outputOf(this: IExecuteFunctions, itemIndex: number): ExportOutput {
	const value = this.getNodeParameter('output', itemIndex, 'transactions') as string;
	const output = OUTPUTS.find((one) => one === value);
	if (output !== undefined) return output;
	throw operationFailure(this.getNode(), `The value '${value}' in 'Output' is not known`, {
		itemIndex,
		description: `Use one of ${OUTPUTS.join(', ')}`,
	});
}

/** POST /protected/job/{id}/export: what one job extracted, as items or as a CSV file. */
async function exportJob(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const jobId = idOf.call(this, 'jobId', itemIndex);
	const output = outputOf.call(this, itemIndex);
	const options = this.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const asked = {
		jobId,
		jobType: EXPORT_TYPES[legacyKindOf.call(this, itemIndex)],
		flattenTables: output === 'rows' || output === 'csv',
		fields: listOf(options.fields),
		documentIds: listOf(options.documentIds),
		itemIndex,
	};
	if (output === 'csv') {
		const field = this.getNodeParameter('outputDataFieldName', itemIndex, 'data') as string;
		const { binary, fileName, mimeType, size } = await exportCsv.call(this, access, asked);
		const others = this.getInputData()[itemIndex]?.binary;
		return [
			{
				json: { jobId, fileName, mimeType, size },
				binary: { ...others, [field.trim() || 'data']: binary },
				pairedItem: { item: itemIndex },
			},
		];
	}
	const body = await exportJson.call(this, access, asked);
	if (output === 'rows') return flatRowsToItems({ body }, { pairedItem: itemIndex });
	return groupedDataToItems({ body }, { output, pairedItem: itemIndex });
}

export const execute = perItem(exportJob);
