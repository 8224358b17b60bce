import { readAccountMetadata } from './accountMetadata';
import { formatDecimal } from './decimal';
import { toIsoDate } from './isoDate';
import type { BankDocument, ExtractedAccount, JsonObject } from './model';
import { rowPeriodFinder } from './rowPeriod';
import { withServiceFields } from './serviceFields';
import { judgeAccount, wholeFacts, type PeriodVerdict, type Verdict } from './verdict';

/** The fixed account key of check images (section 2.8). */
const CHECKS = 'checks';

/** The json of an account, with what a document item needs of it. */
export interface AccountSummary {
	json: JsonObject;
	verdict: Verdict;
	transactionCount: number;
}

function periodJson({
	facts,
	verdict,
	difference,
	verdictNote,
	transactionCount,
}: PeriodVerdict): JsonObject {
	return withServiceFields(
		{
			period: facts.period,
			verdict,
			difference,
			verdictNote,
			startDate: dateOrOriginal(facts.startDate),
			endDate: dateOrOriginal(facts.endDate),
			startBalance: facts.startBalance ?? null,
			endBalance: facts.endBalance ?? null,
			isReconciled: facts.isReconciled ?? null,
			transactionCount,
		},
		facts.extras,
	);
}

function dateOrOriginal(value: unknown): unknown {
	return toIsoDate(value) ?? value ?? null;
}

/**
 * One account of a document (section 2.8) without its rows:
 * `{ documentId, account, verdict, difference, verdictNote, startDate, endDate, startBalance,
 * endBalance, totalCredits, totalDebits, numCredits, numDebits, transactionCount, isReconciled,
 * periods, … }` and every further field of the account, of `bankMode` and of the metadata.
 *
 * Balances, totals and counts are those of the service, untouched; a total or count that it left
 * out is computed from the rows (exact decimal text), or null where an amount cannot be read.
 * `verdict` and `difference` are computed here, see verdict.ts. `isReconciled` is the service's
 * own word. `periods` has one entry for each sub-period, with the same fields.
 */
export function summarizeAccount(
	documentId: string | null,
	{ account, rows, bankMode, metadata, extras }: ExtractedAccount,
): AccountSummary {
	const facts = readAccountMetadata(metadata);
	const judged = judgeAccount(
		rows,
		facts,
		bankMode,
		rowPeriodFinder(facts.periods),
		account === CHECKS,
	);
	const { verdict, difference, verdictNote, sums } = judged;
	const whole = wholeFacts(facts);
	const isReadable = sums.unreadable === 0;
	const { totalCredits, totalDebits, numCredits, numDebits, ...otherBankMode } = bankMode;
	const json = withServiceFields(
		{
			documentId,
			account,
			verdict,
			difference,
			verdictNote,
			startDate: dateOrOriginal(whole.startDate),
			endDate: dateOrOriginal(whole.endDate),
			startBalance: whole.startBalance ?? null,
			endBalance: whole.endBalance ?? null,
			totalCredits: totalCredits ?? (isReadable ? formatDecimal(sums.credits) : null),
			totalDebits: totalDebits ?? (isReadable ? formatDecimal(sums.debits) : null),
			numCredits: numCredits ?? (isReadable ? sums.numCredits : null),
			numDebits: numDebits ?? (isReadable ? sums.numDebits : null),
			transactionCount: sums.count,
			isReconciled: whole.isReconciled ?? null,
			periods: judged.periods.map(periodJson),
		},
		{
			...whole.extras,
			...(facts.unread.length > 0 ? { otherMetadata: facts.unread } : {}),
			...otherBankMode,
			...extras,
		},
	);
	return { json, verdict, transactionCount: sums.count };
}

/** One summary for each account of the document, in the order given. */
export function summarizeAccounts(document: BankDocument): AccountSummary[] {
	return document.accounts.map((account) => summarizeAccount(document.documentId, account));
}
