import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Statement } from '../../src/extraction/statements/statement.ts';
import { analyseStatement } from '../../src/fraud/analysis/analyseStatement.ts';
import { fraudScore } from '../../src/fraud/analysis/fraudScore.ts';
import type { FraudSignal } from '../../src/fraud/analysis/fraudSignal.ts';

const decimal = fc
	.tuple(
		fc.boolean(),
		fc.bigInt({ min: 0n, max: 10n ** 12n }),
		fc.constantFrom('', '.5', '.00', '.125'),
	)
	.map(([minus, whole, fraction]) => `${minus ? '-' : ''}${whole}${fraction}`);
const text = fc.oneof(
	fc.string({ maxLength: 40 }),
	fc.constantFrom(
		'SALARY',
		'TRANSFER FROM A B SMITH',
		'Closing balance 12.00',
		'Total deposits',
		'# of deposits/credits: 99999',
		'Totals on this page 1.00 2.00',
		'Page 1 of 3',
		'01/02/2025 X 1.00',
	),
);
const day = fc.constantFrom('20250101000000', '20250131000000', '20240229120000', '99991231000000');
const row = fc.record({
	period: fc.constantFrom('0', '1'),
	date: day,
	amount: decimal,
	memo: text,
	name: text,
	payee: text,
	checkNumber: fc.constant(''),
	balance: fc.option(decimal),
	category: fc.constant(''),
	fitId: fc.string(),
	descriptionLines: fc.array(text, { maxLength: 2 }),
	pageNumber: fc.integer({ min: 1, max: 3 }),
});
const period = (name: string) =>
	fc.record({
		period: fc.constant(name),
		startBalance: fc.option(decimal),
		endBalance: fc.option(decimal),
		startDate: fc.option(fc.constantFrom('2025-01-01', '2024-12-31')),
		endDate: fc.option(fc.constantFrom('2025-01-31', '2025-13-45')),
		isReconciled: fc.boolean(),
	});
const statements: fc.Arbitrary<Statement> = fc.record({
	accounts: fc.array(
		fc.record({
			account: fc.constantFrom('1', '2'),
			currency: fc.option(fc.constant('EUR')),
			periods: fc.tuple(period('0'), period('1')).map((periods) => [...periods]),
			transactions: fc.array(row, { maxLength: 12 }),
		}),
		{ maxLength: 2 },
	),
	printedRows: fc.array(
		fc.record({
			pageNumber: fc.integer({ min: 1, max: 3 }),
			lineNumber: fc.integer({ min: 1, max: 40 }),
			text,
			cells: fc.array(text, { maxLength: 4 }),
			transaction: fc.option(
				fc.record({ account: fc.constantFrom('1', '2', '3'), index: fc.nat({ max: 20 }) }),
			),
		}),
		{ maxLength: 20 },
	),
	notes: fc.array(text, { maxLength: 1 }),
});

test('any statement is analysed without an error, and is not changed', () => {
	fc.assert(
		fc.property(statements, (statement) => {
			const before = JSON.stringify(statement);
			const { signals, score } = analyseStatement({ statement, pages: [], pdf: null });
			assert.equal(JSON.stringify(statement), before);
			assert.ok(Number.isInteger(score.score) && score.score >= 0 && score.score <= 100);
			for (const { confidence, details, reasonCode, metadata } of signals) {
				assert.ok(confidence > 0 && confidence < 1, `${reasonCode} ${confidence}`);
				assert.ok(details.length > 20);
				for (const value of Object.values(metadata)) assert.ok(!Number.isNaN(value));
			}
		}),
		{ numRuns: 1_500, seed: 7 },
	);
});

function signal(type: FraudSignal['type'], confidence: number): FraudSignal {
	return {
		type,
		reasonCode: 'made_up',
		confidence,
		details: '',
		pageNumber: null,
		bbox: null,
		text: null,
		period: null,
		metadata: {},
	};
}

test('the score counts the surest signal of each family, and grows with each family', () => {
	assert.deepEqual(
		[
			[],
			[signal('balance_tampering', 0.4)],
			[signal('balance_tampering', 0.4), signal('balance_tampering', 0.3)],
			[signal('balance_tampering', 0.4), signal('metadata_mismatch', 0.5)],
			[signal('document_edit', 0.9), signal('covered_text', 0.9)],
		].map((signals) => {
			const { score, authenticityScore, riskLevel } = fraudScore(signals);
			return [score, authenticityScore, riskLevel];
		}),
		[
			[0, 100, 'low'],
			[40, 60, 'low'],
			[40, 60, 'low'],
			[70, 30, 'medium'],
			[90, 10, 'high'],
		],
	);
});
