import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateStatement } from '../../../test/documents/index.ts';
import { SeededRandom } from '../../../test/documents/seededRandom.ts';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { analyseStatement } from '../../src/fraud/analysis/analyseStatement.ts';
import { accuses } from '../../src/fraud/analysis/fraudScore.ts';
import { readPdf } from '../../src/reading/pdf/readPdf.ts';
import { mistakes } from './extractionMistakes.ts';

const LAYOUTS = [
	'usChecking',
	'ukCurrent',
	'germanGiro',
	'twoStatements',
	'creditCard',
	'canadianBusiness',
	'usSections',
	'newestFirst',
];

test('what the extraction gets wrong is not held against the statement', async () => {
	const accused: string[] = [];
	let tried = 0;
	for (const layout of LAYOUTS) {
		for (const seed of [31, 32]) {
			const { pdf } = await generateStatement(layout, { seed });
			const pages = await readPdf(new Uint8Array(pdf), { maxPages: 20 });
			const statement = extractStatement(pages);
			for (const [name, make] of Object.entries(mistakes)) {
				const damaged = make(statement, new SeededRandom(`${name} ${layout} ${seed}`));
				assert.notDeepEqual(damaged, statement);
				const { signals, score } = analyseStatement({ statement: damaged, pages, pdf: null });
				tried++;
				if (accuses(signals, score))
					accused.push(`${layout} ${seed}, ${name}: ${signals[0]?.details}`);
			}
		}
	}
	assert.ok(tried >= 150);
	assert.deepEqual(accused, []);
});

test('a missing page is a remark and not an accusation', async () => {
	const { pdf } = await generateStatement('missingPage', { seed: 5 });
	const pages = await readPdf(new Uint8Array(pdf), { maxPages: 20 });
	const statement = extractStatement(pages);
	const { signals, score } = analyseStatement({ statement, pages, pdf: null });
	assert.equal(
		signals.find(({ type }) => type === 'balance_tampering')?.reasonCode,
		'page_missing',
	);
	assert.equal(accuses(signals, score), false);
});

test('a balance at the end that its rows do not lead to is named, with both figures', async () => {
	const { pdf, truth } = await generateStatement('doesNotAddUp', { seed: 5, difference: '125.50' });
	const pages = await readPdf(new Uint8Array(pdf), { maxPages: 20 });
	const { signals, score } = analyseStatement({
		statement: extractStatement(pages),
		pages,
		pdf: null,
	});
	const [signal] = signals;
	const printed = truth.accounts[0]?.periods[0]?.endBalance ?? '';
	assert.equal(signal?.reasonCode, 'end_balance_changed');
	assert.ok(signal.details.includes(printed) && signal.details.includes('125.50'));
	assert.equal(signal.pageNumber, 1);
	assert.ok(signal.bbox !== null && signal.bbox.x1 > signal.bbox.x0);
	assert.equal(score.authenticityScore, 100 - score.score);
	assert.notEqual(score.riskLevel, 'low');
	assert.ok(score.comment.includes('end_balance_changed'));
});
