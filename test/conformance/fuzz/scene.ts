import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateStatement } from '../../documents/index.ts';
import { Client } from '../../../service/test/client.ts';
import { startService } from '../../../service/test/runningService.ts';
import type { RunningService } from '../../../service/test/runningService.ts';
import { DescribedResponses } from '../description/describedResponses.ts';
import { learn } from './fuzzer.ts';
import { Pool } from './pool.ts';
import type { FileSamples } from './requests.ts';

/** A running service that has something of everything, and a receiver for its webhooks. */
export interface Scene {
	service: RunningService;
	/** What the answers so far have shown. */
	pool: Pool;
	files: FileSamples;
	/** Text of a file for members that want one. */
	fileBase64: string[];
	receiverUrl: string;
	/** `METHOD path` of requests that would take away what the rest needs. */
	kept: Set<string>;
	remove(): Promise<void>;
}

const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
	'base64',
);
const READY_WITHIN_MS = 60_000;

/** Starts a service with its own folder and lets it have documents, jobs, a project and webhooks. */
export async function setScene(): Promise<Scene> {
	const cleanups: Array<() => Promise<unknown>> = [];
	const remove = async (): Promise<void> => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	};
	try {
		return { ...(await preparedScene(cleanups)), remove };
	} catch (error) {
		await remove();
		throw error;
	}
}

async function preparedScene(
	cleanups: Array<() => Promise<unknown>>,
): Promise<Omit<Scene, 'remove'>> {
	const receiver = createServer((request, response) => {
		request.resume();
		// Some deliveries fail, so that there are some to replay.
		response.writeHead(request.url === '/broken' ? 500 : 204).end();
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	cleanups.push(async () => {
		receiver.closeAllConnections();
		await new Promise((resolve) => receiver.close(resolve));
	});
	const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
	const inbox = await mkdtemp(join(tmpdir(), 'fuzz-inbox-'));
	cleanups.push(() => rm(inbox, { recursive: true, force: true }));
	const statement = Buffer.from(
		(await generateStatement('ukCurrent', { seed: 1, transactions: 8 })).pdf,
	);
	await mkdir(join(inbox, 'Fuzz project'));
	await writeFile(join(inbox, 'Fuzz project', 'statement.pdf'), statement);

	const service = await startService({
		env: {
			LOG_LEVEL: 'error',
			WEBHOOK_ALLOWED_HOSTS: host,
			DELIVERY_BACKOFF_MS: '50',
			INGEST_DIR: inbox,
			INGEST_INTERVAL_MS: '200',
			TOOL_WAIT_SECONDS: '5',
		},
	});
	cleanups.push(() => service.remove());
	const pool = new Pool();
	const client = new Client(service);
	const read = async (surface: 'agent' | 'legacy', path: string): Promise<unknown> => {
		const answer = await client[surface]('GET', path);
		if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
		const described = await DescribedResponses.of(service.site);
		const url = `/api/v1/${surface === 'agent' ? 'agent' : 'protected'}${path}`;
		const operation = described.operationFor({ method: 'GET', url });
		if (operation === undefined) throw new Error(`The document has no ${url}.`);
		const body = Buffer.from(answer.text);
		learn(pool, described, operation, url, { ...answer, body }, service.site);
		return answer.body;
	};

	const receiverUrl = `http://${host}/hook`;
	const webhooks = [receiverUrl, `http://${host}/broken`].map(async (url) =>
		client.agent('POST', '/webhooks', { url, events: ['document.uploaded', 'fraud.detected'] }),
	);
	await Promise.all(webhooks);
	const { documentId, jobId } = await client.extract(statement);
	const failed = await client.extract(PNG, 'image/png');
	await client.upload(statement);
	await read('agent', `/documents/${documentId}`);
	await read('agent', `/jobs/${jobId}`);
	await read('agent', `/jobs/${failed.jobId}`);
	await read('agent', `/documents/${documentId}/transactions`);
	await read('legacy', `/document/${documentId}/downloads3`);
	await read('legacy', `/document/${documentId}/fraudSignals`);
	await read('legacy', '/accessTokens');
	await read('agent', '/webhooks');
	const kept = new Set(['DELETE /api/v1/protected/accessTokens/1']);
	for (const webhook of [1, 2]) {
		kept.add(`DELETE /api/v1/agent/webhooks/${webhook}`);
		kept.add(`PUT /api/v1/agent/webhooks/${webhook}`);
		await read('agent', `/webhooks/${webhook}/deliveries`);
	}
	const until = Date.now() + READY_WITHIN_MS;
	while (!pool.has('projectId')) {
		if (Date.now() > until) throw new Error('The watched folder made no project.');
		await sleep(200);
		await read('agent', '/projects');
	}
	return {
		service,
		pool,
		receiverUrl,
		kept,
		files: {
			'application/pdf': [statement, Buffer.from('%PDF-1.7\nnothing'), Buffer.from([0])],
			'image/png': [PNG, PNG.subarray(0, 20)],
			'image/jpeg': [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
			'image/tiff': [Buffer.from('II*\u0000rest')],
		},
		fileBase64: [statement, statement, PNG].map((file) => file.toString('base64')),
	};
}
