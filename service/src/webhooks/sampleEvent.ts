import type { DocumentRecord } from '../documents/documents.ts';
import type { EventName } from '../events/eventNames.ts';

/** The members of a test delivery (`POST /agent/webhooks/{id}/test`) that depend on its event. */
export interface SampleEvent {
	job: { id: string; status: string } | null;
	data: unknown;
}

const NOTE = 'This is a sample that the service made up. Nothing in it comes from a document.';
const ID = 0;

/** What an event looks like. Every text in it says that it is a sample. */
export function sampleEvent(name: EventName, now: Date): SampleEvent {
	const moment = now.toISOString();
	switch (name) {
		case 'document.uploaded':
			return { job: null, data: { document: sampleDocument(moment) } };
		case 'document.extraction.completed':
		case 'bank_statement.extraction.completed':
			return { job: succeeded, data: sampleStatement };
		case 'invoice.extraction.completed':
			return { job: succeeded, data: { [ID]: { note: NOTE } } };
		case 'form.extraction.completed':
			return {
				job: succeeded,
				data: { [ID]: [{ rowNumber: 1, pageNumber: 1, form: { Sample: NOTE } }] },
			};
		case 'document.extraction.failed':
			return {
				job: { id: String(ID), status: 'Failed' },
				data: {
					failureReason,
					documents: [{ id: ID, originalname: 'sample.pdf', status: 'failed', failureReason }],
				},
			};
		case 'account.limit.approaching':
			return {
				job: null,
				data: { note: NOTE, pagesUsed: 80, pageAllowance: 100, percent: 80, month: '2024-01' },
			};
		case 'fraud.detected':
			return {
				job: succeeded,
				data: {
					document: { id: ID, originalname: 'sample.pdf' },
					signals: [
						{
							id: ID,
							documentId: ID,
							period: null,
							type: 'sample',
							reasonCode: 'sample',
							confidence: 0.5,
							details: NOTE,
							pageNumber: null,
							bbox: null,
							text: null,
							metadata: {},
							createdAt: moment,
							updatedAt: moment,
						},
					],
				},
			};
	}
}

const succeeded = { id: String(ID), status: 'Succeeded' };

const failureReason = { code: 'sample', message: NOTE };

const sampleStatement = {
	[ID]: {
		SAMPLE: {
			bankMode: {
				transactions: [
					{
						period: '0',
						date: '20240102000000',
						amount: 12.5,
						memo: NOTE,
						name: 'SAMPLE',
						payee: 'SAMPLE',
						checkNumber: '',
						balance: 112.5,
						category: '',
						fitId: 'SAMPLE',
						descriptionLines: [NOTE],
						pageNumber: 1,
					},
				],
				totalCredits: '12.50',
				totalDebits: '0.00',
				numCredits: 1,
				numDebits: 0,
			},
			metadata: [],
		},
		metadata: [],
	},
};

function sampleDocument(moment: string): DocumentRecord & { note: string } {
	return {
		id: ID,
		originalname: 'sample.pdf',
		mimetype: 'application/pdf',
		size: 1000,
		pageCount: null,
		status: 'uploaded',
		documentType: null,
		source: 'api',
		transactionCount: null,
		isReconciled: null,
		createdAt: moment,
		uploadedAt: moment,
		extractedAt: null,
		failureReason: null,
		project: null,
		customerId: null,
		note: NOTE,
	};
}
