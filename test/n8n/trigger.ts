import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { itemsOf, type Execution } from '../../scripts/n8n/execution.ts';
import type { Publication, StoredWorkflow } from '../../scripts/n8n/n8nClient.ts';
import { waitUntil } from '../../scripts/processes/waitUntil.ts';
import { generateStatement, type GeneratedStatement } from '../documents/index.ts';
import { assertSameRows, expectedRows, rowsFrom } from './expectedRows.ts';
import type { Ending, RealN8n } from './realN8n.ts';
import {
	DeliveryRecorder,
	eventIdHeader,
	send,
	sign,
	signatureHeader,
	signedWith,
	type RecordedDelivery,
} from './recordedDelivery.ts';
import { ServiceClient, type ServiceWebhook } from './serviceClient.ts';
import { productionUrl, storedSecret, triggerOf, webhookPrefix } from './triggerState.ts';
import { chain, noOp, ourTrigger } from './workflowBuilder.ts';

const completed = 'bank_statement.extraction.completed';
const failed = 'document.extraction.failed';
const uploaded = 'document.uploaded';
const next = 'Next';
const runLimitMs = 60_000;
const longLimitMs = 120_000;
const endings: Ending[] = ['orderly', 'kill'];
const concurrentRedeliveries = 50;
const unauthorized = 401;

const newEventId = (): string => `evt_${randomUUID().replaceAll('-', '')}`;

/** A delivery of an event that nobody has seen. It has to be signed. */
const ofNewEvent = ({ headers, body }: RecordedDelivery): RecordedDelivery => {
	const eventId = newEventId();
	return {
		headers: { ...headers, [eventIdHeader]: eventId },
		body: Buffer.from(body.toString('utf8').replaceAll(headers[eventIdHeader] ?? '', eventId)),
	};
};

/** The trigger against the real n8n and the real service: nothing lost, nothing twice, no hook left. */
export const testTrigger = (running: () => RealN8n): void => {
	const service = new ServiceClient(() => running().service);
	let seed = 100;
	let recorded: RecordedDelivery;
	let others: ServiceWebhook[];

	const newStatement = async (): Promise<GeneratedStatement> =>
		await generateStatement('usChecking', { seed: ++seed, transactions: 12 });

	// Deliveries over the wire, to send them again in whatever form.
	before(async () => {
		others = await service.webhooks();
		const recorder = await DeliveryRecorder.start();
		const webhook = await service.createWebhook(recorder.url, [completed]);
		await service.extract((await newStatement()).pdf, 'recorded.pdf');
		recorded = await recorder.of(completed);
		recorder.stop();
		await service.deleteWebhook(webhook.id);
	});

	const created: string[] = [];
	const createTriggered = async (
		events = [completed, failed],
		changes: Record<string, unknown> = {},
	): Promise<StoredWorkflow> => {
		const workflow = chain(`Triggered ${created.length + 1}`, [ourTrigger(events), noOp(next)]);
		const stored = await running().n8n.createWorkflow({ ...workflow, ...changes });
		created.push(stored.id);
		return stored;
	};

	/** Publishes, and gives the workflow as n8n has it then. */
	const publish = async (workflow: StoredWorkflow): Promise<StoredWorkflow> => {
		const { n8n } = running();
		await n8n.activate(workflow);
		const publication = await n8n.settledPublication(workflow.id);
		assert.equal(publication.status, 'published', JSON.stringify(publication.triggers));
		return await n8n.workflow(workflow.id);
	};
	const takeBack = async ({ id }: StoredWorkflow): Promise<Publication> => {
		await running().n8n.deactivate(id);
		return await running().n8n.settledPublication(id);
	};

	/** The webhooks of the service that deliver to this workflow. */
	const webhooksOf = async (
		workflow: StoredWorkflow,
		kind?: 'webhook' | 'webhook-test',
	): Promise<ServiceWebhook[]> => {
		const prefix = webhookPrefix(running().n8n.address, workflow, kind);
		return (await service.webhooks()).filter(({ url }) => url.startsWith(prefix));
	};
	const theOnlyWebhook = async (
		workflow: StoredWorkflow,
		events = [completed, failed],
	): Promise<ServiceWebhook> => {
		const [webhook, ...others] = await webhooksOf(workflow);
		assert.ok(webhook !== undefined, 'the service has a webhook for the workflow');
		assert.deepEqual(others, [], 'and no second one');
		assert.equal(webhook.url, productionUrl(running().n8n.address, workflow));
		assert.deepEqual([...webhook.events].sort(), [...events].sort());
		assert.equal(webhook.enabled, true);
		return webhook;
	};
	const assertNoWebhook = async (workflow: StoredWorkflow): Promise<void> =>
		assert.deepEqual(await webhooksOf(workflow), []);

	/** The executions of a workflow in which the node after the trigger ran, oldest first. */
	const runsOf = async ({ id }: StoredWorkflow): Promise<Execution[]> => {
		const { n8n } = running();
		const ids = (await n8n.executionIds(id)).reverse();
		const executions = await Promise.all(ids.map(async (one) => await n8n.finishedExecution(one)));
		return executions.filter((execution) => itemsOf(execution, next).length > 0);
	};
	const untilRuns = async (workflow: StoredWorkflow, count: number): Promise<Execution[]> => {
		const runs = await waitUntil(
			async () => {
				const ran = await runsOf(workflow);
				return ran.length >= count ? ran : undefined;
			},
			{ limitMs: runLimitMs, onTimeout: () => new Error(`${workflow.name} did not run`) },
		);
		assert.equal(runs.length, count, 'the workflow ran more often');
		for (const run of runs) assert.equal(run.status, 'success', run.error?.message);
		return runs;
	};

	/** Every delivery of the webhook has ended, so that a run too many would be there by now. */
	const untilDelivered = async (webhookId: string, count: number): Promise<void> => {
		const deliveries = await waitUntil(
			async () => {
				const all = await service.deliveries(webhookId);
				const ended = all.filter(({ status }) => ['delivered', 'dead-letter'].includes(status));
				return ended.length >= count && ended.length === all.length ? all : undefined;
			},
			{ limitMs: runLimitMs, onTimeout: () => new Error('the deliveries did not end') },
		);
		for (const { status, attemptLog } of deliveries) {
			assert.equal(status, 'delivered', JSON.stringify(attemptLog));
		}
		assert.equal(deliveries.length, count);
	};

	/** A statement goes in, its rows come out of the workflow, once. `runsBefore`: of this workflow. */
	const assertWorks = async (workflow: StoredWorkflow, runsBefore = 0): Promise<void> => {
		const statement = await newStatement();
		const job = await service.endedJob(await service.extract(statement.pdf, 'statement.pdf'));
		assert.equal(job.status, 'Succeeded');
		const runs = await untilRuns(workflow, runsBefore + 1);
		const rows = itemsOf(runs.at(-1) as Execution, next);
		assertSameRows(rowsFrom(rows), expectedRows(statement));
		for (const { json } of rows) {
			assert.equal(json.eventName, completed);
			assert.equal(json.jobId, job.id);
		}
	};

	const sendTo = async (workflow: StoredWorkflow, delivery: RecordedDelivery) =>
		await send(productionUrl(running().n8n.address, workflow), delivery);

	after(async () => {
		for (const id of created) {
			await running().n8n.deactivate(id);
			await running().n8n.settledPublication(id);
			await running().n8n.deleteWorkflow(id);
		}
		assert.deepEqual(await service.webhooks(), others, 'no webhook is left in the service');
	});

	test('publish, a statement is uploaded, one run with its rows; taken back, no webhook', async () => {
		const workflow = await publish(await createTriggered());
		const webhook = await theOnlyWebhook(workflow);
		await assertWorks(workflow);
		await untilDelivered(webhook.id, 1);
		await untilRuns(workflow, 1);

		assert.equal((await takeBack(workflow)).status, 'not_published');
		await assertNoWebhook(workflow);
	});

	test('a damaged file runs the workflow once, with what is wrong with it', async () => {
		const workflow = await publish(await createTriggered());
		const { pdf } = await newStatement();
		const id = await service.extract(pdf.subarray(0, 400), 'damaged.pdf');
		assert.equal((await service.endedJob(id)).status, 'Failed');
		const [run] = await untilRuns(workflow, 1);
		assert.ok(run !== undefined);
		const [item, ...others] = itemsOf(run, next);
		assert.deepEqual(others, []);
		assert.equal(item?.json.eventName, failed);
		assert.equal(item.json.jobId, id);
		assert.match(JSON.stringify(item.json.data), /damaged\.pdf/);
		await takeBack(workflow);
	});

	describe('what arrives', () => {
		let workflow: StoredWorkflow;
		let secret = '';
		let runs = 0;
		before(async () => {
			workflow = await publish(await createTriggered());
			secret = storedSecret(workflow);
		});
		after(async () => await takeBack(workflow));

		const refused: Record<string, (right: RecordedDelivery) => RecordedDelivery> = {
			forged: ({ headers, body }) => ({
				headers,
				body: Buffer.from(body.toString('utf8').replace('"amount":', '"amount":9')),
			}),
			'signed with another secret': (right) => signedWith(right, 'f'.repeat(64)),
			truncated: ({ headers, body }) => ({ headers, body: body.subarray(0, -1) }),
			unsigned: ({ headers: { [signatureHeader]: _, ...headers }, body }) => ({ headers, body }),
			'signed with half a signature': ({ headers, body }) => ({
				headers: { ...headers, [signatureHeader]: sign(body, secret).slice(0, 32) },
				body,
			}),
			'empty, with an old signature': ({ headers }) => ({ headers, body: Buffer.alloc(0) }),
		};
		for (const [kind, change] of Object.entries(refused)) {
			test(`${kind}: 401, and nothing runs`, async () => {
				const right = signedWith(ofNewEvent(recorded), secret);
				const changed = change(right);
				assert.notDeepEqual(changed, right);
				const executions = await running().n8n.executionCount(workflow.id);
				const { status, text } = await sendTo(workflow, changed);
				assert.equal(status, unauthorized, text);
				for (const telling of [secret, sign(changed.body, secret)]) {
					assert.ok(!text.includes(telling), 'the answer tells nothing that helps to forge');
					assert.ok(!(await running().n8nLog()).includes(telling), 'and neither does the log');
				}
				assert.equal(await running().n8n.executionCount(workflow.id), executions);
			});
		}

		test('replayed: the first runs it, the second is answered 200 and runs nothing', async () => {
			const delivery = signedWith(ofNewEvent(recorded), secret);
			assert.equal((await sendTo(workflow, delivery)).status, 200);
			await untilRuns(workflow, ++runs);
			const { status, text } = await sendTo(workflow, delivery);
			assert.equal(status, 200, text);
			await untilRuns(workflow, runs);
		});

		test(`${concurrentRedeliveries} redeliveries at once: one execution`, async () => {
			const before = await running().n8n.executionCount(workflow.id);
			const delivery = signedWith(ofNewEvent(recorded), secret);
			const answers = await Promise.all(
				Array.from({ length: concurrentRedeliveries }, () => sendTo(workflow, delivery)),
			);
			assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
			await untilRuns(workflow, ++runs);
			assert.equal(await running().n8n.executionCount(workflow.id), before + 1);
		});

		test('signed, but no JSON: passed on as it came', async () => {
			const body = Buffer.from('not JSON');
			const headers = { ...recorded.headers, [eventIdHeader]: newEventId() };
			assert.equal((await sendTo(workflow, signedWith({ headers, body }, secret))).status, 200);
			const [item] = itemsOf((await untilRuns(workflow, ++runs)).at(-1) as Execution, next);
			assert.match(JSON.stringify(item?.json), /not JSON/);
		});
	});

	for (const ending of endings) {
		test(`n8n restarted (${ending}): no second run of an old event; a webhook that is gone is made`, async () => {
			const workflow = await publish(await createTriggered());
			await assertWorks(workflow);
			const webhook = await theOnlyWebhook(workflow);
			const [delivery] = await service.deliveries(webhook.id);
			assert.ok(delivery !== undefined);
			// Another workflow, whose webhook is gone when n8n starts.
			const bereft = await publish(await createTriggered([uploaded]));
			await service.deleteWebhook((await theOnlyWebhook(bereft, [uploaded])).id);
			await running().stopN8n(ending);
			await running().startN8n();

			await waitUntil(async () => ((await webhooksOf(bereft)).length > 0 ? true : undefined), {
				limitMs: runLimitMs,
				onTimeout: () => new Error('n8n did not look after the webhook that was gone'),
			});
			await theOnlyWebhook(bereft, [uploaded]);
			assert.equal((await theOnlyWebhook(workflow)).id, webhook.id);
			await service.replay(delivery.id);
			await untilDelivered(webhook.id, 1);
			assert.equal((await service.deliveries(webhook.id))[0]?.attemptLog.length, 2);
			await untilRuns(workflow, 1);
			await assertWorks(workflow, 1);
			await takeBack(workflow);
			await assertNoWebhook(workflow);

			// The statement above was uploaded, too.
			const [run] = await untilRuns(bereft, 1);
			assert.equal(itemsOf(run as Execution, next)[0]?.json.eventName, uploaded);
			await takeBack(bereft);
			await assertNoWebhook(bereft);
		});
	}

	test('the service restarted, asked to and killed: the same webhook goes on', async () => {
		const workflow = await publish(await createTriggered());
		const { id } = await theOnlyWebhook(workflow);
		for (const [runsBefore, ending] of endings.entries()) {
			await running().stopService(ending);
			await running().startService();
			assert.equal((await theOnlyWebhook(workflow)).id, id);
			await assertWorks(workflow, runsBefore);
		}
		await takeBack(workflow);
		await assertNoWebhook(workflow);
	});

	test('webhook deleted behind its back, then taken back and published: one webhook', async () => {
		const workflow = await publish(await createTriggered());
		await service.deleteWebhook((await theOnlyWebhook(workflow)).id);
		await takeBack(workflow);
		await assertNoWebhook(workflow);
		const again = await publish(workflow);
		await theOnlyWebhook(again);
		await assertWorks(again);
		await takeBack(again);
	});

	test('secret regenerated behind its back: refused with a remedy in the log, which helps', async () => {
		const workflow = await publish(await createTriggered());
		const { id } = await theOnlyWebhook(workflow);
		await service.regenerateSecret(id);
		const { id: deliveryId } = await service.sendTest(id);
		const { status, attemptLog } = await service.endedDelivery(id, deliveryId);
		assert.equal(status, 'dead-letter');
		assert.deepEqual([...new Set(attemptLog.map(({ statusCode }) => statusCode))], [unauthorized]);
		assert.deepEqual(await runsOf(workflow), []);
		assert.match(await running().n8nLog(), /signature is not right.*activate it again/);
		await takeBack(workflow);
		await assertWorks(await publish(workflow));
		await takeBack(workflow);
	});

	test('the node renamed: one webhook, and it works', async () => {
		const workflow = await publish(await createTriggered());
		const trigger = triggerOf(workflow);
		const name = 'New documents';
		const renamed = await running().n8n.updateWorkflow(workflow, {
			nodes: workflow.nodes.map((node) => (node.name === trigger.name ? { ...node, name } : node)),
			connections: { [name]: workflow.connections[trigger.name] },
		});
		const published = await publish(renamed);
		await theOnlyWebhook(published);
		await assertWorks(published);
		await takeBack(published);
		await assertNoWebhook(published);
	});

	test('the events changed: one webhook with the new ones', async () => {
		const workflow = await publish(await createTriggered());
		const events = [completed, uploaded];
		const changed = await running().n8n.updateWorkflow(workflow, {
			nodes: workflow.nodes.map((node) =>
				node.name === triggerOf(workflow).name
					? { ...node, parameters: { ...node.parameters, events } }
					: node,
			),
		});
		const published = await publish(changed);
		await theOnlyWebhook(published, events);
		await service.upload((await newStatement()).pdf, 'only-uploaded.pdf');
		const [run] = await untilRuns(published, 1);
		assert.equal(itemsOf(run as Execution, next)[0]?.json.eventName, uploaded);
		await takeBack(published);
		await assertNoWebhook(published);
	});

	test('the workflow a second time, with its own address: each has its webhook', async () => {
		const first = await publish(await createTriggered());
		// As the editor imports it: everything is the same but the address.
		const second = await publish(await createTriggered());
		assert.notEqual(second.id, first.id);
		const webhooks = [await theOnlyWebhook(first), await theOnlyWebhook(second)];
		assert.notEqual(webhooks[0]?.id, webhooks[1]?.id);
		assert.notEqual(storedSecret(first), storedSecret(second));
		await assertWorks(first);
		await untilRuns(second, 1);
		await takeBack(second);
		await assertNoWebhook(second);
		await theOnlyWebhook(first);
		await assertWorks(first, 1);
		await takeBack(first);
	});

	test('the workflow a second time, with the same address: n8n says so, the first goes on', async () => {
		const { n8n } = running();
		const first = await publish(await createTriggered());
		const { id } = await theOnlyWebhook(first);
		const { nodes } = first;
		const second = await createTriggered(undefined, { nodes });
		await assert.rejects(
			async () => {
				await n8n.activate(second);
				const { status, triggers } = await n8n.settledPublication(second.id);
				if (status !== 'published') throw new Error(triggers[0]?.errorMessage ?? status);
			},
			(error: Error) => {
				assert.match(error.message, /conflict|taken|already/i);
				return true;
			},
		);
		assert.equal((await theOnlyWebhook(first)).id, id);
		await assertWorks(first);
		await takeBack(first);
	});

	test('the service down while it is published: n8n tries again until it is there', async () => {
		const { n8n } = running();
		const workflow = await createTriggered();
		await running().stopService('kill');
		await n8n.activate(workflow);
		assert.equal((await n8n.publication(workflow.id)).status, 'in_progress');
		await running().startService();
		const publication = await n8n.settledPublication(workflow.id);
		assert.equal(publication.status, 'published', JSON.stringify(publication.triggers));
		const published = await n8n.workflow(workflow.id);
		await theOnlyWebhook(published);
		await assertWorks(published);
		await takeBack(published);
		await assertNoWebhook(published);
	});

	test('the service down for long: what fails is shown, and publishing again mends it', async () => {
		const { n8n } = running();
		const publishedMeanwhile = await createTriggered();
		const takenBackMeanwhile = await publish(await createTriggered());
		const { id } = await theOnlyWebhook(takenBackMeanwhile);
		await running().stopService();
		await n8n.activate(publishedMeanwhile);
		assert.equal((await takeBack(takenBackMeanwhile)).status, 'not_published');
		const { status, triggers } = await n8n.settledPublication(publishedMeanwhile.id, longLimitMs);
		assert.equal(status, 'failed');
		assert.match(triggers[0]?.errorMessage ?? '', /The service could not be reached/);
		await running().startService();

		await assertNoWebhook(publishedMeanwhile);
		assert.equal((await theOnlyWebhook(takenBackMeanwhile)).id, id, 'n8n could not remove it');
		// First the one whose webhook is left: it would get the other's event, and run it when published.
		for (const workflow of [takenBackMeanwhile, publishedMeanwhile]) {
			const published = await publish(workflow);
			await theOnlyWebhook(published);
			await assertWorks(published);
			await takeBack(published);
			await assertNoWebhook(published);
		}
	});

	test('"Listen for test event" has a webhook of its own, which goes with the event', async () => {
		const { n8n } = running();
		const workflow = await publish(await createTriggered());
		const { id } = await theOnlyWebhook(workflow);
		assert.equal(await n8n.listenForTestEvent(workflow), true);
		const [test, ...others] = await webhooksOf(workflow, 'webhook-test');
		assert.ok(test !== undefined);
		assert.deepEqual(others, []);
		await service.sendTest(test.id, completed);
		await waitUntil(
			async () => ((await webhooksOf(workflow, 'webhook-test')).length === 0 ? true : undefined),
			{ limitMs: runLimitMs, onTimeout: () => new Error('the test webhook is left') },
		);
		const [run] = await n8n.executions(workflow.id);
		assert.equal(run?.mode, 'manual');
		const execution = await n8n.finishedExecution(run.id);
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.ok(itemsOf(execution, triggerOf(workflow).name).length > 0);

		assert.equal(await n8n.listenForTestEvent(workflow), true);
		await n8n.stopListening(workflow.id);
		await waitUntil(
			async () => ((await webhooksOf(workflow, 'webhook-test')).length === 0 ? true : undefined),
			{ limitMs: runLimitMs, onTimeout: () => new Error('the test webhook is left') },
		);
		assert.equal((await theOnlyWebhook(workflow)).id, id, 'the published one is untouched');
		await assertWorks(workflow, 0);
		await takeBack(workflow);
		await assertNoWebhook(workflow);
	});
};
