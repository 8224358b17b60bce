import { byId, runsAgainst, serviceForEachTest } from './scriptedRuns';

const service = serviceForEachTest();
const run = runsAgainst(service, { authentication: 'jwt', resource: 'fraud' });

const items = [{ json: { id: '1' } }, { json: { id: '2' } }, { json: { id: '3' } }];

const getScore = { operation: 'getScore', documentId: byId('={{ $json.id }}') };
const score = { id: 1, documentId: 7, score: 90, authenticityScore: 10, riskLevel: 'high' };

describe('Get Score', () => {
	beforeEach(() => {
		service.on('GET', /protected\/document\/(\w+)\/fraudScore$/, (_request, [id]) =>
			id === '2'
				? { status: 404, body: { error: { message: 'There is no such document.' } } }
				: { body: { score: id === '3' ? null : score } },
		);
	});

	it('gives one item for each document, also for one that was not analysed', async () => {
		const result = await run(getScore, { items: [items[0]!, items[2]!] });
		expect(result.items).toEqual([
			{ json: { isAnalysed: true, ...score, documentId: '1' }, pairedItem: { item: 0 } },
			{
				json: { isAnalysed: false, score: null, riskLevel: null, documentId: '3' },
				pairedItem: { item: 1 },
			},
		]);
	});

	it('stops at a document that is not there, names it, and goes on where that is wanted', async () => {
		const stopped = await run(getScore, { items });
		expect(stopped.error?.message).toBe('The document 2 was not found [item 1]');

		const continued = await run(getScore, { items, onError: 'continueRegularOutput' });
		expect(continued.items).toHaveLength(3);
		expect(continued.items[1]?.json).toMatchObject({
			error: 'The document 2 was not found [item 1]',
			details: { documentId: '2', httpStatus: 404 },
		});

		const split = await run(getScore, { items, onError: 'continueErrorOutput' });
		expect(split.items.map(({ json }) => json.documentId)).toEqual(['1', '3']);
		expect(split.errors.map(({ json }) => json.message)).toEqual([
			'The document 2 was not found [item 1]',
		]);
	});

	it('says that it needs a JWT', async () => {
		const result = await run({ ...getScore, authentication: 'accessToken' });
		expect(result.error?.message).toBe('This operation needs a JWT');
		expect(service.seen).toHaveLength(0);
	});
});

describe('Get Many Signals', () => {
	const getSignals = { operation: 'getManySignals', documentId: byId('7') };
	const signals = Array.from({ length: 230 }, (_one, at) => ({ id: at + 1, confidence: 0.9 }));

	beforeEach(() => {
		service.on('GET', /document\/7\/fraudSignals\?(.*)$/, (_request, [search]) => {
			const query = new URLSearchParams(search);
			const offset = Number(query.get('offset'));
			const page = signals.slice(offset, offset + Number(query.get('limit')));
			return { body: { total: signals.length, signals: page, score } };
		});
	});
	const queries = () =>
		service.seen.map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams));

	it('gives up to the limit, in one request', async () => {
		const result = await run({ ...getSignals, limit: 3 });
		expect(result.items.map(({ json }) => json.id)).toEqual([1, 2, 3]);
		expect(result.items[0]?.json).toEqual({ id: 1, confidence: 0.9, documentId: '7' });
		expect(queries()).toEqual([{ limit: '3', offset: '0' }]);
	});

	it('pages through to the end where all are wanted', async () => {
		const result = await run({ ...getSignals, returnAll: true });
		expect(result.items.map(({ json }) => json.id)).toEqual(signals.map(({ id }) => id));
		expect(queries().map(({ offset }) => offset)).toEqual(['0', '100', '200']);
	});

	it('passes the filters on', async () => {
		const filters = { type: ' balance_tampering ', minConfidence: 0.5, maxConfidence: 1 };
		await run({ ...getSignals, limit: 1, filters });
		expect(queries()).toEqual([
			{
				minConfidence: '0.5',
				maxConfidence: '1',
				type: 'balance_tampering',
				limit: '1',
				offset: '0',
			},
		]);
	});

	it('names the field where a confidence is none', async () => {
		const result = await run({ ...getSignals, filters: { minConfidence: 50 } });
		expect(result.error?.message).toBe(
			"The value in 'Min Confidence' is not a number from 0 to 1 [item 0]",
		);
		expect(service.seen).toHaveLength(0);
	});
});
