/** An event of the service, with the texts of the node's panel. */
export interface KnownEvent {
	name: string;
	displayName: string;
	description: string;
}

/** The events of section 6 of the interface. The service may know more. */
export const KNOWN_EVENTS: KnownEvent[] = [
	{
		name: 'account.limit.approaching',
		displayName: 'Account Limit Approaching',
		description: 'The pages of the account are nearly used up',
	},
	{
		name: 'bank_statement.extraction.completed',
		displayName: 'Bank Statement or Checks Extracted',
		description: 'A job for statements or check images succeeded',
	},
	{
		name: 'document.extraction.completed',
		displayName: 'Any Document Extracted',
		description: 'A job of any kind succeeded. Comes besides the event of the kind.',
	},
	{
		name: 'document.extraction.failed',
		displayName: 'Extraction Failed',
		description: 'A job failed or ran out of credits',
	},
	{
		name: 'document.uploaded',
		displayName: 'Document Uploaded',
		description: 'The bytes of a document arrived',
	},
	{
		name: 'form.extraction.completed',
		displayName: 'Tax Form Extracted',
		description: 'A job for tax forms succeeded',
	},
	{
		name: 'fraud.detected',
		displayName: 'Fraud Detected',
		description: 'A fraud signal was raised on a document',
	},
	{
		name: 'invoice.extraction.completed',
		displayName: 'Invoice Extracted',
		description: 'A job for invoices succeeded',
	},
];

/** The generic event fires besides the one of the kind: whoever has both gets two. */
export const GENERIC_EVENT = 'document.extraction.completed';
