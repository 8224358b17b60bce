import { readAccountMetadata } from './accountMetadata';
import { formatDecimal } from './decimal';
import { toIsoDate } from './isoDate';
import type { BankDocument, ExtractedAccount, JsonObject } from './model';
import { withServiceFields } from './serviceFields';
import type { Verdict } from './balanceCheck';
import { judgeAccount, type PeriodVerdict } from './verdict';

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
 * `verdict` and `difference` are computed here, see verdict.ts and balanceCheck.ts; `isReconciled`
 * is the service's own word. `periods` has one entry for each sub-period:
 * `{ period, verdict, difference, verdictNote, startDate, endDate, startBalance, endBalance,
 * isReconciled, transactionCount, … }`.
 */
export function summarizeAccount(
	documentId: string | null,
	account: ExtractedAccount,
): AccountSummary {
	const facts = readAccountMetadata(account.metadata);
	const { verdict, difference, verdictNote, whole, periods, sums } = judgeAccount(account, facts);
	const isReadable = sums.unreadable === 0;
	const { totalCredits, totalDebits, numCredits, numDebits, ...otherBankMode } = account.bankMode;
	const ours: JsonObject = {
		documentId,
		account: account.account,
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
		periods: periods.map(periodJson),
	};
	const unread = facts.unread.length > 0 ? { otherMetadata: facts.unread } : {};
	// One after the other, so that a name that stands in two of them loses neither value.
	const json = [account.extras, otherBankMode, whole.extras, unread].reduce(
		withServiceFields,
		ours,
	);
	return { json, verdict, transactionCount: sums.count };
}

/** One summary for each account of the document, in the order given. */
export function summarizeAccounts(document: BankDocument): AccountSummary[] {
	return document.accounts.map((account) => summarizeAccount(document.documentId, account));
}
