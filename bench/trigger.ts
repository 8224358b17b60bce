import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import Table from 'cli-table3';
import { waitUntil } from '../scripts/processes/waitUntil.ts';
import type { StoredWorkflow } from '../scripts/n8n/n8nClient.ts';
import type { WorkflowNode } from '../scripts/n8n/workflowFile.ts';
import { generateStatement } from '../test/documents/index.ts';
import {
	DeliveryRecorder,
	eventIdHeader,
	send,
	signedWith,
	type RecordedDelivery,
} from '../test/n8n/recordedDelivery.ts';
import { startRealN8n, type RealN8n } from '../test/n8n/realN8n.ts';
import { ServiceClient } from '../test/n8n/serviceClient.ts';
import { productionUrl, storedSecret } from '../test/n8n/triggerState.ts';
import { chain, noOp, ourTrigger, webhookNode } from '../test/n8n/workflowBuilder.ts';

/**
 * Deliveries per second through the trigger in the real n8n, beside n8n's own Webhook node, which
 * checks nothing. Both workflows run in the same n8n, in rounds that alternate, with the same bodies
 * from the same client; executions are saved as n8n does by default. A round is over when its last
 * execution has ended. The bodies are real deliveries of the service with an event id of their own.
 */

const rounds = 6;
const deliveriesInRound = 40;
const warmUpDeliveries = 20;
const clientConcurrency = 8;
const statementRows = 100;
const aim = 0.9;
const roundLimitMs = 120_000;
const pollMs = 20;
const clockTicksASecond = 100;

const names = {
	webhook: "n8n's Webhook 2.1",
	olderWebhook: "n8n's Webhook 1",
	trigger: 'Document Extraction Trigger',
	withoutRecord: 'the same, running repeats',
} as const;

interface Receiver {
	name: string;
	workflow: StoredWorkflow;
	url: string;
	secret: string;
}

interface Round {
	/** Deliveries per second, from the first one sent to the end of the last execution. */
	rate: number;
	/** Milliseconds until an answer came, the one in the middle. */
	answerMs: number;
	/** CPU time of n8n for one delivery, in milliseconds. */
	cpuMs: number;
	/** How much of one core n8n used, 0 to 1 and above. */
	load: number;
}

const cpuSeconds = async (pid: number): Promise<number> => {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
	// The name in brackets may hold anything, so the fields are counted from its end.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / clockTicksASecond;
};

const median = (values: number[]): number => {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/** The same delivery with an event id that nobody has seen, signed. */
const withOwnEventId = (
	{ headers, body }: RecordedDelivery,
	eventId: string,
	secret: string,
): RecordedDelivery => {
	const text = body.toString('utf8').replaceAll(headers[eventIdHeader] ?? '', eventId);
	return signedWith(
		{ headers: { ...headers, [eventIdHeader]: eventId }, body: Buffer.from(text) },
		secret,
	);
};

const sendAll = async (
	{ n8n, pid }: RealN8n,
	receiver: Receiver,
	sample: RecordedDelivery,
	count: number,
): Promise<Round> => {
	const deliveries = Array.from({ length: count }, () =>
		withOwnEventId(sample, `evt_${randomUUID().replaceAll('-', '')}`, receiver.secret),
	);
	const before = await n8n.executionCount(receiver.workflow.id, 'success');
	const answers: number[] = [];
	const cpuBefore = await cpuSeconds(pid);
	const startedAt = performance.now();
	await Promise.all(
		Array.from({ length: clientConcurrency }, async () => {
			for (let next = deliveries.pop(); next !== undefined; next = deliveries.pop()) {
				const sentAt = performance.now();
				const { status, text } = await send(receiver.url, next);
				if (status !== 200) throw new Error(`${receiver.name} answered ${status}: ${text}`);
				answers.push(performance.now() - sentAt);
			}
		}),
	);
	await waitUntil(
		async () => {
			const ended = await n8n.executionCount(receiver.workflow.id, 'success');
			return ended >= before + count ? true : undefined;
		},
		{
			limitMs: roundLimitMs,
			intervalMs: pollMs,
			onTimeout: () => new Error(`${receiver.name} did not run ${count} times`),
		},
	);
	const seconds = (performance.now() - startedAt) / 1000;
	const cpu = (await cpuSeconds(pid)) - cpuBefore;
	return {
		rate: count / seconds,
		answerMs: median(answers),
		cpuMs: (cpu * 1000) / count,
		load: cpu / seconds,
	};
};

/** Real deliveries of the service, small and large, as a receiver gets them. */
const samples = async (running: RealN8n): Promise<Record<string, RecordedDelivery>> => {
	const service = new ServiceClient(() => running.service);
	const recorder = await DeliveryRecorder.start();
	try {
		const events = ['document.uploaded', 'bank_statement.extraction.completed'];
		const webhook = await service.createWebhook(recorder.url, events);
		const statement = await generateStatement('usChecking', {
			seed: 5,
			transactions: statementRows,
		});
		await service.endedJob(await service.extract(statement.pdf, 'statement.pdf'));
		const small = await recorder.of('document.uploaded');
		const large = await recorder.of('bank_statement.extraction.completed');
		await service.deleteWebhook(webhook.id);
		const kilobytes = ({ body }: RecordedDelivery) => (body.length / 1000).toFixed(1);
		return {
			[`an upload, ${kilobytes(small)} kB`]: small,
			[`a statement of ${statementRows} rows, ${kilobytes(large)} kB`]: large,
		};
	} finally {
		recorder.stop();
	}
};

const publish = async ({ n8n }: RealN8n, name: string, trigger: WorkflowNode) => {
	const workflow = await n8n.createWorkflow(chain(name, [trigger, noOp()]));
	await n8n.activate(workflow);
	const { status, triggers } = await n8n.settledPublication(workflow.id);
	if (status !== 'published') {
		throw new Error(`${name} is not published: ${JSON.stringify(triggers)}`);
	}
	return await n8n.workflow(workflow.id);
};

const receivers = async (running: RealN8n): Promise<Receiver[]> => {
	const { address } = running.n8n;
	const events = ['document.uploaded', 'bank_statement.extraction.completed'];
	const webhook = async (name: string, path: string, version: number): Promise<Receiver> => ({
		name,
		workflow: await publish(running, name, { ...webhookNode(path), typeVersion: version }),
		url: `${address}/webhook/${path}`,
		secret: 'not looked at',
	});
	const trigger = async (name: string, parameters: object): Promise<Receiver> => {
		const node = ourTrigger(events, { output: 'delivery', ...parameters });
		const workflow = await publish(running, name, node);
		return {
			name,
			workflow,
			url: productionUrl(address, workflow),
			secret: storedSecret(workflow),
		};
	};
	return [
		await webhook(names.webhook, 'webhook', 2.1),
		await webhook(names.olderWebhook, 'older', 1),
		await trigger(names.trigger, {}),
		await trigger(names.withoutRecord, { additionalOptions: { runRepeated: true } }),
	];
};

const main = async (): Promise<void> => {
	if (process.platform !== 'linux') {
		process.stdout.write("Not measured: the CPU time of n8n is read from Linux's /proc.\n");
		return;
	}
	const running = await startRealN8n();
	const table = new Table({
		head: ['Delivery', 'Received by', 'Per second', 'CPU each', 'Answer', 'Load'],
		colAligns: ['left', 'left', 'right', 'right', 'right', 'right'],
		style: { head: [], border: [], compact: true },
	});
	const verdicts: string[] = [];
	try {
		const bodies = await samples(running);
		const all = await receivers(running);
		for (const [size, sample] of Object.entries(bodies)) {
			const measured = new Map<string, Round[]>(all.map(({ name }) => [name, []]));
			for (const receiver of all) await sendAll(running, receiver, sample, warmUpDeliveries);
			for (let round = 0; round < rounds; round++) {
				// Nobody always comes after the same one.
				for (const receiver of round % 2 === 0 ? all : [...all].reverse()) {
					measured
						.get(receiver.name)
						?.push(await sendAll(running, receiver, sample, deliveriesInRound));
				}
			}
			const middle = (name: string, of: keyof Round): number =>
				median((measured.get(name) ?? []).map((round) => round[of]));
			for (const { name } of all) {
				table.push([
					size,
					name,
					middle(name, 'rate').toFixed(0),
					`${middle(name, 'cpuMs').toFixed(1)} ms`,
					`${middle(name, 'answerMs').toFixed(0)} ms`,
					`${(middle(name, 'load') * 100).toFixed(0)} %`,
				]);
			}
			const share = (of: string): string => {
				const byRate = middle(names.trigger, 'rate') / middle(of, 'rate');
				return `${byRate.toFixed(2)} of ${of} (by CPU time ${byCpu(of).toFixed(2)})`;
			};
			const byCpu = (of: string): number => middle(of, 'cpuMs') / middle(names.trigger, 'cpuMs');
			const isWithin = middle(names.trigger, 'rate') / middle(names.webhook, 'rate') >= aim;
			verdicts.push(
				`${size}: the trigger does ${share(names.webhook)}, ${share(names.olderWebhook)}; ` +
					`${isWithin ? 'within' : 'NOT within'} the aim of ${aim} of ${names.webhook}.`,
			);
			// What n8n itself adds before it calls a node of version 1 cannot be spared (see below).
			if (byCpu(names.olderWebhook) < aim) process.exitCode = 1;
		}
	} finally {
		await running.stop();
	}
	process.stdout.write(`${table.toString()}\n${verdicts.join('\n')}\n`);
	process.stdout.write(
		[
			`Median of ${rounds} rounds of ${deliveriesInRound} deliveries, ${clientConcurrency} at once, on ${cpus().length} cores. "Load" is that of n8n's`,
			'process: at 100 % its one thread is busy, and starting, running and saving executions limits all.',
			'Before it calls a trigger, n8n makes a sandbox for expressions, and evaluates one in it for nodes of',
			'version 1. It spares its own Webhook node both from version 2 on, and no other node the sandbox.',
			'Webhook 1 pays for both, as the trigger does: version 1 is what lets it see the bytes before n8n has',
			'parsed them, so that a damaged body is answered 401 and a signed one that is no JSON is not lost.',
			"Besides, the trigger checks the signature and keeps each event id in n8n's database; with the option",
			'"Run Repeated Deliveries" it does not keep them, which shows what that costs.',
			'',
		].join('\n'),
	);
};

main().catch((error: unknown) => {
	process.stderr.write(
		`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
	);
	process.exitCode = 1;
});
