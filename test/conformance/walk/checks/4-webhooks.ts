import { at, has, is, isObject, listIn, refused, shown, succeeded, want } from '../expect.ts';
import { EVENT_NAMES, QUIET_EVENT } from '../scene.ts';
import type { Scene } from '../scene.ts';
import { regenerated } from './2-records.ts';
import type { Checks } from './check.ts';
import { signatureOf } from './5-authentication.ts';

/** A sample was sent to this webhook: its delivery. */
export async function sample(scene: Scene) {
	return await scene.once('sample', async () => {
		const webhook = await scene.webhook([QUIET_EVENT]);
		const answer = await scene.main.agent('POST', `/webhooks/${webhook.id}/test`);
		succeeded(answer);
		const arrived = await scene.receiver.wait(webhook.path, scene.stage.deliveryMs);
		want(arrived !== undefined, `${answer.name} answered ${answer.status}, but nothing arrived`);
		return { webhook, answer, arrived };
	});
}

/** Section 4.4. */
export const webhooks: Checks<'4.4'> = {
	'GET /agent/webhooks': async (scene) => {
		const { id } = await scene.everything();
		const answer = await scene.main.agent('GET', '/webhooks');
		const seen = succeeded(answer);
		const ids = listIn(answer).map((webhook) => at(webhook, 'id'));
		want(ids.includes(id), `the list has no webhook ${id}, but ${shown(ids)}`);
		return `${seen}, ${ids.length} webhooks`;
	},
	'POST /agent/webhooks': async (scene) => {
		const { created } = await scene.everything();
		for (const name of ['id', 'url', 'version', 'secret']) has(created.json, name, 'string');
		has(created.json, 'events', 'array of string');
		has(created.json, 'enabled', 'boolean');
		has(created.json, 'secretShownOnce', 'boolean');
		has(created.json, 'createdAt', 'ISO 8601 timestamp');
		for (const json of [{}, { url: 'no address', events: ['document.uploaded'] }]) {
			refused(await scene.main.agent('POST', '/webhooks', { json }), 'without a right address');
		}
		return `${created.status} with the fields of 2.10 and the secret`;
	},
	'GET /agent/webhooks/{id}': async (scene) => {
		const { id, url } = await scene.everything();
		const answer = await scene.main.agent('GET', `/webhooks/${id}`);
		const seen = succeeded(answer);
		has(answer.json, 'url', 'string');
		want(answer.member('url') === url, `its url is ${shown(answer.member('url'))}`);
		want(answer.member('secret') === undefined, 'the secret is shown again');
		return `${seen}, without the secret`;
	},
	'PUT /agent/webhooks/{id}': async (scene) => {
		const webhook = await scene.webhook([QUIET_EVENT]);
		const { url } = scene.receiver.path();
		const json = { url, events: ['fraud.detected', 'document.extraction.failed'] };
		const answer = await scene.main.agent('PUT', `/webhooks/${webhook.id}`, { json });
		const seen = succeeded(answer);
		const fetched = await scene.main.agent('GET', `/webhooks/${webhook.id}`);
		const events = fetched.member('events');
		want(fetched.member('url') === url, `the url is still ${shown(fetched.member('url'))}`);
		want(
			Array.isArray(events) && events.toSorted().join() === json.events.toSorted().join(),
			`the events are ${shown(events)}`,
		);
		return `${seen}, url and events are the new ones`;
	},
	'DELETE /agent/webhooks/{id}': async (scene) => {
		const webhook = await scene.main.webhook(scene.receiver, [QUIET_EVENT]);
		const seen = succeeded(await scene.main.agent('DELETE', `/webhooks/${webhook.id}`));
		const fetched = await scene.main.agent('GET', `/webhooks/${webhook.id}`);
		const listed = listIn(await scene.main.agent('GET', '/webhooks'));
		const isListed = listed.some((one) => at(one, 'id') === webhook.id && at(one, 'enabled'));
		want(
			!fetched.isOk || fetched.member('enabled') === false,
			'the webhook can still be fetched, enabled',
		);
		want(!isListed, 'the webhook is still listed as enabled');
		return `${seen}, afterwards ${fetched.status}`;
	},
	'POST /agent/webhooks/{id}/test': async (scene) => {
		const { answer, arrived } = await sample(scene);
		return `${answer.status}, a ${shown(arrived.headers['x-service-event'])} arrived`;
	},
	'POST /agent/webhooks/{id}/regenerate-secret': async (scene) => {
		const { webhook, before, after } = await regenerated(scene);
		succeeded(await scene.main.agent('POST', `/webhooks/${webhook.id}/test`));
		const arrived = await scene.receiver.wait(webhook.path, scene.stage.deliveryMs);
		want(arrived !== undefined, 'nothing arrived after the secret was regenerated');
		const signature = arrived.headers['x-service-signature'];
		want(signature !== signatureOf(before, arrived.body), 'the old secret still signs');
		want(
			signature === signatureOf(after, arrived.body),
			'the delivery is not signed with the new secret',
		);
		return 'the next delivery is signed with the new secret';
	},
	'GET /agent/webhooks/{id}/deliveries': async (scene) => {
		const { webhook } = await sample(scene);
		const answer = await scene.main.agent('GET', `/webhooks/${webhook.id}/deliveries`);
		const seen = succeeded(answer);
		const entries = listIn(answer);
		want(
			entries.length > 0 && entries.every(isObject),
			`the log of a webhook that was sent something is ${shown(entries)}`,
		);
		return `${seen}, ${entries.length} deliveries`;
	},
	'POST /agent/webhooks/deliveries/{id}/retry': async (scene) => {
		const { answer, before, after } = await scene.replayed();
		want(answer.isOk, `the replay answered ${answer.status}: ${answer.start}`);
		want(after.length > before, 'nothing was sent after the replay');
		const same = after.at(-1)?.headers['x-service-event'] === after[0]?.headers['x-service-event'];
		want(same, 'another event was sent');
		return `${answer.status}, and the event was sent once more`;
	},
	'GET /agent/webhooks/events': async (scene) => {
		const answer = await scene.main.agent('GET', '/webhooks/events');
		const seen = succeeded(answer);
		const names = listIn(answer).map((entry) =>
			is(entry, 'string') ? entry : (at(entry, 'name') ?? at(entry, 'event')),
		);
		const missing = EVENT_NAMES.filter((name) => !names.includes(name));
		want(missing.length === 0, `the list lacks ${missing.join(', ')}`);
		return `${seen}, ${names.length} names`;
	},
};
