import { at, has, is, isObject, listIn, named, shown, succeeded, want } from '../expect.ts';
import type { Kind } from '../expect.ts';
import type { Answer } from '../http.ts';
import { EVENT_NAMES, QUIET_EVENT } from '../scene.ts';
import type { Scene, Webhook } from '../scene.ts';
import type { Check, Checks } from './check.ts';

const signalsAnswer = (scene: Scene): Promise<Answer> =>
	scene.once('fraud signals', async () => {
		const { documentId } = await scene.fraudJob();
		const answer = await scene.main.legacy('GET', `/document/${documentId}/fraudSignals`);
		succeeded(answer);
		return answer;
	});

const scoreAnswer = (scene: Scene): Promise<Answer> =>
	scene.once('fraud score', async () => {
		const { documentId } = await scene.fraudJob();
		const answer = await scene.main.legacy('GET', `/document/${documentId}/fraudScore`);
		succeeded(answer);
		return answer;
	});

/** The signals of a statement whose amount was painted over. */
export async function fraudSignals(scene: Scene): Promise<unknown[]> {
	const signals = (await signalsAnswer(scene)).member('signals');
	want(
		Array.isArray(signals) && signals.length > 0,
		`a statement with an amount that was painted over has no signals but ${shown(signals)}`,
	);
	return signals;
}

function inSignals(
	name: string,
	kind: Kind,
	fits: (value: unknown) => boolean = () => true,
): Check {
	return async (scene) => {
		const signals = await fraudSignals(scene);
		let seen = '';
		for (const signal of signals) {
			seen = has(signal, name, kind, 'a signal');
			want(fits(at(signal, name)), `${seen}, which is out of its range`);
		}
		return `${seen}, in ${signals.length} signals`;
	};
}

/** In the score of both answers that carry one. */
function inScore(name: string, kind: Kind): Check {
	return async (scene) => {
		const score = (await scoreAnswer(scene)).member('score');
		want(isObject(score), `score is ${shown(score)} for a document that was analysed`);
		const beside = (await signalsAnswer(scene)).member('score');
		if (isObject(beside)) has(beside, name, kind, 'the score beside the signals');
		return has(score, name, kind, 'the score');
	};
}

/** Section 2.9. */
export const fraudRecords: Checks<'2.9'> = {
	id: inSignals('id', 'integer'),
	documentId: async (scene) => {
		const { documentId } = await scene.fraudJob();
		return inSignals('documentId', 'integer', (id) => String(id) === String(documentId))(scene);
	},
	period: inSignals('period', 'string or null'),
	type: inSignals('type', 'string', (type) => type !== ''),
	confidence: inSignals(
		'confidence',
		'number',
		(value) => Number(value) >= 0 && Number(value) <= 1,
	),
	details: inSignals('details', 'string or null'),
	pageNumber: inSignals('pageNumber', 'integer or null'),
	bbox: inSignals('bbox', 'object or null'),
	text: inSignals('text', 'string or null'),
	createdAt: inSignals('createdAt', 'timestamp'),
	updatedAt: inSignals('updatedAt', 'timestamp'),
	reasonCode: inSignals('reasonCode', 'string'),
	metadata: inSignals('metadata', 'object'),
	'score.id': inScore('id', 'integer'),
	'score.documentId': inScore('documentId', 'integer'),
	'score.score': inScore('score', 'number'),
	'score.comment': inScore('comment', 'string'),
	'score.authenticityScore': inScore('authenticityScore', 'number'),
	'score.riskLevel': inScore('riskLevel', 'string'),
	'FraudSignalsResponse.total': async (scene) => {
		const answer = await signalsAnswer(scene);
		const seen = has(answer.json, 'total', 'integer');
		const count = (await fraudSignals(scene)).length;
		want(Number(answer.member('total')) >= count, `${seen}, but ${count} signals came`);
		return seen;
	},
	'FraudSignalsResponse.signals': async (scene) => {
		const answer = await signalsAnswer(scene);
		has(answer.json, 'signals', 'array of objects');
		return `${(await fraudSignals(scene)).length} signals`;
	},
	'FraudSignalsResponse.score': async (scene) => {
		const answer = await signalsAnswer(scene);
		const score = answer.member('score');
		want(score === undefined || is(score, 'object or null'), `score is ${shown(score)}`);
		return score === undefined ? 'left out, as it may be' : `score is ${shown(score)}`;
	},
	'FraudScoreResponse.score': async (scene) =>
		has((await scoreAnswer(scene)).json, 'score', 'object or null'),
};

/** In the creation response and in the record that is fetched afterwards. */
function inWebhook(
	name: string,
	kind: Kind,
	fits: (value: unknown, webhook: Webhook) => boolean = () => true,
): Check {
	return async (scene) => {
		const webhook = await scene.everything();
		const fetched = await scene.main.agent('GET', `/webhooks/${webhook.id}`);
		succeeded(fetched);
		let seen = '';
		for (const answer of [webhook.created, fetched]) {
			seen = has(answer.json, name, kind);
			want(fits(answer.member(name), webhook), `${seen} in ${answer.name}`);
		}
		return seen;
	};
}

/** Section 2.10. */
export const webhookRecord: Checks<'2.10'> = {
	id: inWebhook('id', 'string'),
	url: inWebhook('url', 'string', (url, webhook) => url === webhook.url),
	events: inWebhook(
		'events',
		'array of string',
		(events) => (events as string[]).toSorted().join() === [...EVENT_NAMES].toSorted().join(),
	),
	enabled: inWebhook('enabled', 'boolean', (enabled) => enabled === true),
	version: inWebhook('version', 'string'),
	createdAt: inWebhook('createdAt', 'ISO 8601 timestamp'),
	secret: async (scene) => {
		const { id, created } = await scene.everything();
		want(
			is(created.member('secret'), 'string') && created.member('secret') !== '',
			'the creation response has no secret',
		);
		const fetched = await scene.main.agent('GET', `/webhooks/${id}`);
		want(fetched.member('secret') === undefined, 'the secret is shown again when it is fetched');
		const listed = await scene.main.agent('GET', '/webhooks');
		want(
			listIn(listed).every((webhook) => at(webhook, 'secret') === undefined),
			'the list of webhooks shows secrets',
		);
		return 'in the creation response only';
	},
	secretShownOnce: async (scene) => {
		const { created } = await scene.everything();
		return has(created.json, 'secretShownOnce', 'boolean', 'the creation response');
	},
	'lost secret': async (scene) => {
		const { before, after } = await regenerated(scene);
		want(after !== before, 'regenerating gave the secret that there was');
		return 'regenerating gave another secret';
	},
};

/** A webhook of its own whose secret was regenerated. */
export const regenerated = (scene: Scene) =>
	scene.once('regenerated', async () => {
		const webhook = await scene.webhook([QUIET_EVENT]);
		const answer = await scene.main.agent('POST', `/webhooks/${webhook.id}/regenerate-secret`);
		succeeded(answer);
		// The body of the answer is not shown, but a secret that nobody is told is worth nothing.
		const found = secretIn(answer.json);
		want(found !== undefined, `regenerate-secret answered ${answer.status} without a secret`);
		return { webhook, before: webhook.secret, after: found };
	});

function secretIn(value: unknown): string | undefined {
	if (!isObject(value)) return undefined;
	for (const [name, member] of Object.entries(value)) {
		if (/secret/i.test(name) && typeof member === 'string' && member !== '') return member;
		const inner = secretIn(member);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/** In every document of the project that has been extracted. */
function inDocuments(name: string, kind: Kind): Check {
	return async (scene) => {
		const { documents } = await scene.project();
		let seen = '';
		for (const document of listIn(documents)) {
			want(
				isObject(document) && Object.hasOwn(document, name),
				`a document of the project has no ${name}`,
			);
			const value = document[name];
			// What has not been extracted has none of it yet.
			want(value === null || is(value, kind), `${name} is ${shown(value)}, not ${kind}`);
			if (value !== null) seen = `${name} is ${shown(value)}`;
		}
		want(seen !== '', `${name} is null in every document of the project`);
		return seen;
	};
}

/** Section 2.11. Where the name of a field is not shown, one that says it is looked for. */
export const projectRecords: Checks<'2.11'> = {
	'no job': async (scene) => {
		const { documents } = await scene.project();
		return `${listIn(documents).length} documents are reached by their project`;
	},
	parent: async (scene) => {
		const { projects } = await scene.project();
		for (const project of listIn(projects)) {
			want(
				isObject(project) && Object.keys(project).some((name) => /parent|folder/i.test(name)),
				`a project has no member that names its parent folder: ${shown(project)}`,
			);
		}
		const parents = listIn(projects).map((project) => named(project, /parent|folder/i));
		return `parent folders are ${shown(parents)}`;
	},
	status: inDocuments('status', 'string'),
	source: inDocuments('source', 'string'),
	transactionCount: async (scene) => {
		const seen = await inDocuments('transactionCount', 'integer')(scene);
		const { documents, older } = await scene.project();
		if (scene.stage.intoFolder === undefined) return seen;
		const { truth } = await scene.statement();
		const expected = truth.accounts[0]?.transactions.length;
		const found = listIn(documents).find((one) => JSON.stringify(one).includes(older));
		const count = at(found, 'transactionCount');
		want(count === expected, `transactionCount is ${shown(count)}, printed are ${expected}`);
		return seen;
	},
	isReconciled: inDocuments('isReconciled', 'boolean'),
	'page count': async (scene) => {
		const { documents } = await scene.project();
		const counts = listIn(documents).map((document) => named(document, /page/i));
		want(
			counts.some((count) => is(count, 'integer')) &&
				counts.every((count) => is(count, 'integer or null')),
			`no member of a document says how many pages it has: ${shown(listIn(documents)[0])}`,
		);
		return `page counts are ${shown(counts)}`;
	},
};
