import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileMemory } from '../../src/ingestion/fileMemory.ts';

test('a file is unchanged from the second time on that it is seen with one stamp', () => {
	const memory = new FileMemory(10);
	memory.beginLook();
	assert.equal(memory.isDue('a'), true);
	assert.equal(memory.note('a', '1', 0).sighting, 'new or changed');
	memory.beginLook();
	assert.equal(memory.isDue('a'), true);
	const { file, sighting } = memory.note('a', '1', 5);
	assert.deepEqual([sighting, file.since], ['unchanged', 0]);
	file.settled = true;
	memory.beginLook();
	const changed = memory.note('a', '2', 9);
	assert.deepEqual(
		[changed.sighting, changed.file.since, changed.file.settled],
		['new or changed', 9, false],
	);
});

test('settled files are asked in turn, a fixed number a look, and each of them before long', () => {
	const memory = new FileMemory(10);
	const names = Array.from({ length: 95 }, (_, index) => `file ${index}`);
	memory.beginLook();
	for (const name of names) {
		memory.isDue(name);
		memory.note(name, '1', 0).file.settled = true;
	}
	const asked = new Set<string>();
	for (let look = 0; look < 10; look++) {
		memory.beginLook();
		const due = names.filter((name) => memory.isDue(name));
		assert.ok(due.length <= 10, `${due.length} at once`);
		for (const name of due) asked.add(name);
		assert.equal(memory.isDue('new'), true, 'what is new is asked at once');
	}
	assert.equal(asked.size, names.length);
});

test('files that are gone are forgotten, and are new when they come back', () => {
	const memory = new FileMemory(10);
	memory.beginLook();
	memory.note('a', '1', 0);
	memory.note('b', '1', 0);
	memory.beginLook();
	memory.isDue('b');
	memory.forgetUnseen();
	assert.equal(memory.size, 1);
	assert.equal(memory.note('a', '1', 7).sighting, 'new or changed');
});
