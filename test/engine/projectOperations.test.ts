import { byId, runsAgainst, serviceForEachTest } from './scriptedRuns';

const service = serviceForEachTest();
const run = runsAgainst(service, { resource: 'project' });

const items = [{ json: { id: 1 } }, { json: { id: 2 } }, { json: { id: 3 } }];

/** Ids of a project's documents, newest first, which a test may change between two pages. */
class ProjectList {
	ids: Array<string | number>;

	requests = 0;

	constructor(
		count: number,
		private readonly afterPage: (list: ProjectList) => void = () => {},
		private readonly options: { mostPerPage?: number; total?: boolean } = {},
	) {
		this.ids = Array.from({ length: count }, (_one, at) => count - at);
	}

	serve(): this {
		const { mostPerPage = 200, total = true } = this.options;
		service.on('GET', /projects\/3\/documents\?(.*)$/, (_request, [search]) => {
			const query = new URLSearchParams(search);
			const limit = Math.min(mostPerPage, Number(query.get('limit')));
			const offset = Number(query.get('offset'));
			const documents = this.ids.slice(offset, offset + limit).map((id) => ({ id, status: 'x' }));
			const count = this.ids.length;
			this.requests++;
			this.afterPage(this);
			return { body: total ? { documents, total: count, limit, offset } : { documents } };
		});
		return this;
	}
}

const getDocuments = { operation: 'getDocuments', projectId: byId('3') };
const idsOf = (result: { items: Array<{ json: object }> }) =>
	result.items.map(({ json }) => (json as { documentId: string }).documentId);
const down = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_one, at) => String(from - at));

describe('Get Documents', () => {
	it('gives up to the limit, newest first, each with its id and its project', async () => {
		new ProjectList(500).serve();
		const result = await run(getDocuments);
		expect(idsOf(result)).toEqual(down(500, 451));
		expect(result.items[0]).toEqual({
			json: { id: 500, status: 'x', documentId: '500', projectId: '3' },
			pairedItem: { item: 0 },
		});
		expect(service.seen).toHaveLength(1);
	});

	it('reads up to a limit that is more than a page', async () => {
		new ProjectList(500).serve();
		expect(idsOf(await run({ ...getDocuments, limit: 333 }))).toEqual(down(500, 168));
	});

	it.each([0, 1, 2, 3, 199, 200, 201, 380, 400, 777])('reads all of %d', async (count) => {
		const list = new ProjectList(count).serve();
		const result = await run({ ...getDocuments, returnAll: true });
		expect(idsOf(result)).toEqual(count === 0 ? [] : down(count, 1));
		expect(list.requests).toBeLessThan(8);
	});

	it.each([
		[30, 200],
		[120, 50],
		[50, 50],
		[7, 2],
	])('reads all of %d from a service with %d a page and no total', async (count, mostPerPage) => {
		new ProjectList(count, undefined, { mostPerPage, total: false }).serve();
		const result = await run({ ...getDocuments, returnAll: true });
		expect(idsOf(result)).toEqual(down(count, 1));
	});

	it.each([1, 15, 250])('%d documents that arrive after each page', async (arriving) => {
		let next = 1000;
		const arrive = (list: ProjectList) => {
			if (list.requests > 3) return;
			for (let one = 0; one < arriving; one++) list.ids.unshift(next++);
		};
		const list = new ProjectList(600, arrive).serve();
		const result = idsOf(await run({ ...getDocuments, returnAll: true }));
		expect(new Set(result).size).toBe(result.length);
		// Nothing is lost: neither what was there nor what arrived meanwhile.
		expect([...result].sort()).toEqual(list.ids.map(String).sort());
	});

	it.each([1, 15, 150])('%d documents that are deleted after each page', async (deleted) => {
		const remove = (list: ProjectList) => {
			if (list.requests <= 2) list.ids.splice(0, deleted);
		};
		const list = new ProjectList(600, remove).serve();
		const result = idsOf(await run({ ...getDocuments, returnAll: true }));
		expect(new Set(result).size).toBe(result.length);
		expect(result).toEqual(expect.arrayContaining(list.ids.map(String)));
	});

	it('a service that does not know offsets ends nothing in a circle', async () => {
		service.on('GET', /documents/, { body: [{ id: 'b' }, { id: 'a' }] });
		const result = await run({ ...getDocuments, returnAll: true });
		expect(idsOf(result)).toEqual(['b', 'a']);
		expect(service.seen.length).toBeLessThan(5);
	});

	it('three items, each with its own project, and one that is not there', async () => {
		service.on('GET', /projects\/([13])\/documents/, (_request, [id]) => ({
			body: { documents: [{ id: `of ${id}`, error: 'x' }], total: 1 },
		}));
		const parameters = { ...getDocuments, projectId: byId('={{ $json.id }}') };
		const result = await run(parameters, { items, onError: 'continueErrorOutput' });
		expect(result.items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ id: 'of 1', documentId: 'of 1', projectId: '1', serviceError: 'x' }, { item: 0 }],
			[{ id: 'of 3', documentId: 'of 3', projectId: '3', serviceError: 'x' }, { item: 2 }],
		]);
		expect(result.errors.map(({ json, pairedItem }) => [json.message, pairedItem])).toEqual([
			['The project 2 was not found [item 1]', { item: 1 }],
		]);
		const stopped = await run(parameters, { items });
		expect(stopped.error?.message).toBe('The project 2 was not found [item 1]');
		const regular = await run(parameters, { items, onError: 'continueRegularOutput' });
		expect(regular.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});
});

describe('Get Many', () => {
	it.each([
		['{projects}', (projects: unknown) => ({ projects })],
		['a list', (projects: unknown) => projects],
		['{data}', (projects: unknown) => ({ data: projects })],
	])('reads %s for each of three items', async (_shape, wrap) => {
		const projects = [
			{ id: 3, name: 'Acme', parentFolder: 'Clients', documentCount: 2 },
			{ id: 'p4', name: 'Other', parentFolder: null },
		];
		service.on('GET', /\/agent\/projects$/, { body: wrap(projects) });
		const result = await run({ operation: 'getMany' }, { items });
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1, 2, 2].map((item) => ({ item })),
		);
		expect(result.items.slice(0, 2).map(({ json }) => json)).toEqual([
			{ ...projects[0], projectId: '3' },
			{ ...projects[1], projectId: 'p4' },
		]);
	});

	it('gives no more than the limit', async () => {
		const projects = Array.from({ length: 60 }, (_one, id) => ({ id, name: `n${id}` }));
		service.on('GET', /\/agent\/projects$/, { body: { projects } });
		expect((await run({ operation: 'getMany' })).items).toHaveLength(50);
		expect((await run({ operation: 'getMany', returnAll: true })).items).toHaveLength(60);
	});

	it('goes on after a failure', async () => {
		service.on('GET', /projects/, { status: 403, body: { message: 'not yours' } });
		const result = await run({ operation: 'getMany' }, { items, onError: 'continueErrorOutput' });
		expect(result.errors.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
	});
});
