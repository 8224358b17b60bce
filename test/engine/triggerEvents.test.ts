import { TriggerHost } from './triggerHost';
import { WebhookService } from './webhookService';

let service: WebhookService;
let host: TriggerHost;

beforeEach(async () => {
	service = new WebhookService();
	await service.start();
	host = await new TriggerHost(() => service.baseUrl).start();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await host.stop();
	await service.stop();
});

it('offers the events of the service, also those that the node does not know', async () => {
	const options = await host.eventOptions();
	expect(options).toHaveLength(9);
	expect(options).toContainEqual({ name: 'document.deleted', value: 'document.deleted' });
	expect(options).toContainEqual({
		name: 'Extraction Failed',
		value: 'document.extraction.failed',
		description: 'A job failed or ran out of credits',
	});
	const names = options.map(({ name }) => name);
	expect(names).toEqual([...names].sort((left, right) => left.localeCompare(right)));
	expect(service.seen[0]?.headers.authorization).toBe('Bearer dex_pat_right');
});

it.each([
	['answers with an error', { status: 500, body: {} }],
	['refuses the credential', { status: 401, body: {} }],
	['answers with a web page', { body: '<!doctype html>' }],
	['answers with an empty list', { body: { events: [] } }],
	['breaks off', { reset: true }],
])('offers the known events when the service %s', async (_name, reply) => {
	service.on('GET', /events$/, reply);
	expect(await host.eventOptions()).toHaveLength(8);
	expect(service.seen).toHaveLength(1);
});

it('offers the known events when the address in the credential is none', async () => {
	const lost = await new TriggerHost(() => 'not an address').start();
	expect(await lost.eventOptions()).toHaveLength(8);
	await lost.stop();
});
