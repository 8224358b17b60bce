import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Access } from './access';
import { bodyOf } from './answer';
import { systemClock, type Clock } from './clock';
import {
	answerFailure,
	cancelledFailure,
	connectionReason,
	operationFailure,
	strangeAnswerFailure,
	type Failure,
} from './failures';
import type { Gate } from './gate';
import { jobPath, jobTask, readJob, type Job } from './jobs';
import { attempt } from './request';
import { retryAfterMs } from './retryAfter';

const FIRST_PAUSE_MS = 2_000;
const GROWTH = 1.5;
const LONGEST_PAUSE_MS = 30_000;
/** So many polls in a row may fail; with growing pauses that is about three minutes. */
const FAILED_POLLS = 10;

/** One look at a job. */
export type Poll =
	| { kind: 'job'; job: Job }
	/** A failure that may pass. `retryAfterMs` is how long the service asks to be left alone. */
	| { kind: 'passing'; reason: string; retryAfterMs?: number }
	| { kind: 'refused'; failure: Failure }
	| { kind: 'cancelled' };

/** How a wait ended. */
export type WaitEnd =
	| { kind: 'ended'; job: Job }
	| { kind: 'limit'; status?: string }
	| { kind: 'unreachable'; reason: string }
	| { kind: 'refused'; failure: Failure }
	| { kind: 'cancelled' };

export interface WaitOptions {
	limitMs: number;
	/** False for a job that may have ended already: look at once, then pause. */
	justCreated: boolean;
	signal?: AbortSignal;
	clock: Clock;
}

/**
 * Looks at a job until it has ended (section 8: first after 2 s, then less and less often). Every
 * pause has up to a quarter of jitter, so that many executions do not ask in step. Never creates
 * anything. Ends at once when the signal is aborted, and at the limit after a last look.
 */
export async function waitUntilEnded(
	poll: () => Promise<Poll>,
	{ limitMs, justCreated, signal, clock }: WaitOptions,
): Promise<WaitEnd> {
	const deadline = clock.now() + limitMs;
	let basePauseMs = FIRST_PAUSE_MS;
	let pauseMs = justCreated ? basePauseMs : 0;
	let status: string | undefined;
	let failedInARow = 0;
	for (;;) {
		const remaining = deadline - clock.now();
		await clock.pause(Math.max(0, Math.min(pauseMs, remaining)), signal);
		if (signal?.aborted) return { kind: 'cancelled' };
		const isLast = clock.now() >= deadline;
		const look = await poll();
		let askedFor = 0;
		if (look.kind === 'cancelled' || look.kind === 'refused') return look;
		if (look.kind === 'job') {
			if (look.job.state !== 'running') return { kind: 'ended', job: look.job };
			status = look.job.status;
			failedInARow = 0;
		} else {
			failedInARow++;
			askedFor = look.retryAfterMs ?? 0;
			if (failedInARow >= FAILED_POLLS) return { kind: 'unreachable', reason: look.reason };
		}
		const ending = isLast || clock.now() + askedFor > deadline;
		if (ending) return status === undefined ? { kind: 'limit' } : { kind: 'limit', status };
		if (pauseMs > 0) basePauseMs = Math.min(basePauseMs * GROWTH, LONGEST_PAUSE_MS);
		pauseMs = Math.max(askedFor, basePauseMs * (1 + clock.random() / 4));
	}
}

async function pollJob(
	this: IExecuteFunctions,
	access: Access,
	jobId: string,
	itemIndex: number,
	clock: Clock,
): Promise<Poll> {
	const result = await attempt.call(this, access, {
		method: 'GET',
		path: jobPath(access, jobId),
		timeoutMs: 60_000,
	});
	if (result.kind === 'cancelled') return result;
	if (result.kind === 'noAnswer') return { kind: 'passing', reason: connectionReason(result) };
	const { answer } = result;
	const task = jobTask(itemIndex, jobId, `tell about the job ${jobId}`);
	if (answer.status >= 200 && answer.status < 300) {
		const job = readJob(bodyOf(answer), jobId);
		if (job !== undefined) return { kind: 'job', job };
		return { kind: 'refused', failure: strangeAnswerFailure(this.getNode(), answer, task) };
	}
	if (answer.status === 429 || answer.status === 408 || answer.status >= 500) {
		const asked = retryAfterMs(answer.headers, clock.now());
		const reason = `the last answer had the status ${answer.status}`;
		return { kind: 'passing', reason, ...(asked === undefined ? {} : { retryAfterMs: asked }) };
	}
	return { kind: 'refused', failure: answerFailure(this.getNode(), access, answer, task) };
}

/** A job to wait for. */
export interface Waiting {
	jobId: string;
	itemIndex: number;
	limitMs: number;
	justCreated: boolean;
	/** Shared by the waits of one node, so that their requests take turns. */
	gate: Gate;
	/** Ends the wait early, besides the cancelling of the execution. */
	stop?: AbortSignal;
}

/** How long a wait took at most, as a person says it. */
function minutes(ms: number): string {
	const value = Math.round(ms / 600) / 100;
	return value === 1 ? '1 minute' : `${value} minutes`;
}

/**
 * Waits for a job. Gives the job when it has ended, however it ended; otherwise the error to show:
 * it holds the job's id and says how to go on, because the job goes on at the service.
 */
export async function waitForJob(
	this: IExecuteFunctions,
	access: Access,
	{ jobId, itemIndex, limitMs, justCreated, gate, stop }: Waiting,
	clock: Clock = systemClock,
): Promise<{ job: Job } | { failure: Failure }> {
	const signals = [this.getExecutionCancelSignal(), stop].filter((one) => one !== undefined);
	const poll = async () =>
		await gate(async () => await pollJob.call(this, access, jobId, itemIndex, clock));
	const signal = AbortSignal.any(signals);
	const end = await waitUntilEnded(poll, { limitMs, justCreated, clock, signal });
	const node = this.getNode();
	const pickUp = `The job goes on at the service. Use the operation Job: Wait with the job ID ${jobId} to go on waiting; running this node again could create a second job`;
	const details: IDataObject = { jobId };
	switch (end.kind) {
		case 'ended':
			return { job: end.job };
		case 'refused':
			return { failure: end.failure };
		case 'cancelled':
			return { failure: cancelledFailure(node, itemIndex, details) };
		case 'limit':
			return {
				failure: operationFailure(
					node,
					`Job ${jobId} did not end within ${minutes(limitMs)}${end.status === undefined ? '' : ` (status: ${end.status})`}`,
					{
						itemIndex,
						description: `${pickUp}. To wait longer, raise 'Wait Limit'`,
						details: { ...details, status: end.status ?? null, pickUpWith: 'Job: Wait' },
					},
				),
			};
		case 'unreachable':
			return {
				failure: operationFailure(
					node,
					`The service stopped answering about job ${jobId}: ${end.reason}`,
					{
						itemIndex,
						description: `Check that the service is running and that 'Base URL' in the credential is right. ${pickUp}`,
						details: { ...details, pickUpWith: 'Job: Wait' },
					},
				),
			};
	}
}
