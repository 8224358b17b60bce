import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitIdMaker } from '../../src/extraction/statements/fitId.ts';

const TRAM = { account: '123', date: '20250301000000', amount: '-2.40', text: 'TRAM RIDE' };

test('the same row has the same id in every extraction', () => {
	const id = fitIdMaker()(TRAM);
	assert.equal(fitIdMaker()(TRAM), id);
	assert.match(id, /^[0-9a-f]{32}$/);
});

test('two equal purchases on one day have different ids, the same ones again', () => {
	const [first, second] = [fitIdMaker(), fitIdMaker()].map((make) => [make(TRAM), make(TRAM)]);
	assert.notEqual(first?.[0], first?.[1]);
	assert.deepEqual(first, second);
});

test('other rows before it do not change an id', () => {
	const make = fitIdMaker();
	make({ ...TRAM, text: 'BUS RIDE' });
	assert.equal(make(TRAM), fitIdMaker()(TRAM));
});

test('spacing, case and trailing zeros do not matter; account, day, amount and text do', () => {
	const id = fitIdMaker()(TRAM);
	assert.equal(fitIdMaker()({ ...TRAM, amount: '-2.4', text: ' tram  ride' }), id);
	for (const other of [
		{ account: '124' },
		{ date: '20250302000000' },
		{ amount: '2.40' },
		{ text: 'TRAM' },
	]) {
		assert.notEqual(fitIdMaker()({ ...TRAM, ...other }), id);
	}
});
