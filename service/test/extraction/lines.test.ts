import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Word } from '../../src/extraction/page.ts';
import { linesOfPage } from '../../src/extraction/layout/lines.ts';
import { withoutWatermarks } from '../../src/extraction/layout/watermark.ts';
import { wordAt } from './textPage.ts';

const page = (words: Word[]): Page => ({ number: 1, width: 600, height: 800, words });
const texts = (words: Word[]) => linesOfPage(page(words)).map(({ text }) => text);

test('words on nearly one baseline are a line, from left to right', () => {
	assert.deepEqual(texts([wordAt('b', 100, 50.9), wordAt('a', 20, 50), wordAt('c', 20, 62)]), [
		'a b',
		'c',
	]);
});

test('a footer that touches the row stays apart from it', () => {
	const words = [
		wordAt('22', 20, 100),
		wordAt('-25.75', 300, 100),
		wordAt('No', 18, 98.5),
		wordAt('rights', 32, 98.5),
	];
	assert.deepEqual(texts(words), ['No rights', '22 -25.75']);
});

test('slanted text, text printed twice and broken words are left out', () => {
	const slanted = { ...wordAt('COPY', 50, 50), angle: 45 };
	const broken = { ...wordAt('x', Number.NaN, 50) };
	assert.deepEqual(texts([slanted, wordAt('bold', 20, 50), wordAt('bold', 20.3, 50), broken]), [
		'bold',
	]);
	// The same word at another place is another word.
	assert.deepEqual(texts([wordAt('5.00', 20, 50), wordAt('5.00', 80, 50)]), ['5.00 5.00']);
});

test('large upright text over the table is a watermark; a large title is none', () => {
	const table = Array.from({ length: 20 }, (_, row) => wordAt('word', 20, 100 + row * 12));
	const large = { ...wordAt('SPECIMEN', 10, 190, 300), y0: 150, fontSize: 40 };
	const title = { ...wordAt('Statement', 10, 60, 300), y0: 20, fontSize: 40 };
	const kept = withoutWatermarks(page([...table, large, title])).words;
	assert.equal(kept.includes(large), false);
	assert.equal(kept.includes(title), true);
});
