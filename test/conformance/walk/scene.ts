import { setTimeout as pause } from 'node:timers/promises';
import { at, isIdLike, listIn, named, shown, want } from './expect.ts';
import type { Answer, Http, Sent } from './http.ts';
import { NotTried, Unmet } from './outcome.ts';
import type { Arrived, Receiver } from './receiver.ts';
import * as documents from './documents.ts';
import { PDF } from './documents.ts';
import { siteOf } from './stage.ts';
import type { Access, Stage } from './stage.ts';

export const EVENT_NAMES = [
	'document.uploaded',
	'document.extraction.completed',
	'bank_statement.extraction.completed',
	'invoice.extraction.completed',
	'form.extraction.completed',
	'document.extraction.failed',
	'account.limit.approaching',
	'fraud.detected',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Does not happen while the walk goes on, so that its webhooks are sent samples and nothing else. */
export const QUIET_EVENT: EventName = 'account.limit.approaching';

export const END_STATUSES = ['Succeeded', 'Failed', 'OutOfCredits'];

/** An id that no document and no job has. */
export const NO_SUCH_ID = 2_147_480_001;
/** A credential of the right form that nobody has. */
export const WRONG_TOKEN = `wrong_${'A'.repeat(43)}`;

type Id = string | number;

export interface Job {
	documentId: Id;
	jobId: Id;
	/** The answer that told the end. */
	ended: Answer;
}

export interface Webhook {
	id: Id;
	secret: string;
	path: string;
	url: string;
	created: Answer;
}

/** One contract of a service, spoken to over HTTP. */
export class Contract {
	readonly access: Access;
	readonly #http: Http;
	readonly #stage: Stage;

	constructor(http: Http, access: Access, stage: Stage) {
		this.#http = http;
		this.access = access;
		this.#stage = stage;
	}

	get site(): string {
		return siteOf(this.access);
	}

	/** A request to the agent surface; `path` begins after `/agent`. */
	async agent(method: string, path: string, sent: Sent = {}): Promise<Answer> {
		return await this.#http.send(method, `${this.access.baseUrl}/agent${path}`, {
			credential: this.access.token,
			...sent,
		});
	}

	/** A request to the legacy surface; `path` begins after `/protected`. */
	async legacy(method: string, path: string, sent: Sent = {}): Promise<Answer> {
		return await this.#http.send(method, `${this.access.baseUrl}/protected${path}`, {
			credential: this.access.jwt,
			...sent,
		});
	}

	/** A request to any address without a credential. */
	async plain(method: string, url: string, sent: Sent = {}): Promise<Answer> {
		return await this.#http.send(method, url, sent);
	}

	async uploadUrl(mimetype = PDF, filename = 'statement.pdf'): Promise<{ url: string; id: Id }> {
		const answer = await this.agent('POST', '/documents/upload-url', {
			json: { filename, mimetype },
		});
		want(answer.isOk, `upload-url answered ${answer.status}: ${answer.start}`);
		const url = answer.member('url');
		const id = answer.member('document', 'id');
		want(typeof url === 'string', `upload-url gave no url but ${shown(url)}`);
		want(isIdLike(id), `upload-url gave no document.id but ${shown(id)}`);
		return { url, id };
	}

	async put(url: string, bytes: Uint8Array, mimetype = PDF): Promise<Answer> {
		return await this.plain('PUT', url, { bytes, headers: { 'content-type': mimetype } });
	}

	/** Uploads through the agent surface. */
	async upload(bytes: Uint8Array, mimetype = PDF, filename = 'statement.pdf'): Promise<Id> {
		const { url, id } = await this.uploadUrl(mimetype, filename);
		const answer = await this.put(url, bytes, mimetype);
		want(answer.isOk, `PUT of the bytes answered ${answer.status}: ${answer.start}`);
		return id;
	}

	/** Uploads through the legacy surface, as a form. */
	async uploadForm(bytes: Uint8Array, query = '', filename = 'statement.pdf'): Promise<Answer> {
		const form = new FormData();
		form.append('document', new Blob([new Uint8Array(bytes)], { type: PDF }), filename);
		return await this.legacy('POST', `/document${query}`, { form });
	}

	async createJob(documentIds: Id[], more: Record<string, unknown> = {}): Promise<Id> {
		const answer = await this.agent('POST', '/jobs', { json: { documents: documentIds, ...more } });
		want(answer.isOk, `POST /agent/jobs answered ${answer.status}: ${answer.start}`);
		const id = answer.member('jobId');
		want(isIdLike(id), `POST /agent/jobs gave no jobId but ${shown(id)}`);
		return id;
	}

	async createLegacyJob(documentIds: Id[], more: Record<string, unknown> = {}): Promise<Id> {
		const json = { jobName: '', documents: documentIds, ...more };
		const answer = await this.legacy('POST', '/job', { json });
		want(answer.isOk, `POST /protected/job answered ${answer.status}: ${answer.start}`);
		const id = answer.member('id');
		want(isIdLike(id), `POST /protected/job gave no id but ${shown(id)}`);
		return id;
	}

	/** Polls as section 8 says: with growing pauses. */
	async ended(jobId: Id, surface: 'agent' | 'legacy' = 'agent'): Promise<Answer> {
		const until = Date.now() + this.#stage.patienceMs;
		for (let wait = this.#stage.pollFromMs; ; wait *= 1.5) {
			const answer =
				surface === 'agent'
					? await this.agent('GET', `/jobs/${jobId}`)
					: await this.legacy('GET', `/job/${jobId}`);
			want(answer.isOk, `${answer.name} answered ${answer.status}: ${answer.start}`);
			if (END_STATUSES.includes(String(answer.member('status')))) return answer;
			if (Date.now() > until) {
				throw new Unmet(
					`job ${jobId} did not end in ${this.#stage.patienceMs / 1000} s, its status is ` +
						shown(answer.member('status')),
				);
			}
			await pause(Math.min(wait, 10_000));
		}
	}

	/** Uploads, creates a job and waits for its end. */
	async run(
		bytes: Uint8Array,
		{ mimetype = PDF, filename = 'statement.pdf', ...more }: Record<string, string> = {},
	): Promise<Job> {
		const documentId = await this.upload(bytes, mimetype, filename);
		const jobId = await this.createJob([documentId], more);
		return { documentId, jobId, ended: await this.ended(jobId) };
	}

	/** The same, and it has to succeed. */
	async extract(bytes: Uint8Array, more: Record<string, string> = {}): Promise<Job> {
		const job = await this.run(bytes, more);
		const status = job.ended.member('status');
		want(status === 'Succeeded', `job ${job.jobId} ended as ${shown(status)}, not Succeeded`);
		return job;
	}

	async webhook(receiver: Receiver, events: readonly string[], manner: 200 | 500 | 'silent' = 200) {
		const { url, path } = receiver.path(manner);
		const created = await this.agent('POST', '/webhooks', { json: { url, events } });
		want(created.isOk, `POST /agent/webhooks answered ${created.status}: ${created.start}`);
		const id = created.member('id');
		want(isIdLike(id), `POST /agent/webhooks gave no id but ${shown(id)}`);
		const secret = created.member('secret');
		return { id, path, url, created, secret: typeof secret === 'string' ? secret : '' } as Webhook;
	}
}

/**
 * Everything that the rows look at, made when the first of them asks for it and once only. What
 * cannot be made fails each row that needs it, with the reason.
 */
export class Scene {
	readonly stage: Stage;
	readonly http: Http;
	readonly receiver: Receiver;
	readonly main: Contract;
	readonly #made = new Map<string, Promise<unknown>>();
	readonly #webhooks: Array<{ contract: Contract; id: Id }> = [];

	constructor(stage: Stage, http: Http, receiver: Receiver) {
		this.stage = stage;
		this.http = http;
		this.receiver = receiver;
		this.main = new Contract(http, stage.access, stage);
	}

	async once<T>(what: string, make: () => Promise<T>): Promise<T> {
		let made = this.#made.get(what);
		if (made === undefined) {
			made = make();
			made.catch(() => undefined);
			this.#made.set(what, made);
		}
		return (await made) as T;
	}

	/** A webhook that is removed at the end of the walk. */
	async webhook(
		events: readonly string[],
		manner: 200 | 500 | 'silent' = 200,
		contract = this.main,
	): Promise<Webhook> {
		const webhook = await contract.webhook(this.receiver, events, manner);
		this.#webhooks.push({ contract, id: webhook.id });
		return webhook;
	}

	/** Subscribed to every event, before anything happens. */
	everything = () => this.once('webhook', () => this.webhook(EVENT_NAMES));

	/** Without a receiver the other rows go on. */
	async #subscribed(): Promise<void> {
		await this.everything().catch(() => undefined);
	}

	statement = () => this.once('statement', documents.plainStatement);
	accountsStatement = () => this.once('accounts statement', documents.severalAccounts);
	periodsStatement = () => this.once('periods statement', documents.twoPeriods);

	/** A bank statement extracted through the agent surface. */
	bankJob = () =>
		this.once('bank job', async () => {
			await this.#subscribed();
			return await this.main.extract((await this.statement()).pdf);
		});

	/** A document that no row looks at, for jobs whose end does not matter. */
	spare = () => this.once('spare', async () => this.main.upload((await this.statement()).pdf));

	/** A bank statement uploaded and extracted through the legacy surface. */
	legacyJob = () =>
		this.once('legacy job', async () => {
			await this.#subscribed();
			const { pdf } = await this.statement();
			const uploaded = await this.main.uploadForm(pdf, '?metadata=1', 'legacy.pdf');
			want(
				uploaded.isOk,
				`POST /protected/document answered ${uploaded.status}: ${uploaded.start}`,
			);
			const documentId = uploaded.member('document', 'id');
			want(isIdLike(documentId), `the upload gave no document.id but ${shown(documentId)}`);
			const jobId = await this.main.createLegacyJob([documentId]);
			const ended = await this.main.ended(jobId, 'legacy');
			const status = ended.member('status');
			want(status === 'Succeeded', `job ${jobId} ended as ${shown(status)}, not Succeeded`);
			return { documentId, jobId, ended };
		});

	accountsJob = () =>
		this.once('accounts job', async () => this.main.extract((await this.accountsStatement()).pdf));

	periodsJob = () =>
		this.once('periods job', async () => this.main.extract((await this.periodsStatement()).pdf));

	unreconciledJob = () =>
		this.once('unreconciled job', async () =>
			this.main.extract((await documents.doesNotAddUp()).pdf),
		);

	fraudJob = () =>
		this.once('fraud job', async () => {
			await this.#subscribed();
			return await this.main.extract(await documents.tampered());
		});

	longJob = () =>
		this.once('long job', async () => this.main.extract((await documents.longStatement()).pdf));

	failedJob = () =>
		this.once('failed job', async () => {
			await this.#subscribed();
			const job = await this.main.run(documents.damagedFile());
			const status = job.ended.member('status');
			want(status === 'Failed', `a file that cannot be read ended as ${shown(status)}, not Failed`);
			return job;
		});

	/** Ended somehow: what the rows about invoices, forms and checks begin with. */
	invoiceJob = () =>
		this.once('invoice job', async () => {
			await this.#subscribed();
			const bytes = await documents.drawInvoice();
			return await this.main.run(bytes, { filename: 'invoice.pdf', jobType: 'Invoice' });
		});

	formJob = () =>
		this.once('form job', async () => {
			await this.#subscribed();
			const bytes = await documents.drawTaxForm();
			return await this.main.run(bytes, { filename: 'form.pdf', jobType: 'Form' });
		});

	checkJob = () =>
		this.once('check job', async () => {
			await this.#subscribed();
			return await this.main.run(documents.drawCheck(), {
				filename: 'check.png',
				mimetype: 'image/png',
				jobType: 'ExtractData',
				subType: 'checkImages',
			});
		});

	/** The export of the bank job in the grouped shape. */
	exported = () =>
		this.once('export', async () => {
			const { jobId } = await this.bankJob();
			const answer = await this.main.legacy('POST', `/job/${jobId}/export`, {
				json: { jobType: 'FieldsToExcel1', flattenTables: false },
			});
			want(answer.isOk, `the export answered ${answer.status}: ${answer.start}`);
			return answer;
		});

	grouped = async (job: Job): Promise<Answer> =>
		await this.once(`data ${job.jobId}`, async () => {
			const answer = await this.main.agent('GET', `/jobs/${job.jobId}/data`);
			want(answer.isOk, `${answer.name} answered ${answer.status}: ${answer.start}`);
			return answer;
		});

	/** Delivered to the webhook that gets everything. */
	async delivered(name: EventName, fits: (arrived: Arrived) => boolean): Promise<Arrived> {
		const { path } = await this.everything();
		const arrived = await this.receiver.wait(
			path,
			this.stage.deliveryMs,
			(one) => eventOf(one) === name && fits(one),
		);
		want(arrived !== undefined, `no ${name} was delivered for it`);
		return arrived;
	}

	/** The delivery that reports the end of the bank job. */
	bankDelivery = async (): Promise<Arrived> => {
		const { jobId } = await this.bankJob();
		return await this.delivered('bank_statement.extraction.completed', isOfJob(jobId));
	};

	/** A contract whose pages one document uses up. */
	small = () =>
		this.once('small allowance', async () => {
			if (this.stage.smallAllowance === undefined) {
				throw new NotTried('needs a contract whose page allowance is nearly used up');
			}
			const contract = new Contract(this.http, await this.stage.smallAllowance(), this.stage);
			const webhook = await this.webhook(EVENT_NAMES, 200, contract).catch(() => null);
			const { pdf } = await this.statement();
			const first = await contract.extract(pdf);
			const last = await contract.run(pdf);
			return { contract, webhook, first, last };
		});

	/** A webhook whose receiver refuses, and a sample that was sent to it and is dead by now. */
	deadLetter = () =>
		this.once('dead letter', async () => {
			const webhook = await this.webhook([QUIET_EVENT], 500);
			const sent = await this.main.agent('POST', `/webhooks/${webhook.id}/test`);
			want(sent.isOk, `${sent.name} answered ${sent.status}: ${sent.start}`);
			const arrived = await this.receiver.count(webhook.path, 3, this.stage.deliveryMs);
			await pause(this.stage.quietMs);
			return { webhook, attempts: this.receiver.at(webhook.path), arrived };
		});

	/** The dead letter, replayed to a receiver that answers by now. */
	replayed = () =>
		this.once('replay', async () => {
			const { webhook, attempts } = await this.deadLetter();
			const listed = listIn(await this.main.agent('GET', `/webhooks/${webhook.id}/deliveries`));
			const id = at(listed[0], 'id') ?? named(listed[0], /delivery_?id$/i);
			if (!isIdLike(id)) {
				throw new NotTried('the delivery log shows no id of a delivery under a name like id');
			}
			this.receiver.answer(webhook.path, 200);
			const answer = await this.main.agent('POST', `/webhooks/deliveries/${id}/retry`);
			const after = await this.receiver.count(
				webhook.path,
				attempts.length + 1,
				answer.isOk ? this.stage.deliveryMs : 0,
			);
			return { answer, before: attempts.length, after };
		});

	/** A receiver that never answers, and what came to it until the second attempt. */
	silence = () =>
		this.once('silence', async () => {
			const webhook = await this.webhook([QUIET_EVENT], 'silent');
			const sent = await this.main.agent('POST', `/webhooks/${webhook.id}/test`);
			want(sent.isOk, `${sent.name} answered ${sent.status}: ${sent.start}`);
			const attempts = await this.receiver.count(webhook.path, 2, 30_000 + this.stage.deliveryMs);
			return { webhook, attempts };
		});

	/** A project with two documents that came one after the other through a connected folder. */
	project = () =>
		this.once('project', async () => {
			await this.#subscribed();
			const put = this.stage.intoFolder;
			const [older, newer] = ['older-statement.pdf', 'newer-statement.pdf'];
			if (put !== undefined) {
				await put('Accounts/Walk', older, (await this.statement()).pdf);
				await this.#listed(older);
				await put('Accounts/Walk', newer, (await this.accountsStatement()).pdf);
				await this.#listed(newer);
			}
			const projects = await this.main.agent('GET', '/projects');
			want(projects.isOk, `GET /agent/projects answered ${projects.status}: ${projects.start}`);
			for (const project of listIn(projects)) {
				const id = at(project, 'id') ?? named(project, /project_?id$/i);
				if (!isIdLike(id)) continue;
				const documentsOf = await this.main.agent('GET', `/projects/${id}/documents`);
				if (documentsOf.isOk && listIn(documentsOf).length > 0) {
					return { id, project, projects, documents: documentsOf, older, newer };
				}
			}
			if (put === undefined) {
				throw new NotTried('needs a project with documents that the token can read');
			}
			throw new Unmet('files were put into the connected folder, but no project lists them');
		});

	/** Waits until a document of this name is listed and has an end. */
	async #listed(filename: string): Promise<void> {
		const until = Date.now() + this.stage.patienceMs;
		for (;;) {
			const projects = await this.main.agent('GET', '/projects');
			for (const project of projects.isOk ? listIn(projects) : []) {
				const id = at(project, 'id') ?? named(project, /project_?id$/i);
				const answer = await this.main.agent('GET', `/projects/${String(id)}/documents`);
				const found = answer.isOk
					? listIn(answer).find((document) => JSON.stringify(document).includes(filename))
					: undefined;
				const count = named(found, /transaction_?count/i);
				if (found !== undefined && typeof count === 'number') return;
			}
			// What is missing, the rows about projects say.
			if (Date.now() > until) return;
			await pause(150);
		}
	}

	/** Removes the webhooks that the walk has made. */
	async end(): Promise<void> {
		for (const { contract, id } of this.#webhooks) {
			await contract.agent('DELETE', `/webhooks/${id}`).catch(() => undefined);
		}
	}
}

/** The event that a delivery reports: its body says so, or else its header. */
export function eventOf(arrived: Arrived): unknown {
	return at(arrived.json, 'event', 'name') ?? arrived.headers['x-service-event'];
}

/** The delivery is about this job. */
export function isOfJob(jobId: Id): (arrived: Arrived) => boolean {
	return ({ json }) => String(at(json, 'job', 'id')) === String(jobId);
}

/** The delivery is about this document, wherever its body says so. */
export function isOfDocument(documentId: Id): (arrived: Arrived) => boolean {
	const names = new RegExp(`[:{,[]"?${documentId}"?[:,}\\]]`);
	return ({ body }) => names.test(body.toString('utf8'));
}
