import type { ExtractedAccount, ExtractedTransaction } from '../../test/documents/differences.ts';

type PeriodField = 'startBalance' | 'endBalance' | 'startDate' | 'endDate';
interface Entry {
	name: PeriodField | 'isReconciled';
	value: string;
	period: string;
}
type Grouped = Record<
	string,
	Record<string, { bankMode: { transactions: ExtractedTransaction[] }; metadata: Entry[] }>
>;

/**
 * The accounts in an answer of `/data` in the shape in which statements are compared. Amounts keep the
 * digits of the answer: they are read as text before a float can change them.
 */
export function accountsOfGrouped(json: string, documentId: number): ExtractedAccount[] {
	const exact = json.replaceAll(/"(amount|balance)":(-?[\d.]+)/g, '"$1":"$2"');
	const accounts = (JSON.parse(exact) as Grouped)[String(documentId)] ?? {};
	return Object.entries(accounts)
		.filter(([account]) => account !== 'metadata')
		.map(([account, { bankMode, metadata }]) => ({
			account,
			periods: [...new Set(metadata.map((entry) => entry.period))].map((period) => {
				const value = (name: Entry['name']): string | null =>
					metadata.find((entry) => entry.name === name && entry.period === period)?.value ?? null;
				return {
					period,
					startBalance: value('startBalance'),
					endBalance: value('endBalance'),
					startDate: value('startDate'),
					endDate: value('endDate'),
					isReconciled: value('isReconciled') === '1',
				};
			}),
			transactions: bankMode.transactions,
		}));
}
