import { inlineFile, runNode, storedFile } from './engine';
import { usualService, type ScriptedService } from './scriptedService';

const PDF = Buffer.from('%PDF-1.7 a small file');

let service: ScriptedService;

const credentials = () => ({
	documentExtractionApi: { baseUrl: service.baseUrl, accessToken: 'dex_pat_right' },
});
const extract = { resource: 'document', operation: 'extract' };

beforeEach(async () => {
	service = await usualService().start();
});

afterEach(async () => {
	await service.stop();
});

describe('Document: Extract in the engine', () => {
	it('gives the rows of three items, each linked to its own item', async () => {
		const items = await Promise.all(
			['a.pdf', 'b.pdf', 'c.pdf'].map(async (name) => ({
				json: { name },
				binary: { data: await storedFile(PDF, name, 'application/pdf') },
			})),
		);
		const result = await runNode({ parameters: extract, items, credentials: credentials() });
		expect(result.error).toBeUndefined();
		expect(
			result.items.map(({ json, pairedItem }) => [json.documentId, json.fitId, pairedItem]),
		).toEqual([
			['1', '1-1', { item: 0 }],
			['1', '1-2', { item: 0 }],
			['2', '2-1', { item: 1 }],
			['2', '2-2', { item: 1 }],
			['3', '3-1', { item: 2 }],
			['3', '3-2', { item: 2 }],
		]);
	});
});
void inlineFile;
