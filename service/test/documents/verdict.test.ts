import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictOf } from '../../src/documents/verdict.ts';
import type {
	AccountPeriod,
	StatementAccount,
	StatementTransaction,
} from '../../src/extraction/statements/statement.ts';

const period = (more: Partial<AccountPeriod>): AccountPeriod => ({
	period: '0',
	startBalance: null,
	endBalance: null,
	startDate: null,
	endDate: null,
	isReconciled: false,
	...more,
});
const row = (of = '0'): StatementTransaction => ({
	period: of,
	date: '20260101000000',
	amount: '1.00',
	memo: '',
	name: '',
	payee: '',
	checkNumber: '',
	balance: null,
	category: '',
	fitId: '',
	descriptionLines: [],
	pageNumber: 1,
});
const account = (
	periods: AccountPeriod[],
	transactions: StatementTransaction[],
): StatementAccount => ({ account: '1', currency: null, periods, transactions });
const good = account(
	[period({ startBalance: '0.00', endBalance: '1.00', isReconciled: true })],
	[row()],
);
const unchecked = account([period({})], [row()]);
const wrong = account([period({ startBalance: '0.00', endBalance: '2.00' })], [row()]);
const quiet = account([period({ startBalance: '5.0', endBalance: '5.00' })], []);
const rowsMissing = account([period({ startBalance: '5.00', endBalance: '-5.00' })], []);

describe('the verdict on a document', () => {
	const cases: Array<[string, StatementAccount[], boolean | null]> = [
		['nothing at all', [], null],
		['all rows checked', [good], true],
		['rows without balances', [unchecked], null],
		['balances that do not fit', [wrong], false],
		['a quiet account says nothing', [quiet], null],
		['a quiet account does not spoil a good one', [good, quiet], true],
		['a balance that moved without rows', [rowsMissing], false],
		['one wrong account is enough', [good, wrong], false],
		['a good account does not vouch for an unchecked one', [good, unchecked], null],
		['wrong outweighs unchecked', [unchecked, wrong], false],
		['rows of a period that is not described', [account([], [row()])], null],
		[
			'the second period decides',
			[
				account(
					[
						period({ startBalance: '0', endBalance: '1', isReconciled: true }),
						period({ period: '1', startBalance: '1', endBalance: '1' }),
					],
					[row('0'), row('1')],
				),
			],
			false,
		],
	];
	for (const [what, accounts, verdict] of cases) {
		it(what, () => assert.equal(verdictOf(accounts), verdict));
	}
});
