import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passedMarks } from '../../src/accounts/pageAllowance.ts';

test('each mark is passed once on the way to the allowance and beyond', () => {
	for (const allowance of [1, 2, 3, 4, 5, 7, 10, 99, 100, 101, 1000]) {
		for (const step of [1, 2, 3, 7, 50]) {
			const passed: number[] = [];
			for (let pages = 0; pages < allowance * 2; pages += step) {
				passed.push(...passedMarks(pages, pages + step, allowance));
			}
			assert.deepEqual(passed, [80, 100], `${allowance} pages in steps of ${step}`);
		}
	}
});

test('a mark is passed when it is reached, not before', () => {
	assert.deepEqual(passedMarks(0, 79, 100), []);
	assert.deepEqual(passedMarks(79, 80, 100), [80]);
	assert.deepEqual(passedMarks(80, 99, 100), []);
	assert.deepEqual(passedMarks(99, 100, 100), [100]);
	assert.deepEqual(passedMarks(100, 300, 100), []);
	assert.deepEqual(passedMarks(2, 3, 4), [], '3 of 4 pages are 75 percent');
	assert.deepEqual(passedMarks(0, 0, 0), []);
});
