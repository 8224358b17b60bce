import { downloadTransactions } from './downloadTransactions.ts';
import type { Tool } from './tool.ts';

/** Section 4.5: another name for `download_transactions`. */
export const getTransactions: Tool = {
	...downloadTransactions,
	name: 'get_transactions',
	description: `The same as download_transactions. ${downloadTransactions.description}`,
};
