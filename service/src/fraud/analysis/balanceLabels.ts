import { matchBalance } from '../../extraction/statements/vocabulary/balances.ts';
import type { BalanceKind } from '../../extraction/statements/vocabulary/balances.ts';
import { plainText } from '../../extraction/statements/vocabulary/plainText.ts';

/** Which balance a text names; null where it names none. */
export function kindOf(text: string): Exclude<BalanceKind, 'ignored'> | null {
	const plain = plainText(text.replaceAll(/[\d.,$€£₹/-]+/g, ' ')).slice(0, 110);
	const kind = matchBalance(plain)?.kind ?? null;
	return kind === 'ignored' ? null : kind;
}

/** True where a text is nothing but the name of a balance, a day and its amount. */
export function isBalanceLine(text: string): boolean {
	const plain = plainText(text.replaceAll(/[\d.,$€£₹/-]+/g, ' ')).replaceAll(
		/ (?:cr|dr|d|s|h)$/g,
		'',
	);
	const match = matchBalance(plain.slice(0, 110));
	if (match === null) return false;
	const rest = plain
		.replace(match.phrase, '')
		.split(' ')
		.filter((word) => word.length > 3);
	return rest.length === 0;
}
