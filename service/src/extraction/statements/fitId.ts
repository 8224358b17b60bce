import { createHash } from 'node:crypto';
import { canonicalDecimal } from '../money/decimal.ts';
import { plainText } from './vocabulary/plainText.ts';
import type { DecimalText } from './statement.ts';

export interface FitIdSource {
	account: string;
	/** YYYYMMDDHHMMSS. */
	date: string;
	amount: DecimalText;
	/** The row's description. */
	text: string;
}

/**
 * Makes ids that stay the same whenever the same row is extracted again, from this file or another,
 * and that differ for equal rows (two tram rides on one day): those are counted. Section 2.8.
 */
export function fitIdMaker(): (source: FitIdSource) => string {
	const seen = new Map<string, number>();
	return ({ account, date, amount, text }) => {
		const words = plainText(text)
			.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
			.trim();
		const key = JSON.stringify([account, date, canonicalDecimal(amount), words]);
		const occurrence = (seen.get(key) ?? 0) + 1;
		seen.set(key, occurrence);
		return createHash('sha256').update(`${key}#${occurrence}`).digest('hex').slice(0, 32);
	};
}
