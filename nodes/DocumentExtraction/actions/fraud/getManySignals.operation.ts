import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { fraudSignals, type SignalFilter } from '../../../shared/fraud/requests';
import { accessOf } from '../../../shared/transport/access';
import { operationFailure } from '../../../shared/transport/failures';
import { idOf, limitFields, limitOf } from '../fields';
import { perItem } from '../outcome';
import { analysedDocumentField } from './fields';

const properties: INodeProperties[] = [
	analysedDocumentField,
	...limitFields,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Max Confidence',
				name: 'maxConfidence',
				type: 'number',
				default: 1,
				typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
				description: 'Only signals that are at most so sure, from 0 to 1',
			},
			{
				displayName: 'Min Confidence',
				name: 'minConfidence',
				type: 'number',
				default: 0.5,
				typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
				description: 'Only signals that are at least so sure, from 0 to 1',
			},
			{
				displayName: 'Type',
				name: 'type',
				type: 'string',
				default: '',
				placeholder: 'e.g. balance_tampering',
				description: 'Only signals of this type',
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['fraud'], operation: ['getManySignals'] } },
	properties,
);

const CONFIDENCES = [
	['minConfidence', 'Min Confidence'],
	['maxConfidence', 'Max Confidence'],
] as const;

/** The filters that are set. Throws NodeOperationError where a confidence is none. */
function filterOf(this: IExecuteFunctions, itemIndex: number): SignalFilter {
	const filters = this.getNodeParameter('filters', itemIndex, {});
	const filter: SignalFilter = {};
	for (const [name, displayName] of CONFIDENCES) {
		const value = filters[name];
		if (value === undefined || value === '') continue;
		const number = Number(value);
		if (!(number >= 0 && number <= 1)) {
			throw operationFailure(
				this.getNode(),
				`The value in '${displayName}' is not a number from 0 to 1`,
				{ itemIndex, description: `Enter a number such as 0.5 in '${displayName}'` },
			);
		}
		filter[name] = number;
	}
	if (typeof filters.type === 'string' && filters.type.trim() !== '') {
		filter.type = filters.type.trim();
	}
	return filter;
}

/** GET /protected/document/{id}/fraudSignals: one item for each signal, the surest first as a rule. */
async function getManySignals(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentId = idOf.call(this, 'documentId', itemIndex);
	const filter = filterOf.call(this, itemIndex);
	const limit = limitOf.call(this, itemIndex);
	const signals = await fraudSignals.call(this, access, documentId, { filter, limit, itemIndex });
	return signals.map((signal) => recordToItem({ ...signal, documentId }, itemIndex));
}

export const execute = perItem(getManySignals);
