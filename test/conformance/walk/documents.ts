import { damagedFile, drawCheck, drawInvoice, drawTaxForm } from './papers.ts';
import { generateStatement } from '../../documents/index.ts';
import type { GeneratedStatement, TruthTransaction } from '../../documents/index.ts';
import { decimalText, minorUnits, sum } from '../../documents/money.ts';
import { tamperedKinds } from '../../fraud/tamperedStatements.ts';

export const PDF = 'application/pdf';

/** More than the tool may give (section 8). */
const LONG_ROWS = 10_001;

/** A statement of one account and one page, with a check and a balance on every line. */
export async function plainStatement(): Promise<GeneratedStatement> {
	for (let seed = 1; ; seed++) {
		const made = await generateStatement('usChecking', { seed, transactions: 16 });
		const [account] = made.truth.accounts;
		const rows = account?.transactions ?? [];
		const hasCheck = rows.some((row) => row.checkNumber !== '');
		const hasBoth = [true, false].every((credit) => rows.some((row) => isCredit(row) === credit));
		if (hasCheck && hasBoth) return made;
	}
}

export async function severalAccounts(): Promise<GeneratedStatement> {
	return await generateStatement('severalAccounts', { seed: 3 });
}

/** Two sub-periods in one file. */
export async function twoPeriods(): Promise<GeneratedStatement> {
	return await generateStatement('twoStatements', { seed: 5 });
}

export async function doesNotAddUp(): Promise<GeneratedStatement> {
	return await generateStatement('doesNotAddUp', { seed: 2, difference: '12.34' });
}

export async function longStatement(): Promise<GeneratedStatement> {
	return await generateStatement('longLedger', { seed: 4, transactions: LONG_ROWS });
}

/** A statement that was tampered with, so that there are fraud signals. */
export async function tampered(): Promise<Buffer> {
	const make = tamperedKinds['overlaidByUpdate'];
	if (make === undefined) throw new Error('The tampered statements have lost a kind.');
	return (await make(1)).pdf;
}

export { damagedFile, drawCheck, drawInvoice, drawTaxForm };

export function isCredit(row: TruthTransaction): boolean {
	return minorUnits(row.amount) > 0n;
}

/** Exact sum of amounts as they are written, as decimal text. */
export function total(amounts: readonly string[]): string {
	return decimalText(sum(amounts.map(minorUnits)));
}

/** Whether two decimal texts are the same amount: 5, 5.0 and 5.00 are. */
export function sameAmount(one: string, other: string): boolean {
	return normal(one) === normal(other);
}

function normal(text: string): string {
	const match = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text.trim());
	if (match === null) return `no amount: ${text}`;
	const [, sign = '', whole = '0', decimals = ''] = match;
	const digits = decimals === '' ? whole : `${whole}.${decimals}`;
	return digits === '0' ? '0' : `${sign === '-' ? '-' : ''}${digits}`;
}

/** Text without white space, as two readings of a line may differ in it. */
export function solid(text: string): string {
	return text.replaceAll(/\s/g, '');
}
