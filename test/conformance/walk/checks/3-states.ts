import { setTimeout as pause } from 'node:timers/promises';
import { shown, succeeded, want } from '../expect.ts';
import type { Job, Scene } from '../scene.ts';
import { eventOf, QUIET_EVENT } from '../scene.ts';
import type { Checks } from './check.ts';

/** A status that ends a job is still there a while later. */
async function stays(
	scene: Scene,
	job: Job,
	status: string,
	contract = scene.main,
): Promise<string> {
	want(
		job.ended.member('status') === status,
		`the job ended as ${shown(job.ended.member('status'))}, not ${status}`,
	);
	await pause(1000);
	const later = await contract.agent('GET', `/jobs/${job.jobId}`);
	want(
		later.member('status') === status,
		`a job that was ${status} is ${shown(later.member('status'))} a second later`,
	);
	return `${status}, and still so a second later`;
}

/** Section 3. */
export const states: Checks<'3'> = {
	Succeeded: async (scene) => {
		const job = await scene.bankJob();
		succeeded(await scene.main.agent('GET', `/jobs/${job.jobId}/data`));
		const seen = await stays(scene, job, 'Succeeded');
		const delivery = await scene.bankDelivery();
		return `${seen}; the data are there, and ${shown(eventOf(delivery))} was delivered`;
	},
	Failed: async (scene) => stays(scene, await scene.failedJob(), 'Failed'),
	OutOfCredits: async (scene) => {
		const { contract, last } = await scene.small();
		return await stays(scene, last, 'OutOfCredits', contract);
	},
	'attempt delivered': async (scene) => {
		const webhook = await scene.webhook([QUIET_EVENT]);
		succeeded(await scene.main.agent('POST', `/webhooks/${webhook.id}/test`));
		const arrived = await scene.receiver.count(webhook.path, 1, scene.stage.deliveryMs);
		want(arrived.length === 1, 'the sample delivery did not arrive');
		await pause(scene.stage.quietMs);
		const { length } = scene.receiver.at(webhook.path);
		want(length === 1, `it came ${length} times although it was answered with 200`);
		return 'answered with 200, came once';
	},
	'attempt failed': async (scene) => retried(scene),
	'attempt silent': async (scene) => silent(scene),
	'dead-letter': async (scene) => dead(scene),
	'manual replay': async (scene) => {
		const { answer, before, after } = await scene.replayed();
		want(answer.isOk, `the replay answered ${answer.status}: ${answer.start}`);
		want(after.length > before, 'nothing was sent after the replay');
		return `${answer.status}, and it was sent once more`;
	},
};

/** A refused delivery comes again, after growing pauses. */
export async function retried(scene: Scene): Promise<string> {
	const { attempts } = await scene.deadLetter();
	const [first, second, third] = attempts.map(({ at }) => at);
	want(
		first !== undefined && second !== undefined && third !== undefined,
		`a delivery that was answered with 500 came ${attempts.length} times`,
	);
	const [pauseOne, pauseTwo] = [second - first, third - second];
	want(
		pauseTwo > pauseOne,
		`the second pause (${pauseTwo} ms) is not longer than the first (${pauseOne} ms)`,
	);
	return `answered with 500, came again after ${pauseOne} ms and then ${pauseTwo} ms`;
}

/** The third failed attempt is the last. */
export async function dead(scene: Scene): Promise<string> {
	const { attempts } = await scene.deadLetter();
	want(attempts.length === 3, `a delivery that always fails came ${attempts.length} times, not 3`);
	return `3 attempts, and no more in the ${scene.stage.quietMs / 1000} s after`;
}

const LIMIT_MS = 30_000;
/** Time for a message to come and go, and for clocks that are not the same. */
const SLACK_MS = 4000;

/** A receiver that says nothing is given up after 30 seconds, and tried again. */
export async function silent(scene: Scene): Promise<string> {
	const { attempts } = await scene.silence();
	const [first, second] = attempts;
	want(first !== undefined, 'the delivery to a silent receiver did not come');
	want(second !== undefined, 'a delivery that was never answered was not tried again');
	// Something between the two may hide when the service gave up; the pause before the second
	// attempt, which is not shown, is then part of what is seen.
	const isHidden = first.abandonedAt === null;
	const waited = (first.abandonedAt ?? second.at) - first.at;
	want(
		waited > LIMIT_MS - SLACK_MS && (isHidden || waited < LIMIT_MS + SLACK_MS),
		`the service waited ${waited} ms for an answer, not 30 s`,
	);
	return `given up after ${(waited / 1000).toFixed(1)} s, and tried again`;
}
