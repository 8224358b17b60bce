import { setTimeout as pause } from 'node:timers/promises';
import { has, isError, isObject, listIn, shown, status, succeeded, want } from '../expect.ts';
import type { Answer } from '../http.ts';
import { PDF } from '../documents.ts';
import { NotTried, Unmet } from '../outcome.ts';
import { fraudSignals } from './2-records.ts';
import { dead, silent } from './3-states.ts';
import { jobIn, rowsOf, runTool, TOOL_ROWS, uploadIn } from './4-tools.ts';
import type { Checks } from './check.ts';

const DEFAULT_SECONDS = 3600;
/** So many requests without a pause are tight polling by any measure. */
const TIGHT_POLLS = 600;
const TIGHT_POLLING_MS = 60_000;

/**
 * A page above its limit: refused, or no longer than the limit. Where there are not so many entries
 * a longer page cannot be told from one that was cut.
 */
function keepsLimit(answer: Answer, entries: () => unknown[], limit: number): string {
	if (answer.status >= 400 && answer.status < 500) return `${answer.status} above ${limit}`;
	succeeded(answer);
	const { length } = entries();
	want(length <= limit, `above its limit of ${limit} the page has ${length} entries`);
	const echoed = answer.member('limit');
	want(
		typeof echoed !== 'number' || echoed <= limit,
		`a limit above ${limit} was taken: the answer says ${shown(echoed)}`,
	);
	if (length < limit) {
		throw new NotTried(`${answer.status} above ${limit}, but there are ${length} entries only`);
	}
	return `cut to ${length} entries`;
}

/** Section 8. */
export const limits: Checks<'8'> = {
	'expiresIn default': async (scene) => {
		const json = { filename: 'a.pdf', mimetype: PDF };
		const upload = await scene.main.legacy('POST', '/document/uploads3', { json });
		const { documentId } = await scene.bankJob();
		const download = await scene.main.legacy('GET', `/document/${documentId}/downloads3`);
		for (const answer of [upload, download]) {
			status(answer, 200);
			const seen = has(answer.json, 'expiresIn', 'integer');
			want(answer.member('expiresIn') === DEFAULT_SECONDS, `${seen} in ${answer.name}`);
		}
		return `${DEFAULT_SECONDS} for uploads and downloads`;
	},
	'expiresIn minimum': async (scene) => {
		const { main } = scene;
		const json = { filename: 'a.pdf', mimetype: PDF };
		const { documentId } = await scene.bankJob();
		const download = `/document/${documentId}/downloads3`;
		const zero = await main.legacy('POST', '/document/uploads3?expiresIn=0', { json });
		isError(zero, 400, 'with expiresIn=0');
		const none = await main.legacy('GET', `${download}?expiresIn=0`);
		want(none.status >= 400 && none.status < 500, `expiresIn=0 was answered ${none.status}`);
		const upload = await main.legacy('POST', '/document/uploads3?expiresIn=1', { json });
		const reading = await main.legacy('GET', `${download}?expiresIn=1`);
		for (const answer of [upload, reading]) {
			status(answer, 200);
			want(answer.member('expiresIn') === 1, 'expiresIn=1 is not taken');
		}
		await pause(2500);
		const late = await main.put(String(upload.member('url')), (await scene.statement()).pdf);
		want(!late.isOk, `an upload address of one second was taken after 2.5 s: ${late.status}`);
		const lateReading = await main.plain('GET', String(reading.member('url')));
		want(!lateReading.isOk, `a download address of one second gave ${lateReading.status} late`);
		return `0 is refused, 1 is over after 2.5 s (${late.status}, ${lateReading.status})`;
	},
	'fraud signals limit': async (scene) => {
		const { length } = await fraudSignals(scene);
		const { documentId } = await scene.fraudJob();
		const ask = async (limit: number): Promise<Answer> =>
			await scene.main.legacy('GET', `/document/${documentId}/fraudSignals?limit=${limit}`);
		const one = await ask(1);
		status(one, 200);
		want(listIn(one).length === 1, `limit=1 gave ${listIn(one).length} signals`);
		const hundred = await ask(100);
		status(hundred, 200);
		want(listIn(hundred).length === length, `limit=100 gave ${listIn(hundred).length}`);
		const zero = await ask(0);
		want(
			(zero.status >= 400 && zero.status < 500) || (zero.isOk && listIn(zero).length >= 1),
			`limit=0 was answered ${zero.status} with no signals, but 1 is the least`,
		);
		const above = await ask(101);
		return `1 and 100 are taken, ${keepsLimit(above, () => listIn(above), 100)}`;
	},
	'fraud signals offset': async (scene) => {
		const signals = await fraudSignals(scene);
		const { documentId } = await scene.fraudJob();
		const ask = async (offset: number): Promise<Answer> =>
			await scene.main.legacy('GET', `/document/${documentId}/fraudSignals?offset=${offset}`);
		const start = await ask(0);
		status(start, 200);
		want(
			JSON.stringify(listIn(start)) === JSON.stringify(signals),
			'offset=0 gave other signals than no offset',
		);
		const second = await ask(1);
		status(second, 200);
		want(
			JSON.stringify(listIn(second)) === JSON.stringify(signals.slice(1)),
			'offset=1 did not leave out the first signal alone',
		);
		const negative = await ask(-1);
		want(
			(negative.status >= 400 && negative.status < 500) ||
				(negative.isOk && JSON.stringify(listIn(negative)) === JSON.stringify(signals)),
			`offset=-1 was answered ${negative.status}, but 0 is the least`,
		);
		return `0 is the default, 1 leaves out the first, ${negative.status} for -1`;
	},
	'project documents limit': async (scene) => {
		const { id } = await scene.project();
		const most = await scene.main.agent('GET', `/projects/${id}/documents?limit=200`);
		succeeded(most);
		const above = await scene.main.agent('GET', `/projects/${id}/documents?limit=201`);
		return `200 is taken, ${keepsLimit(above, () => listIn(above), 200)}`;
	},
	'webhook delivery timeout': async (scene) => silent(scene),
	'webhook delivery attempts': async (scene) => dead(scene),
	'download_transactions rows': async (scene) => {
		const { jobId } = await scene.longJob();
		const all = await scene.main.agent('GET', `/jobs/${jobId}/transactions`);
		succeeded(all);
		const { length } = listIn(all);
		if (length <= TOOL_ROWS) {
			throw new NotTried(`the long statement has ${length} rows, which is no more than the limit`);
		}
		const answer = await runTool(scene, 'download_transactions', { jobId });
		succeeded(answer);
		const rows = rowsOf(answer);
		want(rows !== null, 'the tool gave no rows');
		want(rows.length <= TOOL_ROWS, `of ${length} rows the tool gave ${rows.length}`);
		want(rows.length > 0, `of ${length} rows the tool gave none`);
		return `${rows.length} of ${length}`;
	},
	'polling interval': async (scene) => {
		const documentId = await scene.spare();
		const jobId = await scene.main.createJob([documentId]);
		const until = Date.now() + TIGHT_POLLING_MS;
		for (let count = 1; count <= TIGHT_POLLS && Date.now() < until; count++) {
			const answer = await scene.main.agent('GET', `/jobs/${jobId}`);
			if (answer.isOk) continue;
			// Which status it is, is not shown.
			want(
				answer.status === 503 || (answer.status >= 400 && answer.status < 500),
				`tight polling was answered ${answer.status} at last`,
			);
			want(isObject(answer.json), `its ${answer.status} is no JSON object`);
			return `${answer.status} after ${count} requests without a pause`;
		}
		throw new Unmet(`${TIGHT_POLLS} requests without a pause were all answered`);
	},
	'file size advice': async (scene) => {
		const given = await runTool(scene, 'upload_url', { filename: 'large.pdf', mimetype: PDF });
		succeeded(given);
		const { url, id } = uploadIn(given);
		succeeded(await scene.main.put(url, (await scene.statement()).pdf));
		const jobId = jobIn(await runTool(scene, 'convert_document', { documentIds: [id] }));
		await scene.main.ended(jobId);
		succeeded(await runTool(scene, 'get_job_status', { jobId }));
		const rows = rowsOf(await runTool(scene, 'download_transactions', { jobId }));
		const expected = (await scene.statement()).truth.accounts[0]?.transactions.length;
		want(rows?.length === expected, `the tool gave ${rows?.length} rows, not ${expected}`);
		return `${rows?.length} rows by the five steps`;
	},
};
