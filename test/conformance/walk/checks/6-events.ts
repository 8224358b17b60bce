import { at, has, isObject, shown, succeeded, want } from '../expect.ts';
import type { Arrived } from '../receiver.ts';
import { EVENT_NAMES, eventOf, isOfDocument, isOfJob } from '../scene.ts';
import type { EventName, Job, Scene } from '../scene.ts';
import { lookAtAll } from './2-data.ts';
import { dead, retried, silent } from './3-states.ts';
import { sample } from './4-webhooks.ts';
import { signed } from './5-authentication.ts';
import { NO_CLAIM } from './check.ts';
import type { Check, Checks } from './check.ts';

/** These events are delivered for the end of a job, each with an id of its own. */
async function emits(scene: Scene, job: Job, ...names: EventName[]): Promise<string> {
	const ids = new Set<unknown>();
	for (const name of names) {
		const arrived = await scene.delivered(name, isOfJob(job.jobId));
		ids.add(at(arrived.json, 'event', 'id'));
	}
	want(ids.size === names.length, 'two events have the same id');
	return `${names.join(' and ')} for job ${job.jobId}`;
}

/** A header of the delivery about the bank job. */
function header(name: string, fits: (value: string, arrived: Arrived) => boolean): Check {
	return async (scene) => {
		const arrived = await scene.bankDelivery();
		const value = arrived.headers[name.toLowerCase()];
		want(value !== undefined, `the delivery has no ${name}`);
		want(fits(value, arrived), `${name} is ${shown(value)}`);
		return `${name} is ${shown(value)}`;
	};
}

/** A string in the body of the delivery about the bank job. */
function inBody(
	path: string,
	fits: (value: string, arrived: Arrived, scene: Scene) => boolean | Promise<boolean>,
): Check {
	return async (scene) => {
		const arrived = await scene.bankDelivery();
		const seen = has(arrived.json, path, 'string', 'the body');
		const value = String(at(arrived.json, ...path.split('.')));
		want(await fits(value, arrived, scene), `${seen}, which is not what it should be`);
		return seen;
	};
}

/** Section 6. */
export const events: Checks<'6'> = {
	'document.uploaded': async (scene) => {
		const { documentId } = await scene.bankJob();
		await scene.delivered('document.uploaded', isOfDocument(documentId));
		const legacy = await scene.legacyJob();
		await scene.delivered('document.uploaded', isOfDocument(legacy.documentId));
		return 'after a PUT and after a form';
	},
	'document.extraction.completed': async (scene) =>
		emits(scene, await scene.bankJob(), 'document.extraction.completed'),
	'bank_statement.extraction.completed': async (scene) =>
		emits(scene, await scene.legacyJob(), 'bank_statement.extraction.completed'),
	'invoice.extraction.completed': async (scene) =>
		emits(scene, hasSucceeded(await scene.invoiceJob()), 'invoice.extraction.completed'),
	'form.extraction.completed': async (scene) =>
		emits(scene, hasSucceeded(await scene.formJob()), 'form.extraction.completed'),
	'document.extraction.failed': async (scene) => failed(scene),
	'account.limit.approaching': async (scene) => {
		const { webhook } = await scene.small();
		want(webhook !== null, 'no webhook could be made there');
		const arrived = await scene.receiver.wait(
			webhook.path,
			scene.stage.deliveryMs,
			(one) => eventOf(one) === 'account.limit.approaching',
		);
		want(arrived !== undefined, 'pages were used up, but the event did not come');
		return 'when the pages were used up';
	},
	'fraud.detected': async (scene) => {
		const { documentId } = await scene.fraudJob();
		await scene.delivered('fraud.detected', isOfDocument(documentId));
		return 'for a statement with an amount that was painted over';
	},
	'Content-Type': header('Content-Type', (value) => /^application\/json\b/.test(value)),
	'X-Service-Event': header(
		'X-Service-Event',
		(value, { json }) =>
			value === 'bank_statement.extraction.completed' && value === at(json, 'event', 'name'),
	),
	'X-Service-Event-Id': async (scene) => {
		const seen = await header('X-Service-Event-Id', (value) => /^evt_./.test(value))(scene);
		const { path } = await scene.everything();
		// At least once: the same event may come twice, but two events never share an id.
		const bodies = new Map<string, string>();
		for (const { headers, body } of scene.receiver.at(path)) {
			const id = headers['x-service-event-id'] ?? '';
			const text = body.toString('utf8');
			want((bodies.get(id) ?? text) === text, `two events have the id ${id}`);
			bodies.set(id, text);
		}
		return `${seen}, another one in each of ${bodies.size} deliveries`;
	},
	'X-Service-Version': header('X-Service-Version', (value) => value !== ''),
	'X-Service-Signature': async (scene) => signed(scene),
	'event.id': inBody(
		'event.id',
		(value, { headers }) => value.startsWith('evt_') && value === headers['x-service-event-id'],
	),
	'event.name': inBody('event.name', (value) => value === 'bank_statement.extraction.completed'),
	'event.version': inBody(
		'event.version',
		(value, { headers }) => value === headers['x-service-version'],
	),
	'job.id': inBody('job.id', async (value, _arrived, scene) => {
		return value === String((await scene.bankJob()).jobId);
	}),
	'user.id': inBody('user.id', (value) => value !== ''),
	'webhook.id': inBody('webhook.id', async (value, _arrived, scene) => {
		return value === String((await scene.everything()).id);
	}),
	data: async (scene) => {
		const { json } = await scene.bankDelivery();
		has(json, 'data', 'object', 'the body');
		const { documentId } = await scene.bankJob();
		const { truth } = await scene.statement();
		const where = 'the delivery';
		return lookAtAll({ where, data: at(json, 'data'), documentId, truth });
	},
	'subscribed only': async (scene) => {
		const all = await scene.everything();
		const one = await scene.webhook(['document.extraction.failed']);
		const documentId = await scene.main.upload((await scene.statement()).pdf);
		const jobId = await scene.main.createJob([documentId]);
		await scene.main.ended(jobId);
		await scene.delivered('bank_statement.extraction.completed', isOfJob(jobId));
		const other = scene.receiver.at(one.path).map(eventOf);
		want(
			other.every((name) => name === 'document.extraction.failed'),
			`a webhook for document.extraction.failed alone was sent ${shown(other)}`,
		);
		const names = new Set(scene.receiver.at(all.path).map(eventOf));
		const strange = [...names].filter((name) => !EVENT_NAMES.some((known) => known === name));
		want(strange.length === 0, `events came whose names are not in the list: ${shown(strange)}`);
		return `of ${names.size} events it was sent none that it did not subscribe to`;
	},
	// What a receiver should do says nothing about the service.
	'rule 1': NO_CLAIM,
	'rule 2': async (scene) => `${await retried(scene)}; silence: ${await silent(scene)}`,
	'rule 3': async (scene) => dead(scene),
	'rule 4': NO_CLAIM,
	'rule 5': async (scene) => {
		const { webhook } = await scene.deadLetter();
		const log = await scene.main.agent('GET', `/webhooks/${webhook.id}/deliveries`);
		succeeded(log);
		const { answer, before, after } = await scene.replayed();
		want(answer.isOk, `the replay answered ${answer.status}: ${answer.start}`);
		want(after.length > before, 'nothing was sent after the replay');
		return 'the history is there, and the failed delivery was replayed';
	},
	'rule 6': async (scene) => {
		const { webhook, arrived } = await sample(scene);
		for (const path of ['event.id', 'event.name', 'event.version', 'webhook.id']) {
			has(arrived.json, path, 'string', 'the sample');
		}
		want(isObject(at(arrived.json, 'data')), 'the sample has no data');
		want(String(at(arrived.json, 'webhook', 'id')) === String(webhook.id), 'another webhook.id');
		return `a sample of ${shown(eventOf(arrived))} arrived`;
	},
	'tie bank statement': async (scene) =>
		emits(
			scene,
			await scene.bankJob(),
			'bank_statement.extraction.completed',
			'document.extraction.completed',
		),
	'tie check': async (scene) =>
		emits(
			scene,
			hasSucceeded(await scene.checkJob()),
			'bank_statement.extraction.completed',
			'document.extraction.completed',
		),
	'tie invoice': async (scene) =>
		emits(scene, hasSucceeded(await scene.invoiceJob()), 'invoice.extraction.completed'),
	'tie form': async (scene) =>
		emits(scene, hasSucceeded(await scene.formJob()), 'form.extraction.completed'),
	'tie failed': async (scene) => failed(scene),
};

/** A job whose success the row is about; where it failed nobody waits for its event. */
function hasSucceeded(job: Job): Job {
	const status = job.ended.member('status');
	want(status === 'Succeeded', `the job ended as ${shown(status)}`);
	return job;
}

/** The event about a job that failed. */
export async function failed(scene: Scene): Promise<string> {
	const { jobId, documentId } = await scene.failedJob();
	const arrived = await scene.delivered(
		'document.extraction.failed',
		// The body of this event is not shown, so the job or the document may be named.
		(one) => isOfJob(jobId)(one) || isOfDocument(documentId)(one),
	);
	return `${shown(eventOf(arrived))} for a file that cannot be read`;
}
