import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import type { RealN8n } from './realN8n.ts';
import { ourNodeType } from './workflowBuilder.ts';

interface NodeType {
	name: string;
	displayName: string;
	iconUrl?: string | { light: string; dark: string };
	credentials?: Array<{ name: string }>;
	usableAsTool?: boolean;
}

/** What n8n knows of the package after it was loaded from the tarball. */
export const testPackage = (running: () => RealN8n): void => {
	test('the tarball holds what is published and nothing else', async () => {
		const names = await readdir(running().packageFolder);
		assert.ok(names.includes('dist') && names.includes('package.json'));
		const expected = new Set(['dist', 'package.json', 'README.md', 'LICENSE.md', 'LICENSE']);
		assert.deepEqual(
			names.filter((name) => !expected.has(name)),
			[],
		);
	});

	test('n8n offers the node and both credentials, with their icons', async () => {
		const { address } = running().n8n;
		const known = async <T extends { name: string }>(file: string) =>
			await running().n8n.rawJson<T[]>(`/types/${file}.json`);
		const nodes = await known<NodeType>('nodes');
		const node = nodes.find(({ name }) => name === ourNodeType);
		assert.ok(node !== undefined, `${ourNodeType} is not among ${nodes.length} nodes`);
		assert.equal(node.displayName, 'Document Extraction');
		assert.deepEqual(
			node.credentials?.map(({ name }) => name),
			['documentExtractionApi', 'documentExtractionJwtApi'],
		);
		assert.ok(typeof node.iconUrl === 'object');
		for (const url of [node.iconUrl.light, node.iconUrl.dark]) {
			const response = await fetch(`${address}/${url}`);
			assert.equal(response.status, 200);
			assert.match(response.headers.get('content-type') ?? '', /svg/);
		}
		const credentials = (await known('credentials')).map(({ name }) => name);
		assert.ok(credentials.includes('documentExtractionApi'));
		assert.ok(credentials.includes('documentExtractionJwtApi'));
	});
};
