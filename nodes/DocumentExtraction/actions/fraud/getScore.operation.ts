import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { fraudScore } from '../../../shared/fraud/requests';
import { accessOf } from '../../../shared/transport/access';
import { idOf } from '../fields';
import { perItem } from '../outcome';
import { analysedDocumentField } from './fields';

export const description = updateDisplayOptions(
	{ show: { resource: ['fraud'], operation: ['getScore'] } },
	[analysedDocumentField],
);

/** GET /protected/document/{id}/fraudScore: one item, also where there is no score. */
async function getScore(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentId = idOf.call(this, 'documentId', itemIndex);
	const score = await fraudScore.call(this, access, documentId, itemIndex);
	const item =
		score === null
			? { isAnalysed: false, score: null, riskLevel: null }
			: { isAnalysed: true, ...score };
	return [recordToItem({ ...item, documentId }, itemIndex)];
}

export const execute = perItem(getScore);
