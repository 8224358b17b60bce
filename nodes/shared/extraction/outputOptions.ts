import type { INodePropertyOptions } from 'n8n-workflow';

import type { OutputMode } from './model';

/** How the panels call what becomes an item; each panel offers them in an order of its own. */
export const OUTPUT_OPTIONS = {
	transactions: {
		name: 'One Item per Transaction',
		value: 'transactions',
		description: 'Each row with its document, account and period, and an ISO date',
	},
	accounts: {
		name: 'One Item per Account',
		value: 'accounts',
		description: 'Totals, balances and whether the account reconciles',
	},
	documents: {
		name: 'One Item per Document',
		value: 'documents',
		description: 'The accounts of the document inside one item',
	},
	raw: {
		name: 'Raw',
		value: 'raw',
		description: 'The answer of the service as it is',
	},
} satisfies Record<OutputMode, INodePropertyOptions>;
