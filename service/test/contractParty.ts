import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/database/database.ts';
import { Client, member, put } from './client.ts';
import type { Answer } from './client.ts';
import type { Credentials, RunningService } from './runningService.ts';
import { tamperedStatement } from './tamperedStatement.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const DELIVERY_ENDS_WITHIN_MS = 30_000;

/** Kinds of records that have an id of their own. */
export type Kind = 'document' | 'job' | 'project' | 'webhook' | 'delivery' | 'access token';

/** A receiver at which nobody listens; a service needs it in WEBHOOK_ALLOWED_HOSTS. */
export const NOBODY = '127.0.0.1:9';

/** One contract with some of everything that a contract can have. */
export class ContractParty {
	readonly client: Client;
	/** Every name, address and note of this contract holds it, and nothing else does. */
	readonly marker: string;
	readonly ids: Record<Kind, number[]> = {
		document: [],
		job: [],
		project: [],
		webhook: [],
		delivery: [],
		'access token': [],
	};
	/** Addresses that the contract was given for one of its documents: path and query. */
	uploadAddress = '';
	downloadAddress = '';

	constructor(
		service: RunningService,
		credentials: Pick<Credentials, 'accessToken' | 'jwt'> | null,
		marker: string,
	) {
		this.client = new Client(service, credentials);
		this.marker = marker;
	}

	/** The first record of a kind: a document that was read, a job that succeeded, and so on. */
	id(kind: Kind): number {
		const [first] = this.ids[kind];
		if (first === undefined) throw new Error(`The contract has no ${kind}.`);
		return first;
	}

	/** Makes one or two of everything, over HTTP. */
	async populate(): Promise<void> {
		const { client, marker, ids } = this;
		const made = (answer: Answer, ...path: string[]): number => {
			if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
			return Number(member(answer, ...path));
		};
		const presigned = await client.legacy('POST', '/document/uploads3', {
			filename: `${marker}.pdf`,
			mimetype: 'application/pdf',
			customerId: marker,
		});
		const document = made(presigned, 'document', 'id');
		const sent = await put(String(member(presigned, 'url')), await tamperedStatement(4), {
			'content-type': 'application/pdf',
		});
		if (sent.status !== 200) throw new Error(sent.text);
		const waiting = await client.uploadUrl(`${marker} waits.pdf`);
		this.uploadAddress = pathOf(waiting.url);
		// The one that was read comes first.
		ids.document.unshift(document, waiting.id);

		const byTool = await client.agent('POST', '/mcp/tools/convert_document', {
			documentIds: [document],
		});
		const toolJob = made(byTool, 'jobId');
		const legacyJob = made(
			await client.legacy('POST', '/job', { jobName: marker, documents: [document] }),
			'id',
		);
		ids.job.push(toolJob, legacyJob);
		for (const job of ids.job) {
			const ended = await client.ended(job);
			if (member(ended, 'status') !== 'Succeeded') throw new Error(ended.text);
		}
		const download = await client.legacy('GET', `/document/${document}/downloads3`);
		this.downloadAddress = pathOf(String(member(download, 'url')));

		const webhook = made(
			await client.agent('POST', '/webhooks', {
				url: `http://${NOBODY}/${marker}`,
				events: ['fraud.detected', 'document.uploaded'],
			}),
			'id',
		);
		ids.webhook.push(webhook);
		ids.delivery.push(made(await client.agent('POST', `/webhooks/${webhook}/test`), 'id'));
		await this.#deliveryEnded(webhook);
		ids['access token'].push(
			made(await client.legacy('POST', '/accessTokens', { name: marker }), 'id'),
		);
	}

	/**
	 * Makes a project with a document in it, as the watched folder does for the first contract. The
	 * service has to be stopped, and `populate` comes afterwards.
	 */
	async addProject(): Promise<void> {
		const { service, credentials } = this.client;
		const claims = JSON.parse(
			Buffer.from(credentials.jwt.split('.')[1] ?? '', 'base64url').toString(),
		) as { contract: number; sub: string };
		const contract_id = claims.contract;
		const { db, close } = await openDatabase(service.dataDir, service.databaseUrl, SILENT);
		try {
			const project = await db
				.insertInto('projects')
				.values({ contract_id, name: this.marker, parent_folder: null, folder: this.marker })
				.returning('id')
				.executeTakeFirstOrThrow();
			const document = await db
				.insertInto('documents')
				.values({
					contract_id,
					user_id: Number(claims.sub),
					originalname: `${this.marker} in a folder.pdf`,
					mimetype: 'application/pdf',
					s3_key: `documents/${contract_id}/in-a-folder.pdf`,
					status: 'uploaded',
					source: 'folder',
					project_id: project.id,
				})
				.returning('id')
				.executeTakeFirstOrThrow();
			this.ids.project.push(project.id);
			this.ids.document.push(document.id);
		} finally {
			await close();
		}
	}

	async #deliveryEnded(webhook: number): Promise<void> {
		const until = Date.now() + DELIVERY_ENDS_WITHIN_MS;
		for (;;) {
			const answer = await this.client.agent('GET', `/webhooks/${webhook}/deliveries`);
			const deliveries = member(answer, 'deliveries') as Array<{ status: string }>;
			if (deliveries.every(({ status }) => status === 'dead-letter')) return;
			if (Date.now() > until) throw new Error(`The delivery did not end: ${answer.text}`);
			await sleep(100);
		}
	}
}

function pathOf(url: string): string {
	const { pathname, search } = new URL(url);
	return pathname + search;
}
