import { runNode } from './engine';
import { LocalService } from './localService';
import { inlineFile } from './engine';
import { generateStatement } from '../documents';

jest.setTimeout(180_000);

let service: LocalService;

beforeAll(async () => {
	service = await LocalService.start();
});

afterAll(async () => {
	await service.stop();
});

async function extracted(): Promise<string> {
	const { pdf } = await generateStatement('usChecking', { seed: 31 });
	const result = await runNode({
		parameters: { resource: 'document', operation: 'extract', output: 'documents', options: {} },
		items: [{ json: {}, binary: { data: inlineFile(pdf, 'statement.pdf', 'application/pdf') } }],
		credentials: {
			documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
		},
	});
	expect(result.error).toBeUndefined();
	return String(result.items[0]?.json.documentId);
}

async function fraud(operation: string, documentId: string, more = {}) {
	const result = await runNode({
		parameters: {
			authentication: 'jwt',
			resource: 'fraud',
			operation,
			documentId: { __rl: true, mode: 'id', value: documentId },
			...more,
		},
		items: [{ json: {} }],
		credentials: {
			documentExtractionJwtApi: { baseUrl: service.baseUrl, jwtToken: service.jwt },
		},
	});
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => json);
}

it('a clean statement has a low risk and accuses nobody', async () => {
	const documentId = await extracted();
	const [score] = await fraud('getScore', documentId);
	expect(score).toMatchObject({ isAnalysed: true, documentId, riskLevel: 'low' });
	expect(await fraud('getManySignals', documentId, { filters: { minConfidence: 0.5 } })).toEqual(
		[],
	);
});
