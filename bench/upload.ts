import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Table from 'cli-table3';
import { itemsOf } from '../scripts/n8n/execution.ts';
import { buildAndPack } from '../scripts/n8n/nodePackage.ts';
import type { Workflow, WorkflowNode } from '../scripts/n8n/workflowFile.ts';
import { ProcessSupervisor } from '../scripts/processes/processSupervisor.ts';
import { startRealN8n, type RealN8n } from '../test/n8n/realN8n.ts';
import { chain, manualTrigger, ourNode, readFiles } from '../test/n8n/workflowBuilder.ts';

/**
 * Peak memory of the n8n process while it uploads a file, with our node and with n8n's own HTTP
 * Request node doing the same PUT, each in a fresh n8n. The file lies in n8n's filesystem storage
 * before the measuring begins: between reading and uploading the workflow waits at a gate, where
 * the kernel's peak counter of the process is set back. Linux only (/proc).
 */

const megabyte = 1_000_000;
const sizes = [40, 400];
const allowedGrowthMb = 48;
const settleMs = 2_000;
const uploadLimitMs = 600_000;
const mimeType = 'application/pdf';

interface Measurement {
	sizeMb: number;
	node: string;
	/** Memory after the file was read and before it is uploaded, in MB. */
	before: number;
	/** The highest memory while it was uploaded, in MB. */
	peak: number;
	seconds: number;
}

const memoryMb = async (pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> => {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
	if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
	return (Number(kibibytes) * 1024) / megabyte;
};

const resetPeak = async (pid: number): Promise<void> =>
	await writeFile(`/proc/${pid}/clear_refs`, '5');

const writePdfOfSize = async (path: string, bytes: number): Promise<void> => {
	const file = createWriteStream(path);
	const chunk = randomBytes(megabyte);
	file.write('%PDF-1.7\n');
	for (let left = bytes - 9; left > 0; left -= chunk.length) {
		if (!file.write(left < chunk.length ? chunk.subarray(0, left) : chunk)) {
			await once(file, 'drain');
		}
	}
	file.end();
	await once(file, 'finish');
};

/** Asks the service for an address to upload to, as our node does. */
const uploadAddress = async ({ service }: RealN8n): Promise<string> => {
	const { baseUrl, accessToken } = service.credentials;
	const response = await fetch(`${baseUrl}/agent/documents/upload-url`, {
		method: 'POST',
		headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
		body: JSON.stringify({ filename: 'large.pdf', mimetype: mimeType }),
	});
	return ((await response.json()) as { url: string }).url;
};

/** Holds the workflow up between reading and uploading, and sets the peak back meanwhile. */
const openGate = async (
	running: RealN8n,
	atGate: (memory: number) => void,
): Promise<{ server: Server; address: string }> => {
	const server = createServer((_request, response) => {
		void (async () => {
			await pause(settleMs);
			const url = await uploadAddress(running);
			await resetPeak(running.pid);
			atGate(await memoryMb(running.pid, 'VmRSS'));
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ url }));
		})();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const bound = server.address();
	if (typeof bound !== 'object' || bound === null) throw new Error('the gate has no port');
	return { server, address: `http://127.0.0.1:${bound.port}/` };
};

const httpRequest = (name: string, parameters: Record<string, unknown>): WorkflowNode => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters,
});

const uploaders: Record<string, () => WorkflowNode> = {
	'Document Extraction': () =>
		ourNode('Upload', { operation: 'upload', inputDataFieldName: 'data' }),
	'HTTP Request': () =>
		httpRequest('Upload', {
			method: 'PUT',
			url: '={{ $json.url }}',
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'Content-Type', value: mimeType }] },
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
			options: { timeout: uploadLimitMs },
		}),
};

/** Reads the file, waits at the gate, and goes on with the file and the gate's answer. */
const workflowFor = (uploader: WorkflowNode, file: string, gate: string): Workflow => {
	const read = readFiles(file);
	const merge: WorkflowNode = {
		name: 'File and Address',
		type: 'n8n-nodes-base.merge',
		typeVersion: 3,
		parameters: { mode: 'combine', combineBy: 'combineByPosition', options: {} },
	};
	const workflow = chain('Upload', [
		manualTrigger(),
		read,
		httpRequest('Gate', { url: gate, options: { timeout: uploadLimitMs } }),
		merge,
		uploader,
	]);
	const to = (node: string, index: number) => ({ node, type: 'main', index });
	workflow.connections[read.name] = { main: [[to('Gate', 0), to(merge.name, 0)]] };
	workflow.connections.Gate = { main: [[to(merge.name, 1)]] };
	return workflow;
};

const measure = async (tarball: string, node: string, sizeMb: number): Promise<Measurement> => {
	const uploader = uploaders[node];
	if (uploader === undefined) throw new Error(`No uploader "${node}"`);
	const running = await startRealN8n({ tarball });
	let before = 0;
	let startedAt = 0;
	const { server, address } = await openGate(running, (memory) => {
		before = memory;
		startedAt = Date.now();
	});
	try {
		const file = resolve(running.filesFolder, 'large.pdf');
		await writePdfOfSize(file, sizeMb * megabyte);
		const { n8n } = running;
		const workflow = await n8n.createWorkflow(workflowFor(uploader(), file, address));
		const execution = await n8n.run(workflow, { limitMs: uploadLimitMs });
		const seconds = (Date.now() - startedAt) / 1000;
		if (execution.status !== 'success' || itemsOf(execution, 'Upload').length !== 1) {
			throw new Error(
				`${node} did not upload ${sizeMb} MB: ${execution.error?.message} ${execution.error?.description ?? ''}`,
			);
		}
		return { sizeMb, node, before, peak: await memoryMb(running.pid, 'VmHWM'), seconds };
	} finally {
		server.close();
		await running.stop();
	}
};

const main = async (): Promise<void> => {
	if (process.platform !== 'linux') {
		process.stdout.write(
			"Not measured: the peak memory of a process is read from Linux's /proc.\n",
		);
		return;
	}
	const supervisor = new ProcessSupervisor();
	const folder = await mkdtemp(resolve(tmpdir(), 'document-extraction-bench-'));
	const measurements: Measurement[] = [];
	try {
		const tarball = await buildAndPack(supervisor, folder);
		for (const node of Object.keys(uploaders)) {
			for (const sizeMb of sizes) measurements.push(await measure(tarball, node, sizeMb));
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}

	const table = new Table({
		head: ['Node', 'File', 'Before', 'Peak', 'Growth', 'Time'],
		colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
		style: { head: [], border: [], compact: true },
	});
	for (const { node, sizeMb, before, peak, seconds } of measurements) {
		const mb = (value: number) => `${value.toFixed(0)} MB`;
		table.push([
			node,
			mb(sizeMb),
			mb(before),
			mb(peak),
			mb(peak - before),
			`${seconds.toFixed(1)} s`,
		]);
	}
	process.stdout.write(`${table.toString()}\n`);
	const [small, large] = measurements;
	if (small === undefined || large === undefined) throw new Error('nothing was measured');
	const growth = large.peak - small.peak;
	const isWithin = growth <= allowedGrowthMb;
	process.stdout.write(
		`Peak of the large upload over the small one with our node: ${growth.toFixed(0)} MB, ${isWithin ? 'within' : 'NOT within'} ${allowedGrowthMb} MB.\n`,
	);
	process.stdout.write(
		[
			'"Before" is n8n itself: most of it is room that its start-up left behind, and an upload can use',
			'a part of it without the peak showing that: growth is a lower bound. What limits our node is the',
			'chunk size of the stream; HTTP Request follows redirects, so it keeps what it has sent.',
			'',
		].join('\n'),
	);
	if (!isWithin) process.exitCode = 1;
};

main().catch((error: unknown) => {
	process.stderr.write(
		`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
	);
	process.exitCode = 1;
});
