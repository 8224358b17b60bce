import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGroupedData } from '../../src/extraction/statements/groupedData.ts';
import type { Statement, StatementTransaction } from '../../src/extraction/statements/statement.ts';

function transaction(amount: string, balance: string | null): StatementTransaction {
	return {
		period: '0',
		date: '20250301000000',
		amount,
		memo: 'memo',
		name: 'name',
		payee: 'payee',
		checkNumber: '',
		balance,
		category: '',
		fitId: amount,
		descriptionLines: ['memo'],
		pageNumber: 1,
	};
}

function statement(account: string, transactions: StatementTransaction[]): Statement {
	return {
		accounts: [
			{
				account,
				currency: 'EUR',
				periods: [
					{
						period: '0',
						startBalance: '10.00',
						endBalance: null,
						startDate: '2025-03-01',
						endDate: null,
						isReconciled: false,
					},
				],
				transactions,
			},
		],
		printedRows: [],
		notes: [],
	};
}

test('the shape of section 2.8: exact totals as text, amounts as numbers, absent values left out', () => {
	const rows = [
		transaction('0.10', '10.10'),
		transaction('0.20', null),
		transaction('-5.05', null),
	];
	assert.deepEqual(toGroupedData(7, statement('NL01', rows)), {
		'7': {
			NL01: {
				bankMode: {
					transactions: rows.map((row) => ({
						...row,
						amount: Number(row.amount),
						balance: row.balance === null ? null : Number(row.balance),
					})),
					totalCredits: '0.30',
					totalDebits: '-5.05',
					numCredits: 2,
					numDebits: 1,
				},
				metadata: [
					{ name: 'startBalance', value: '10.00', period: '0' },
					{ name: 'startDate', value: '2025-03-01', period: '0' },
					{ name: 'isReconciled', value: '0', period: '0' },
				],
			},
			metadata: [],
		},
	});
});

test('totals keep the printed decimals, also without rows on one side', () => {
	const account = toGroupedData('a', statement('1', [transaction('85000', null)]))['a']?.['1'];
	assert.ok(account && 'bankMode' in account);
	assert.equal(account.bankMode.totalCredits, '85000');
	assert.equal(account.bankMode.totalDebits, '0');
	const other = toGroupedData('a', statement('1', [transaction('-3.00', null)]))['a']?.['1'];
	assert.ok(other && 'bankMode' in other);
	assert.deepEqual([other.bankMode.totalCredits, other.bankMode.totalDebits], ['0.00', '-3.00']);
});

test('an account number cannot touch a prototype', () => {
	const data = toGroupedData('1', statement('__proto__', []));
	assert.deepEqual(Object.keys(data['1'] ?? {}), ['__proto__', 'metadata']);
	assert.equal(Object.getPrototypeOf(data['1']), Object.prototype);
});
