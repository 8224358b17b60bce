import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checks } from './checks/index.ts';
import { NO_CLAIM } from './checks/check.ts';
import { notServedYet } from './notServedYet.ts';
import { rows } from './rows.ts';

/** How many rows and rules each section of the interface has. */
const ROWS_OF_SECTION = {
	'1': 7,
	'2.1': 7,
	'2.2': 6,
	'2.3': 5,
	'2.4': 3,
	'2.5': 5,
	'2.6': 4,
	'2.7': 7,
	'2.8': 44,
	'2.9': 23,
	'2.10': 9,
	'2.11': 7,
	'3': 8,
	'4.1': 10,
	'4.2': 11,
	'4.3': 8,
	'4.4': 10,
	'4.5': 16,
	'5': 6,
	'6': 32,
	'7': 7,
	'8': 10,
	'9': 6,
};

describe('the inventory of the interface', () => {
	it('has a check for every row, and a row for every check', () => {
		const ids = rows.map(({ id }) => id);
		assert.deepEqual([...checks.keys()].toSorted(), ids.toSorted());
		assert.equal(new Set(ids).size, ids.length);
	});

	it('has the rows of every section', () => {
		const counts = Object.groupBy(rows, ({ section }) => section);
		assert.deepEqual(
			Object.fromEntries(Object.entries(counts).map(([section, own]) => [section, own?.length])),
			ROWS_OF_SECTION,
		);
	});

	it('stands in the order of the interface', () => {
		const sections = [...new Set(rows.map(({ section }) => section))];
		assert.deepEqual(sections, [
			'1',
			...Array.from({ length: 11 }, (_, index) => `2.${index + 1}`),
			'3',
			...Array.from({ length: 5 }, (_, index) => `4.${index + 1}`),
			...['5', '6', '7', '8', '9'],
		]);
	});

	it('leaves nothing unchecked but what the interface leaves open', () => {
		const open = rows.filter(({ id }) => checks.get(id) === NO_CLAIM).map(({ id }) => id);
		assert.deepEqual(open, [
			'2.4 other fields',
			'6 rule 1',
			'6 rule 4',
			'7 rule 2',
			'7 rule 3',
			'9 5',
			'9 6',
		]);
	});

	it('knows by name what the local service does not serve yet', () => {
		assert.deepEqual(Object.keys(notServedYet).toSorted(), [
			'2.7 jobType Form',
			'2.7 jobType Invoice',
			'2.8 check.amountText',
			'2.8 check.bank',
			'2.8 check.checkMemo',
			'2.8 check.confidence',
			'2.8 check.docTypeGuess',
			'2.8 check.extractor',
			'2.8 check.handwrittenFields',
			'2.8 check.isCheckConsistent',
			'2.8 check.isMicrValid',
			'2.8 check.legalAmountNumeric',
			'2.8 check.payee',
			'2.8 check.routingNumber',
			'2.8 checks',
			'2.8 form.form',
			'2.8 form.pageNumber',
			'2.8 form.rowNumber',
			'2.8 invoice',
			'2.8 transaction.metadata',
			'4.2 GET /agent/jobs/{id}/data of an invoice',
			'4.3 data of a tax form',
			'4.3 data of an invoice',
			'6 form.extraction.completed',
			'6 invoice.extraction.completed',
			'6 tie check',
			'6 tie form',
			'6 tie invoice',
		]);
		for (const reason of Object.values(notServedYet)) assert.match(reason, /Failed/);
	});
});
