import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectOfFolder } from '../../src/projects/folderProjects.ts';

test('a folder is a project with the path of the folders above it', () => {
	assert.deepEqual(projectOfFolder('', 'inbox'), { name: 'inbox', parentFolder: null });
	assert.deepEqual(projectOfFolder('', ''), { name: 'Watched folder', parentFolder: null });
	assert.deepEqual(projectOfFolder('a', 'inbox'), { name: 'a', parentFolder: null });
	assert.deepEqual(projectOfFolder('a/b/c', 'inbox'), { name: 'c', parentFolder: 'a/b' });
	assert.deepEqual(projectOfFolder('a\nb/ c ', 'inbox'), { name: 'c', parentFolder: 'a b' });
});
