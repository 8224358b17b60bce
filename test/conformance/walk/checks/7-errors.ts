import { isError, isObject, shown, want } from '../expect.ts';
import { PDF } from '../documents.ts';
import { NO_SUCH_ID } from '../scene.ts';
import { everyEndpointRefuses } from './5-authentication.ts';
import { failed } from './6-events.ts';
import { NO_CLAIM } from './check.ts';
import type { Checks } from './check.ts';

/** Section 7. */
export const errors: Checks<'7'> = {
	'400': async (scene) => {
		const { main } = scene;
		const form = new FormData();
		form.append('other', 'no document');
		const { jobId } = await scene.bankJob();
		const bad = [
			await main.legacy('POST', '/document', { form }),
			await main.legacy('POST', '/document/uploads3', { json: { mimetype: PDF } }),
			await main.legacy('POST', '/job', { json: { jobName: '' } }),
			await main.legacy('POST', `/job/${jobId}/export`, { json: {} }),
		];
		for (const answer of bad) isError(answer, 400, 'for a bad request');
		return 'upload, presigned upload, job creation and export';
	},
	'401': async ({ main }) => everyEndpointRefuses(main),
	'404': async ({ main }) => {
		const json = { jobType: 'FieldsToExcel1', flattenTables: false };
		const missing = [
			await main.legacy('GET', `/job/${NO_SUCH_ID}`),
			await main.legacy('POST', `/job/${NO_SUCH_ID}/export`, { json }),
			await main.legacy('GET', `/document/${NO_SUCH_ID}/downloads3`),
			await main.legacy('POST', `/document/${NO_SUCH_ID}/uploads3/complete`),
			await main.legacy('GET', `/document/${NO_SUCH_ID}/fraudSignals`),
			await main.legacy('GET', `/document/${NO_SUCH_ID}/fraudScore`),
		];
		for (const answer of missing) isError(answer, 404, 'for what does not exist');
		return 'job, export, download, complete, fraudSignals and fraudScore';
	},
	'rule 1': async ({ main }) => {
		const errors = [
			await main.agent('GET', `/jobs/${NO_SUCH_ID}`),
			await main.agent('GET', `/documents/${NO_SUCH_ID}`),
			await main.agent('GET', `/projects/${NO_SUCH_ID}/documents`),
			await main.agent('GET', `/webhooks/${NO_SUCH_ID}`),
			await main.agent('POST', '/jobs', { json: { documents: 'none' } }),
			await main.agent('POST', '/documents/upload-url', { json: {} }),
			await main.agent('GET', '/webhooks', { credential: null }),
			await main.legacy('GET', `/job/${NO_SUCH_ID}`),
			await main.legacy('POST', '/job', { json: {} }),
		];
		for (const answer of errors) {
			want(!answer.isOk, `${answer.name} answered ${answer.status}`);
			want(
				isObject(answer.json),
				`the ${answer.status} of ${answer.name} is ${shown(answer.text)}, no JSON object`,
			);
		}
		return `${errors.length} errors are JSON objects`;
	},
	'rule 2': NO_CLAIM,
	'rule 3': NO_CLAIM,
	'rule 4': async (scene) => {
		const { ended } = await scene.failedJob();
		return `the job is ${shown(ended.member('status'))}; ${await failed(scene)}`;
	},
};
