import { at, has, isObject, shown, status, succeeded, want } from '../expect.ts';
import type { Job, Scene } from '../scene.ts';
import { END_STATUSES } from '../scene.ts';
import type { Checks } from './check.ts';

/** Section 1: the surfaces, and that every kind of job is taken. */
export const service: Checks<'1'> = {
	'Agent surface': async ({ main }) => {
		const withToken = succeeded(await main.agent('GET', '/webhooks/events'));
		const without = await main.agent('GET', '/webhooks/events', { credential: null });
		return `${withToken} with the access token, ${status(without, 401)} without`;
	},

	'Legacy surface': async (scene) => {
		const { jobId } = await scene.bankJob();
		const withJwt = status(await scene.main.legacy('GET', `/job/${jobId}`), 200);
		const without = await scene.main.legacy('GET', `/job/${jobId}`, { credential: null });
		return `${withJwt} with the JWT, ${status(without, 401)} without`;
	},

	'Bank statements': async (scene) => {
		const job = await scene.bankJob();
		const data = await scene.grouped(job);
		const document = data.member(String(job.documentId));
		want(isObject(document), `the data of a job without jobType is ${shown(data.json)}`);
		const accounts = Object.values(document).filter((value) => isObject(at(value, 'bankMode')));
		want(accounts.length > 0, 'no account of the data has bankMode');
		return 'a job without jobType gave bankMode data';
	},

	'Check images': async (scene) => taken(await scene.checkJob()),
	Invoices: async (scene) => taken(await scene.invoiceJob()),
	'Tax forms': async (scene) => taken(await scene.formJob()),

	'base address': async ({ main }: Scene) => {
		want(/\/api\/v1\/?$/.test(main.access.baseUrl), 'the base address does not end with /api/v1');
		return succeeded(await main.agent('GET', '/webhooks'));
	},
};

/** The kind is taken, and its job comes to an end that a client can see. */
function taken(job: Job): string {
	const seen = has(job.ended.json, 'status', 'string', 'the job');
	want(END_STATUSES.includes(String(job.ended.member('status'))), seen);
	return `taken, ${seen}`;
}
