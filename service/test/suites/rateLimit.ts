import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { Client, errorOf, member } from '../client.ts';
import type { Answer } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import { addSecondContract } from '../secondContract.ts';
import type { Start } from './start.ts';

const POLLS = 30;
/** One more poll is due after so many seconds. */
const PAUSE_SECONDS = 60 / POLLS;

/** Section 8, and docs/interface-choices.md, "Rate limits". */
export function rateLimitSuite(start: Start): void {
	describe('asking for one job', () => {
		let service: RunningService;
		let client: Client;
		let second: { accessToken: string; jwt: string };
		before(async () => {
			service = await start({ env: { JOB_POLLS_PER_MINUTE: String(POLLS) } });
			await service.stop();
			second = await addSecondContract(service.dataDir, service.databaseUrl);
			await service.start();
			client = new Client(service);
		});
		after(() => service.remove());

		/** A job that has ended, and was not asked for since. */
		async function newJob(): Promise<number> {
			return await client.createJob([await client.upload(Buffer.from('%PDF-1.7 broken'))]);
		}

		/** Asks without a pause until the service has had enough; gives that answer. */
		async function useUp(ask: (poll: number) => Promise<Answer>): Promise<Answer> {
			for (let poll = 0; poll < POLLS * 3; poll++) {
				const answer = await ask(poll);
				if (answer.status !== 200) {
					assert.ok(poll >= POLLS, `${poll} polls were answered: ${answer.text}`);
					return answer;
				}
			}
			throw new Error('There is no limit.');
		}

		it('is answered 429 with Retry-After beyond the limit, and again once that has passed', async () => {
			const jobId = await newJob();
			const answer = await useUp(() => client.agent('GET', `/jobs/${jobId}`));
			assert.equal(errorOf(answer), '429 rate_limited');
			assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
			assert.deepEqual(Object.keys(answer.body ?? {}), ['error']);
			const header = answer.headers.get('retry-after') ?? '';
			assert.match(header, /^[1-9]\d*$/);
			assert.ok(Number(header) <= PAUSE_SECONDS, header);
			const message = String(member(answer, 'error', 'message'));
			assert.ok(message.includes(`in ${header} s`), message);
			assert.match(message, /growing pauses/);

			await sleep(Number(header) * 1000);
			assert.equal((await client.agent('GET', `/jobs/${jobId}`)).status, 200);
			assert.equal((await client.agent('GET', `/jobs/${jobId}`)).status, 429);
		});

		it('counts both surfaces, the tool and all tokens of a contract together', async () => {
			const jobId = await newJob();
			const other = await client.legacy('POST', '/accessTokens', { name: 'other' });
			const headers = { authorization: `Bearer ${String(member(other, 'token'))}` };
			const byTool = () => client.agent('POST', '/mcp/tools/get_job_status', { jobId });
			const ways = [
				() => client.legacy('GET', `/job/${jobId}`),
				() => client.agent('GET', `/jobs/${jobId}`),
				() => client.agent('GET', `/jobs/${jobId}`, undefined, headers),
				byTool,
			] as const;
			await useUp((poll) => (ways[poll % ways.length] ?? byTool)());
			const tool = await byTool();
			assert.equal(errorOf(tool), '429 rate_limited');
			assert.match(tool.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
			assert.equal(errorOf(await client.legacy('GET', `/job/${jobId}`)), '429 rate_limited');
			const answer = await client.agent('GET', `/jobs/${jobId}`, undefined, headers);
			assert.equal(errorOf(answer), '429 rate_limited');
		});

		it('limits nothing else: other jobs, their data and the list of webhooks go on', async () => {
			const jobId = await newJob();
			const next = await newJob();
			await useUp(() => client.agent('GET', `/jobs/${jobId}`));
			assert.equal((await client.agent('GET', `/jobs/${next}`)).status, 200);
			for (let count = 0; count < POLLS + 5; count++) {
				const data = await client.agent('GET', `/jobs/${jobId}/data`);
				assert.equal(data.status, 409, data.text);
				const webhooks = await client.agent('GET', '/webhooks');
				assert.equal(webhooks.status, 200, webhooks.text);
			}
		});

		it('is used up by nobody but its own contract, and an id of nothing never', async () => {
			const jobId = await newJob();
			const theirs = { authorization: `Bearer ${second.accessToken}` };
			const theirJwt = { authorization: `Bearer ${second.jwt}` };
			for (let poll = 0; poll < POLLS + 5; poll++) {
				for (const [surface, path, headers, error] of [
					['agent', `/jobs/${jobId}`, theirs, '404 not_found'],
					['legacy', `/job/${jobId}`, theirJwt, '404 not_found'],
					['agent', '/jobs/999999', {}, '404 not_found'],
					['agent', `/jobs/${jobId}`, { authorization: 'Bearer x' }, '401 unauthorized'],
				] as const) {
					assert.equal(errorOf(await client[surface]('GET', path, undefined, headers)), error);
				}
			}
			await useUp(() => client.agent('GET', `/jobs/${jobId}`));
			// Not even now does a stranger learn that the job exists.
			const stranger = await client.agent('GET', `/jobs/${jobId}`, undefined, theirs);
			assert.equal(errorOf(stranger), '404 not_found');
		});
	});
}
