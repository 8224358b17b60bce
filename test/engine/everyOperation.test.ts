import type { ICredentialDataDecryptedObject, IDataObject, OnError } from 'n8n-workflow';

import { DocumentExtraction } from '../../nodes/DocumentExtraction/DocumentExtraction.node';
import { runNode, type Arrival, type NodeResult } from './engine';
import { ENTRIES } from './everyOperation/entries';
import type { Entry, Failure, Item } from './everyOperation/entry';
import { nameOf, offeredOperations, type Offer } from './everyOperation/offered';
import { Scoreboard } from './everyOperation/scoreboard';
import { World } from './everyOperation/world';
import { shortenPauses } from './fastClock';
import { deviations, outputSchema } from './outputSchema';

jest.setTimeout(180_000);

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

/** The credential of an entry, with another token where one is given. */
function credentialOf(entry: Entry, token?: string): ICredentialDataDecryptedObject {
	const { baseUrl, accessToken, jwt } = world.service;
	const fields = { baseUrl, ...entry.credential };
	return entry.authentication === 'jwt'
		? { ...fields, jwtToken: token ?? jwt }
		: { ...fields, accessToken: token ?? accessToken };
}

async function execute(
	entry: Entry,
	items: Item[],
	onError?: OnError,
	credential = credentialOf(entry),
): Promise<NodeResult> {
	const { authentication, resource, operation, parameters } = entry;
	const type = authentication === 'jwt' ? 'documentExtractionJwtApi' : 'documentExtractionApi';
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

/** Differences from the schema that are none of an entry. */
const TOLERATED: Record<Entry['outputSchema'], RegExp> = {
	asDescribed: /^$/,
	partOfIt: / is missing$/,
	other: / is (missing|not described)$/,
};

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
		expect(
			deviations(schema, json).filter((fault) => !TOLERATED[entry.outputSchema].test(fault)),
		).toEqual([]);
	}
}

/** The node behind an output got all of its items, and n8n finds the items they came from. */
function checkFollowed(after: Arrival[] | undefined, results: Item[], items: Item[]): void {
	expect(after).toEqual(
		results.map((item) => ({ received: item.json, origin: items[inputOf(item)]!.json })),
	);
}

/** A JWT that somebody else has signed. */
function withOtherSignature(jwt: string): string {
	const [head, claims, signature = ''] = jwt.split('.');
	return [head, claims, [...signature].reverse().join('')].join('.');
}

function spoiled(items: Item[], failure: Failure): Item[] {
	return items.map((item, index) => (index === BAD ? failure.spoil(item, world) : item));
}

/** No token is anywhere in what n8n keeps of the execution. */
function checkNoToken({ run }: NodeResult, ...others: string[]): void {
	const kept = JSON.stringify(run.data.resultData);
	const { accessToken, jwt } = world.service;
	for (const secret of [accessToken, jwt, ...others]) expect(kept.includes(secret)).toBe(false);
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
			checkFollowed(result.after.success, result.items, items);
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
				expect(failed[0]!.binary).toEqual(items[BAD]!.binary);
				const places = result.items.map(inputOf);
				expect(places).toEqual([...places].sort());
				const others = result.items.filter((item) => inputOf(item) !== BAD);
				await checkResults(entry, others, items, [0, 2]);
				checkFollowed(result.after.success, result.items, items);
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
				const { json, binary } = result.errors[0]!;
				checkErrorFields(json, failure);
				expect(json).toEqual({
					...items[BAD]!.json,
					error: json.error,
					message: json.message,
					details: json.details,
				});
				expect(binary).toEqual(items[BAD]!.binary);
				checkFollowed(result.after.success, result.items, items);
				checkFollowed(result.after.error, result.errors, items);
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

const anyOf = (offer: Offer) => ENTRIES.find((entry) => nameOf(entry) === nameOf(offer))!;

describe('a credential that the service refuses', () => {
	it.each(OFFERED.map((offer) => ({ name: nameOf(offer), entry: anyOf(offer) })))(
		'is an error of each item of $name, and says which field to check',
		async ({ entry }) => {
			const items = await threeItems(entry);
			const isJwt = entry.authentication === 'jwt';
			const refused = isJwt
				? withOtherSignature(world.service.jwt)
				: await world.direct.revokedToken();
			const credential = credentialOf(entry, refused);
			const apart = await execute(entry, items, 'continueErrorOutput', credential);
			expect(apart.items).toEqual([]);
			expect(apart.errors.map(inputOf)).toEqual([0, 1, 2]);
			const field = isJwt ? "'JWT'" : "'Access Token'";
			apart.errors.forEach(({ json }, index) => {
				expect(json.place).toBe(PLACES[index]);
				expect(json.error).toBe(`The service did not accept the credential [item ${index}]`);
				expect((json.details as IDataObject).description).toContain(field);
			});
			checkNoToken(apart, refused);

			const stopped = await execute(entry, items, undefined, credential);
			expect(stopped.error?.message).toBe('The service did not accept the credential [item 0]');
			expect(stopped.error?.description).toContain(field);
			expect(stopped.after).toEqual({});
			checkNoToken(stopped, refused);
		},
	);
});

describe('a service that is not there', () => {
	it.each(OFFERED.map((offer) => ({ name: nameOf(offer), entry: anyOf(offer) })))(
		'is an error of each item of $name, and says where to look',
		async ({ entry }) => {
			const items = await threeItems(entry);
			// The port that nothing ever listens at. Nobody waits for it here.
			const credential = { ...credentialOf(entry), baseUrl: 'http://127.0.0.1:1/api/v1' };
			jest.restoreAllMocks();
			shortenPauses(1_000);
			const result = await execute(entry, items, 'continueErrorOutput', credential);
			expect(result.items).toEqual([]);
			expect(result.errors.map(({ json, pairedItem }) => [json.place, pairedItem])).toEqual(
				PLACES.map((place, item) => [place, { item }]),
			);
			result.errors.forEach(({ json }, index) => {
				expect(json.error).toContain('nothing answers there');
				expect(json.error).toContain(`[item ${index}]`);
				expect((json.details as IDataObject).description).toContain("'Base URL'");
			});
			checkNoToken(result);
		},
	);
});
