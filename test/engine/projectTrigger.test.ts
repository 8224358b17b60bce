import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../nodes/shared/transport/clock';
import { PollHost } from './pollHost';
import { documentPayload, row, ScriptedService } from './scriptedService';

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 1);

interface Stored {
	id: number | string;
	status: string;
	createdAt?: string;
	originalname?: string;
	failureReason?: unknown;
}

let service: ScriptedService;
let documents: Stored[];
let warnings: string[];
let now: number;

beforeEach(async () => {
	documents = [];
	warnings = [];
	now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	jest.spyOn(systemClock, 'pause').mockResolvedValue();
	jest.spyOn(Container.get(Logger), 'warn').mockImplementation((message) => {
		warnings.push(message);
	});
	service = await new ScriptedService()
		.on('GET', /\/projects\/3\/documents\?(.*)$/, (_request, [search]) => {
			const query = new URLSearchParams(search);
			const limit = Number(query.get('limit'));
			const offset = Number(query.get('offset'));
			const page = documents.slice(offset, offset + limit);
			return { body: { documents: page, total: documents.length, limit, offset } };
		})
		.on('GET', /\/agent\/documents\/([^/]+)$/, (_request, [id]) => {
			const document = documents.find((one) => String(one.id) === id);
			return document === undefined ? { status: 404, body: {} } : { body: document };
		})
		.on('GET', /\/agent\/documents\/([^/]+)\/data$/, (_request, [id]) => ({
			body: { [id!]: documentPayload([row(`${id}-1`, -1), row(`${id}-2`, -2)]) },
		}))
		.start();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

function host(parameters: INodeParameters = {}, serviceUrl = () => service.baseUrl) {
	return new PollHost(serviceUrl, { projectId: byId('3'), ...parameters });
}

/** Puts a document on top of the list. */
function add(id: number | string, status = 'extracted', more: Partial<Stored> = {}): Stored {
	now += 4000;
	const createdAt = new Date(now).toISOString();
	const document = { id, status, createdAt, originalname: `${id}.pdf`, ...more };
	documents.unshift(document);
	return document;
}

const finish = (id: number | string, status = 'extracted') => {
	documents.find((one) => one.id === id)!.status = status;
};
const idsOf = (items: Array<{ json: object }> | null) =>
	items?.map(({ json }) => (json as { documentId: string }).documentId) ?? null;

describe('what is put out', () => {
	it('begins with what comes from now on, whatever its state was before', async () => {
		add(1);
		add(2, 'processing');
		const trigger = host();
		expect(await trigger.activate()).toBeNull();
		expect(await trigger.tick()).toBeNull();
		add(3);
		add(4, 'processing');
		add(5, 'failed');
		expect(idsOf(await trigger.tick())).toEqual(['3', '5']);
		finish(2);
		finish(4, 'failed');
		expect(idsOf(await trigger.tick())).toEqual(['2', '4']);
		expect(await trigger.tick()).toBeNull();
	});

	it.each([['extracted', 'failed'], ['new', 'extracted'], ['extracted']])(
		'what failed and is extracted later, once: %s %s',
		async (...triggerOn: string[]) => {
			add(1, 'failed');
			const trigger = host({ triggerOn });
			await trigger.activate();
			add(2, 'failed');
			for (let count = 0; count < 3; count++) await trigger.tick();
			finish(1);
			finish(2);
			expect(idsOf(await trigger.tick())).toEqual(['1', '2']);
			expect(await trigger.tick()).toBeNull();
			finish(2, 'failed');
			expect(await trigger.tick()).toBeNull();
		},
	);

	it('gives the record with the event, the project and the file', async () => {
		const trigger = host();
		await trigger.activate();
		const reason = { code: 'unreadable', message: 'no text' };
		const failed = add('b', 'failed', { failureReason: reason });
		const items = await trigger.tick();
		expect(items).toEqual([
			{
				json: {
					...failed,
					documentEvent: 'failed',
					projectId: '3',
					documentId: 'b',
					fileName: 'b.pdf',
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(items![0]!.json.failureReason).toEqual(reason);
		expect(service.requests('GET', /data$/)).toEqual([]);
	});

	it.each([
		['transactions', 2],
		['accounts', 1],
		['documents', 1],
	])('gives %s of what was extracted, and the record of what failed', async (output, count) => {
		const trigger = host({ output });
		await trigger.activate();
		add(7);
		add(8, 'failed', { failureReason: { code: 'x', message: 'no text' } });
		const items = (await trigger.tick())!;
		const own = items.filter(({ json }) => json.documentId === '7');
		expect(own).toHaveLength(count);
		for (const { json } of own) {
			expect(json).toMatchObject({ documentEvent: 'extracted', projectId: '3', fileName: '7.pdf' });
		}
		expect(items.at(-1)?.json).toMatchObject({ documentEvent: 'failed', status: 'failed' });
		if (output === 'transactions') {
			expect(own[0]?.json).toMatchObject({ account: '000123', amount: -1, dateIso: '2026-03-04' });
		}
	});

	it('a document without a row gives its record', async () => {
		const trigger = host({ output: 'transactions' });
		await trigger.activate();
		service.on('GET', /7\/data$/, { body: { 7: documentPayload([]) } });
		add(7);
		expect((await trigger.tick())![0]?.json).toMatchObject({
			documentId: '7',
			status: 'extracted',
		});
	});

	it('never has a top-level error', async () => {
		const trigger = host();
		await trigger.activate();
		add(7, 'failed', { error: 'unreadable' } as Partial<Stored>);
		const items = (await trigger.tick())!;
		expect(items[0]?.json).not.toHaveProperty('error');
		expect(items[0]?.json.serviceError).toBe('unreadable');
	});

	it('only what is chosen', async () => {
		const trigger = host({ triggerOn: ['failed'] });
		await trigger.activate();
		add(1);
		add(2, 'failed');
		expect(idsOf(await trigger.tick())).toEqual(['2']);
	});

	it('what is new, and later its end', async () => {
		const trigger = host({ triggerOn: ['new', 'extracted'] });
		add(1, 'processing');
		await trigger.activate();
		add(2, 'processing');
		add(3);
		const events = async () =>
			(await trigger.tick())?.map(
				({ json }) => `${json.documentId as string} ${json.documentEvent as string}`,
			);
		expect(await events()).toEqual(['2 new', '3 new', '3 extracted']);
		finish(1);
		finish(2);
		expect(await events()).toEqual(['1 extracted', '2 extracted']);
		expect(await events()).toBeUndefined();
	});

	it('only what is new, without looking at it again', async () => {
		const trigger = host({ triggerOn: ['new'] });
		await trigger.activate();
		add(2, 'processing');
		expect(idsOf(await trigger.tick())).toEqual(['2']);
		finish(2);
		expect(await trigger.tick()).toBeNull();
		expect(service.requests('GET', /agent\/documents/)).toEqual([]);
	});
});

describe('the start', () => {
	it('with everything, oldest first, so many at a time', async () => {
		for (let id = 1; id <= 450; id++) add(id);
		const trigger = host({ startWith: 'everything', options: { documentsPerRun: 200 } });
		const found = [await trigger.activate(), await trigger.tick(), await trigger.tick()];
		expect(found.flatMap((items) => idsOf(items))).toEqual(
			documents.map(({ id }) => String(id)).reverse(),
		);
		expect(await trigger.tick()).toBeNull();
	});

	it('with the last days', async () => {
		const old = (days: number) => ({
			createdAt: new Date(START - days * 1440 * MINUTE).toISOString(),
		});
		add(1, 'extracted', old(30));
		add(2, 'processing', old(29));
		add(3, 'extracted', old(6));
		add(4, 'processing', old(5));
		const trigger = host({ startWith: 'days', days: 7 });
		expect(idsOf(await trigger.activate())).toEqual(['3']);
		finish(2);
		finish(4);
		expect(idsOf(await trigger.tick())).toEqual(['2', '4']);
	});

	it('says so where the service does not tell when documents arrived', async () => {
		documents = [{ id: 1, status: 'extracted' }];
		const trigger = host({ startWith: 'days' });
		await expect(trigger.activate()).rejects.toMatchObject({
			message: 'The service does not tell when documents arrived',
			description: expect.stringContaining("'Start With'") as string,
		});
	});

	it('a service that is down keeps the workflow from starting, with what to do', async () => {
		service.on('GET', /.*/, { status: 503 });
		await expect(host().activate()).rejects.toMatchObject({
			message: expect.stringContaining('unavailable') as string,
		});
	});

	it.each([
		[{ projectId: byId('') }, "'Project'"],
		[{ projectId: byId('a b') }, "'Project'"],
		[{ triggerOn: [] }, "'Trigger On'"],
		[{ startWith: 'days', days: 0 }, "'Days'"],
		[{ options: { documentsPerRun: 'x' } }, "'Documents per Run'"],
	])('%p is refused by itself', async (parameters, field) => {
		await expect(host(parameters).activate()).rejects.toMatchObject({
			message: expect.stringContaining(field) as string,
		});
		expect(service.seen).toEqual([]);
	});

	it('a project that is not there', async () => {
		await expect(host({ projectId: byId('9') }).activate()).rejects.toMatchObject({
			message: 'The project 9 was not found',
		});
	});
});

describe('nothing twice and nothing lost', () => {
	it('more than a page since the last poll, while others arrive and are deleted', async () => {
		for (let id = 1; id <= 30; id++) add(id);
		const trigger = host({ options: { documentsPerRun: 1000 } });
		await trigger.activate();
		for (let id = 31; id <= 480; id++) add(id);
		let pages = 0;
		service.on('GET', /\/projects\/3\/documents\?limit=(\d+)&offset=(\d+)$/, (_request, groups) => {
			const [limit, offset] = groups.map(Number) as [number, number];
			const page = documents.slice(offset, offset + limit);
			const total = documents.length;
			pages++;
			if (pages === 1) add(1000);
			if (pages === 2) documents.splice(0, 3);
			return { body: { documents: page, total, limit, offset } };
		});
		const found = [...(idsOf(await trigger.tick()) ?? []), ...(idsOf(await trigger.tick()) ?? [])];
		expect(new Set(found).size).toBe(found.length);
		const expected = documents.map(({ id }) => String(id)).filter((id) => Number(id) > 30);
		expect(found).toEqual(expect.arrayContaining(expected));
		expect(await trigger.tick()).toBeNull();
	});

	it('a service that is down at one poll: the error is shown, and then all comes', async () => {
		const trigger = host();
		await trigger.activate();
		add(1);
		let isDown = true;
		const healthy = documents;
		service.on('GET', /projects\/3\/documents/, () =>
			isDown ? { reset: true } : { body: { documents: healthy, total: healthy.length } },
		);
		await expect(trigger.tick()).rejects.toMatchObject({
			message: expect.stringContaining('could not be reached') as string,
		});
		isDown = false;
		expect(idsOf(await trigger.tick())).toEqual(['1']);
		expect(await trigger.tick()).toBeNull();
	});

	it('a poll that fails in the middle of reading data', async () => {
		const trigger = host({ output: 'documents' });
		await trigger.activate();
		for (let id = 1; id <= 6; id++) add(id);
		let down = true;
		service.on('GET', /documents\/([3-6])\/data$/, (_request, [id]) =>
			down ? { status: 503 } : { body: { [id!]: documentPayload([]) } },
		);
		expect(idsOf(await trigger.tick())).toEqual(['1', '2']);
		await expect(trigger.tick()).rejects.toMatchObject({
			message: expect.stringContaining('unavailable') as string,
		});
		down = false;
		now += 60 * MINUTE;
		expect(idsOf(await trigger.tick())).toEqual(['3', '4', '5', '6']);
		expect(await trigger.tick()).toBeNull();
	});

	it('after a restart of n8n, also where the last polls gave nothing', async () => {
		const trigger = host();
		await trigger.activate();
		add(1);
		add(2, 'processing');
		expect(idsOf(await trigger.tick())).toEqual(['1']);
		add(3, 'processing');
		expect(await trigger.tick()).toBeNull();
		finish(2);
		finish(3);
		expect(idsOf(await trigger.activate())).toEqual(['2', '3']);
		expect(await trigger.activate()).toBeNull();
	});

	it('after the node was renamed', async () => {
		const trigger = host();
		await trigger.activate();
		add(1);
		await trigger.tick();
		add(2);
		trigger.nodeName = 'Another Name';
		expect(idsOf(await trigger.activate())).toEqual(['2']);
	});

	it('after the service has moved to another address', async () => {
		add(1);
		let { baseUrl } = service;
		const trigger = host({}, () => baseUrl);
		await trigger.activate();
		add(2);
		baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
		expect(idsOf(await trigger.activate())).toEqual(['2']);
	});

	it('another service with the same ids is begun anew', async () => {
		add(1);
		let { baseUrl } = service;
		const trigger = host({}, () => baseUrl);
		await trigger.activate();
		baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
		documents = [];
		add(1);
		add(2);
		expect(await trigger.activate()).toBeNull();
		add(3);
		expect(idsOf(await trigger.tick())).toEqual(['3']);
	});

	it('damaged static data is begun anew', async () => {
		const trigger = host();
		await trigger.activate();
		const damaged = [
			'{',
			'{"version":1}',
			'[]',
			'{"version":1,"service":"x","projects":{"3":{}}}',
			7,
		];
		for (const state of damaged) {
			const other = host();
			other.saved = { 'node:Project Trigger': { state } } as never;
			add(documents.length + 1);
			expect(await other.activate()).toBeNull();
		}
	});

	it('polls that overlap', async () => {
		const trigger = host();
		await trigger.activate();
		add(1);
		let open = () => {};
		const gate = new Promise<void>((resolve) => (open = resolve));
		service.on('GET', /projects\/3\/documents/, async () => {
			await gate;
			return { body: { documents, total: documents.length } };
		});
		const polls = [trigger.tick(), trigger.tick(), trigger.tick(), trigger.tick()];
		open();
		expect((await Promise.all(polls)).map(idsOf)).toEqual([['1'], null, null, null]);
	});

	it('ids as numbers at one time and as text at another', async () => {
		const trigger = host();
		add(1);
		await trigger.activate();
		documents[0]!.id = '1';
		add('2');
		expect(idsOf(await trigger.tick())).toEqual(['2']);
		documents[0]!.id = 2;
		expect(await trigger.tick()).toBeNull();
	});
});

describe('documents that do not end', () => {
	it('do not stop the others, are looked at less and less often, and are given up in the end', async () => {
		const trigger = host();
		await trigger.activate();
		add('stuck', 'processing');
		for (let id = 1; id <= 250; id++) add(id);
		let found = 0;
		for (let poll = 0; poll < 8; poll++) found += (await trigger.tick())?.length ?? 0;
		expect(found).toBe(250);
		service.seen.length = 0;
		for (let hour = 0; hour < 48; hour++) {
			for (let poll = 0; poll < 3; poll++) {
				now += 20 * MINUTE;
				expect(await trigger.tick()).toBeNull();
			}
		}
		const looks = service.requests('GET', /documents\/stuck$/).length;
		expect(looks).toBeGreaterThan(40);
		expect(looks).toBeLessThan(60);
		now += 31 * 24 * 60 * MINUTE;
		await trigger.tick();
		expect(warnings.join()).toContain('stuck');
		service.seen.length = 0;
		now += 120 * MINUTE;
		await trigger.tick();
		expect(service.requests('GET', /documents\/stuck$/)).toEqual([]);
	});

	it('and comes once it does end', async () => {
		const trigger = host();
		await trigger.activate();
		add('slow', 'processing');
		for (let id = 1; id <= 250; id++) add(id, 'failed');
		for (let poll = 0; poll < 8; poll++) await trigger.tick();
		finish('slow');
		now += 10 * MINUTE;
		expect(idsOf(await trigger.tick())).toEqual(['slow']);
	});

	it('one that cannot be looked at does not stop the others', async () => {
		const trigger = host();
		await trigger.activate();
		add('odd', 'processing');
		add('other', 'processing');
		for (let id = 1; id <= 250; id++) add(id, 'failed');
		for (let poll = 0; poll < 8; poll++) await trigger.tick();
		service.on('GET', /agent\/documents\/odd$/, { status: 500, body: { message: 'odd one' } });
		finish('odd');
		finish('other');
		now += 10 * MINUTE;
		expect(idsOf(await trigger.tick())).toEqual(['other']);
		now += 60 * MINUTE;
		await expect(trigger.tick()).rejects.toMatchObject({
			message: expect.stringContaining('odd one') as string,
		});
		expect(await trigger.tick()).toBeNull();
		// A new document makes the trigger read further down the list, where the odd one stands.
		add('next');
		expect(idsOf(await trigger.tick())).toEqual(['odd', 'next']);
	});

	it('one that is deleted is forgotten', async () => {
		const trigger = host();
		await trigger.activate();
		add('gone', 'processing');
		await trigger.tick();
		documents = [];
		now += 60 * MINUTE;
		expect(await trigger.tick()).toBeNull();
		service.seen.length = 0;
		now += 60 * MINUTE;
		await trigger.tick();
		expect(service.requests('GET', /gone/)).toEqual([]);
	});
});

describe('data that cannot be read', () => {
	it('does not stop the others, and ends with the record and the reason', async () => {
		const trigger = host({ output: 'documents' });
		await trigger.activate();
		service.on('GET', /documents\/1\/data$/, { status: 500, body: { message: 'broken page' } });
		add(1);
		add(2);
		expect(idsOf(await trigger.tick())).toEqual(['2']);
		let shown = 0;
		for (let hour = 0; hour < 48; hour++) {
			now += 60 * MINUTE;
			const items = await trigger.tick().catch((error: Error) => {
				expect(error.message).toContain('broken page');
				shown++;
				return null;
			});
			if (items === null) continue;
			expect(items.map(({ json }) => json)).toMatchObject([
				{
					documentId: '1',
					status: 'extracted',
					dataMissing: expect.stringContaining('broken') as string,
				},
			]);
			expect(shown).toBeGreaterThan(5);
			return;
		}
		throw new Error('it never came');
	});

	it('of a document that was deleted is nothing', async () => {
		const trigger = host({ output: 'documents' });
		await trigger.activate();
		add(1);
		service.on('GET', /documents\/1\/data$/, () => {
			documents = [];
			return { status: 404, body: {} };
		});
		expect(await trigger.tick()).toBeNull();
		expect(await trigger.tick()).toBeNull();
	});
});

describe('in the editor', () => {
	it('the test event is the newest document that would be put out, and changes nothing', async () => {
		add(1);
		add(2, 'failed');
		add(3, 'processing');
		const trigger = host({ output: 'transactions', triggerOn: ['extracted'] });
		await trigger.activate();
		const items = (await trigger.fetchTestEvent())!;
		expect(idsOf(items)).toEqual(['1', '1']);
		expect(items[0]?.json.amount).toBe(-1);
		trigger.parameters = { ...trigger.parameters, triggerOn: ['new'] };
		expect(idsOf(await trigger.fetchTestEvent())).toEqual(['3']);
	});

	it.each([
		[[], 'The project has no document yet'],
		[['processing'], "None of the newest documents is what 'Trigger On' asks for"],
	])('says what is missing: %p', async (statuses, message) => {
		statuses.forEach((status, at) => add(at, status));
		await expect(host().fetchTestEvent()).rejects.toMatchObject({ message });
	});

	it('lists the projects with their folders, and searches in them', async () => {
		service.on('GET', /\/agent\/projects$/, {
			body: {
				projects: [
					{ id: 3, name: 'Acme', parentFolder: 'Clients/A' },
					{ id: 'x', name: 'Private', parentFolder: null },
				],
			},
		});
		expect((await host().projects()).results).toEqual([
			{ name: 'Clients/A / Acme', value: '3' },
			{ name: 'Private', value: 'x' },
		]);
		expect((await host().projects('acme clients')).results).toHaveLength(1);
	});
});
