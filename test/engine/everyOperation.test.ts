import type { IDataObject, OnError } from 'n8n-workflow';

import { DocumentExtraction } from '../../nodes/DocumentExtraction/DocumentExtraction.node';
import { runNode, type NodeResult } from './engine';
import { ENTRIES } from './everyOperation/entries';
import type { Entry, Failure, Item } from './everyOperation/entry';
import { nameOf, offeredOperations } from './everyOperation/offered';
import { Scoreboard } from './everyOperation/scoreboard';
import { World } from './everyOperation/world';
import { shortenPauses } from './fastClock';
import { deviations, outputSchema } from './outputSchema';

jest.setTimeout(60_000);

/**
 * Every operation of the action node in n8n's own engine, against the service of this repository:
 * with three items that succeed, and with one in the middle that fails, in each of n8n's settings
 * for errors. The list of operations comes from the node itself.
 */
const OFFERED = offeredOperations(new DocumentExtraction().description);
const BAD = 1;
const PLACES = ['first', 'middle', 'last'];
const scoreboard = new Scoreboard();
let world: World;

beforeAll(async () => {
	world = await World.make();
});

afterAll(async () => {
	await world?.end();
	process.stdout.write(`\n${scoreboard.table(OFFERED)}\n`);
});

beforeEach(() => {
	shortenPauses(10);
});

afterEach(async () => {
	jest.restoreAllMocks();
	world.receiver.received.length = 0;
	await world.direct.deleteAllWebhooks();
});

/** Three items, each with its place, so that an item can be followed to where it came from. */
async function threeItems(entry: Entry): Promise<Item[]> {
	const items = await entry.items(world);
	expect(items).toHaveLength(3);
	return items.map((item, index) => ({ ...item, json: { place: PLACES[index], ...item.json } }));
}

async function execute(entry: Entry, items: Item[], onError?: OnError): Promise<NodeResult> {
	const { authentication, resource, operation, parameters } = entry;
	const { baseUrl, accessToken, jwt } = world.service;
	const type = authentication === 'jwt' ? 'documentExtractionJwtApi' : 'documentExtractionApi';
	const credential =
		entry.credential?.(world) ??
		(authentication === 'jwt' ? { baseUrl, jwtToken: jwt } : { baseUrl, accessToken });
	return await runNode({
		parameters: { authentication, resource, operation, ...parameters },
		items,
		credentials: { [type]: credential },
		withNodesAfter: true,
		...(onError === undefined ? {} : { onError }),
	});
}

function inputOf(item: Item): number {
	expect(item.pairedItem).toEqual({ item: expect.any(Number) as unknown });
	return (item.pairedItem as { item: number }).item;
}

/** What came out for some of the items is right, in order, and linked to them. */
async function checkResults(entry: Entry, results: Item[], items: Item[], good: number[]) {
	const inputs = results.map(inputOf);
	expect(inputs).toEqual([...inputs].sort((left, right) => left - right));
	expect([...new Set(inputs)]).toEqual(good);
	for (const index of good) {
		const own = results.filter((result) => inputOf(result) === index);
		await entry.check(own, items[index]!, world);
	}
	const schema = outputSchema(entry.resource, entry.operation);
	for (const { json } of results) {
		expect(json).not.toHaveProperty('error');
		if (entry.outputSchema === 'asDescribed') expect(deviations(schema, json)).toEqual([]);
	}
}

/** The node behind the success output got all of them, and n8n finds the items they came from. */
function checkFollowed(result: NodeResult, results: Item[], items: Item[]): void {
	expect(result.after.success).toEqual(
		results.map((item) => ({ received: item.json, origin: items[inputOf(item)]!.json })),
	);
}

function spoiled(items: Item[], failure: Failure): Item[] {
	return items.map((item, index) => (index === BAD ? failure.spoil(item, world) : item));
}

/** No token is anywhere in what n8n keeps of the execution. */
function checkNoToken({ run }: NodeResult): void {
	const kept = JSON.stringify(run.data.resultData);
	const { accessToken, jwt } = world.service;
	for (const secret of [accessToken, jwt]) expect(kept.includes(secret)).toBe(false);
}

/** The fields that say what went wrong with the item, and what to do. */
function checkErrorFields(json: IDataObject, failure: Failure): void {
	expect(json.error).toMatch(failure.message);
	expect(json.error).toContain(`[item ${BAD}]`);
	expect(json.message).toBe(json.error);
	const { description } = json.details as IDataObject;
	expect(description).toMatch(failure.description);
}

describe('the table', () => {
	it('has an entry for every operation that the node offers, and for no other', () => {
		const tried = [...new Set(ENTRIES.map(nameOf))].sort();
		expect(tried).toEqual(OFFERED.map(nameOf).sort());
		expect(OFFERED.length).toBeGreaterThan(30);
	});
});

const named = ENTRIES.map((entry) => {
	const variant = entry.variant === undefined ? '' : `, ${entry.variant}`;
	return { name: `${nameOf(entry)}${variant}`, entry };
});

describe.each(named)('$name', ({ entry }) => {
	it('succeeds with three items', async () => {
		await scoreboard.score(entry, 'success', async () => {
			const items = await threeItems(entry);
			const result = await execute(entry, items);
			expect(result.error).toBeUndefined();
			expect(result.status).toBe('success');
			await checkResults(entry, result.items, items, [0, 1, 2]);
			checkFollowed(result, result.items, items);
			checkNoToken(result);
		});
	});

	describe.each(entry.failures)('$name', (failure) => {
		it('with "Continue" is an item with the error, in its place', async () => {
			await scoreboard.score(entry, 'continue', async () => {
				const items = spoiled(await threeItems(entry), failure);
				const result = await execute(entry, items, 'continueRegularOutput');
				expect(result.error).toBeUndefined();
				expect(result.status).toBe('success');
				const failed = result.items.filter((item) => inputOf(item) === BAD);
				expect(failed.map(({ json }) => Object.keys(json).sort())).toEqual([
					['details', 'error', 'message'],
				]);
				checkErrorFields(failed[0]!.json, failure);
				const places = result.items.map(inputOf);
				expect(places).toEqual([...places].sort());
				const others = result.items.filter((item) => inputOf(item) !== BAD);
				await checkResults(entry, others, items, [0, 2]);
				checkFollowed(result, result.items, items);
				checkNoToken(result);
			});
		});

		it('goes to the error output with its own fields, the others go on', async () => {
			await scoreboard.score(entry, 'error output', async () => {
				const items = spoiled(await threeItems(entry), failure);
				const result = await execute(entry, items, 'continueErrorOutput');
				expect(result.error).toBeUndefined();
				expect(result.status).toBe('success');
				await checkResults(entry, result.items, items, [0, 2]);
				expect(result.errors.map(inputOf)).toEqual([BAD]);
				const { json } = result.errors[0]!;
				checkErrorFields(json, failure);
				expect(json).toEqual({
					...items[BAD]!.json,
					error: json.error,
					message: json.message,
					details: json.details,
				});
				expect(result.after.success?.map(({ received }) => received)).toEqual(
					result.items.map((item) => item.json),
				);
				expect(result.after.error?.map(({ received }) => received)).toEqual([json]);
				checkNoToken(result);
			});
		});

		it('stops the execution, which names the item and says what to do', async () => {
			await scoreboard.score(entry, 'stop', async () => {
				const items = spoiled(await threeItems(entry), failure);
				const result = await execute(entry, items);
				expect(result.status).toBe('error');
				expect(result.error?.message).toMatch(failure.message);
				expect(result.error?.message).toContain(`[item ${BAD}]`);
				expect(result.error?.description).toMatch(failure.description);
				expect(result.error?.context?.itemIndex).toBe(BAD);
				expect(result.after).toEqual({});
				checkNoToken(result);
			});
		});
	});
});
