import type { IDataObject } from 'n8n-workflow';

import { byId, emptyId, unknownId, withJson, type Entry } from './entry';

const documentId = byId('={{ $json.documentId }}');
const unknown = unknownId('documentId', 'document', 'Document');

export const fraudEntries: Entry[] = [
	{
		resource: 'fraud',
		operation: 'getScore',
		authentication: 'jwt',
		parameters: { documentId },
		items: ({ statements, accused }) =>
			[statements[0]!, accused[1]!, statements[2]!].map(({ fileName, documentId: id }) => ({
				json: { fileName, documentId: id },
			})),
		check: async (results, { json: { documentId: id } }, { direct, accused }) => {
			const { score } = await direct.get(`/protected/document/${String(id)}/fraudScore`);
			expect(results.map(({ json }) => json)).toEqual([
				{ ...(score as IDataObject), documentId: id, isAnalysed: true },
			]);
			const isAccused = accused.some((one) => one.documentId === id);
			expect(results[0]?.json.riskLevel === 'low').toBe(!isAccused);
		},
		outputSchema: 'asDescribed',
		failures: [unknown, emptyId('documentId', 'Document')],
	},
	{
		resource: 'fraud',
		operation: 'getManySignals',
		authentication: 'jwt',
		parameters: {
			documentId,
			returnAll: true,
			filters: { minConfidence: '={{ $json.least }}', type: 'balance_tampering' },
		},
		items: ({ accused }) =>
			accused.map(({ documentId: id, fileName }) => ({
				json: { documentId: id, fileName, least: 0.5 },
			})),
		check: async (results, { json: { documentId: id } }, { direct }) => {
			const path = `/protected/document/${String(id)}/fraudSignals`;
			const answer = await direct.get(`${path}?minConfidence=0.5&type=balance_tampering`);
			const records = answer.signals as IDataObject[];
			expect(results.map(({ json }) => json)).toEqual(
				records.map((record) => ({ ...record, documentId: id })),
			);
			// The statement's ending balance is wrong by 10.00.
			expect(results.map(({ json }) => json.details).join()).toContain('10.00');
		},
		outputSchema: 'asDescribed',
		failures: [
			unknown,
			{
				name: 'a confidence that is none',
				spoil: withJson({ least: 2 }),
				message: "The value in 'Min Confidence' is not a number from 0 to 1",
				description: "'Min Confidence'",
			},
		],
	},
];
