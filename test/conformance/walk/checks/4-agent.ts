import { createHmac } from 'node:crypto';
import { at, has, isObject, listIn, named, refused, shown, succeeded, want } from '../expect.ts';
import type { Answer } from '../http.ts';
import { PDF } from '../documents.ts';
import { NotTried } from '../outcome.ts';
import { END_STATUSES, isOfJob } from '../scene.ts';
import type { Job, Scene } from '../scene.ts';
import type { Checks } from './check.ts';
import { lookAtAll } from './2-data.ts';

/** How many transactions the statement of the scene has. */
const printed = async (scene: Scene): Promise<number> =>
	(await scene.statement()).truth.accounts[0]?.transactions.length ?? 0;

/** Looks at all of section 2.8 in an answer that is grouped. */
async function grouped(scene: Scene, answer: Answer, documentId: string | number) {
	const { truth } = await scene.statement();
	return lookAtAll({ where: answer.name, data: answer.json, documentId, truth });
}

/** The rows of a flat view: as many objects as there are transactions. */
async function flat(scene: Scene, answer: Answer): Promise<unknown[]> {
	succeeded(answer);
	const rows = listIn(answer);
	const count = await printed(scene);
	want(rows.every(isObject), `a row of ${answer.name} is no object`);
	want(rows.length === count, `${answer.name} has ${rows.length} rows for ${count} transactions`);
	return rows;
}

/** Section 4.2. */
export const agentJobs: Checks<'4.2'> = {
	'POST /agent/documents/upload-url': async ({ main }) => {
		const answer = await main.agent('POST', '/documents/upload-url', {
			json: { filename: 'a.pdf', mimetype: PDF },
		});
		const seen = succeeded(answer);
		has(answer.json, 'url', 'string');
		has(answer.json, 'document.id', 'IdLike');
		for (const json of [{ mimetype: PDF }, { filename: 'a.pdf' }]) {
			refused(
				await main.agent('POST', '/documents/upload-url', { json }),
				'without one of its fields',
			);
		}
		return `${seen} with url and document.id`;
	},
	'PUT url': async (scene) => {
		const { url, id } = await scene.main.uploadUrl();
		const answer = await scene.main.put(url, (await scene.statement()).pdf);
		want(answer.isOk, `the PUT answered ${answer.status}: ${answer.start}`);
		const jobId = await scene.main.createJob([id]);
		return `${answer.status}, and job ${jobId} takes the document`;
	},
	'PUT Content-Type': async (scene) => {
		const { url } = await scene.main.uploadUrl();
		const { pdf } = await scene.statement();
		const other = await scene.main.put(url, pdf, 'image/png');
		refused(other, 'with another Content-Type');
		const right = await scene.main.put(url, pdf, PDF);
		return `${other.status} with another type, ${succeeded(right)} with the one that was announced`;
	},
	'POST /agent/jobs': async (scene) => {
		const json = { documents: [await scene.spare()], jobType: 'ExtractData' };
		const answer = await scene.main.agent('POST', '/jobs', { json });
		const seen = succeeded(answer);
		return `${seen}, ${has(answer.json, 'jobId', 'IdLike')}`;
	},
	'GET /agent/jobs/{id}': async (scene) => {
		const answer = await scene.main.agent('GET', `/jobs/${(await scene.bankJob()).jobId}`);
		return `${succeeded(answer)}, ${has(answer.json, 'status', 'string')}`;
	},
	'GET /agent/jobs/{id}/data': async (scene) => {
		const { jobId, documentId } = await scene.bankJob();
		const answer = await scene.main.agent('GET', `/jobs/${jobId}/data`);
		return `${succeeded(answer)}, ${await grouped(scene, answer, documentId)}`;
	},
	'GET /agent/jobs/{id}/data of an invoice': async (scene) => {
		const { jobId, documentId } = await scene.invoiceJob();
		const answer = await scene.main.agent('GET', `/jobs/${jobId}/data`);
		succeeded(answer);
		return has(answer.json, String(documentId), 'object');
	},
	'GET /agent/jobs/{id}/transactions': async (scene) => {
		const { jobId } = await scene.bankJob();
		const answer = await scene.main.agent('GET', `/jobs/${jobId}/transactions`);
		return `${(await flat(scene, answer)).length} rows`;
	},
	includeRaw: async (scene) => {
		const { jobId } = await scene.bankJob();
		const raw = await scene.main.agent('GET', `/jobs/${jobId}/transactions?includeRaw=true`);
		succeeded(raw);
		const count = await printed(scene);
		const { length } = listIn(raw);
		want(length > count, `includeRaw=true gave ${length} rows, there are ${count} transactions`);
		const without = await scene.main.agent('GET', `/jobs/${jobId}/transactions?includeRaw=false`);
		return `${length} with true, ${(await flat(scene, without)).length} with false`;
	},
	'canonical flow': async (scene) => {
		const { main, receiver, stage } = scene;
		const webhook = await scene.webhook(['document.extraction.completed']);
		const { url, id } = await main.uploadUrl();
		succeeded(await main.put(url, (await scene.statement()).pdf));
		const jobId = await main.createJob([id]);
		const delivery = await receiver.wait(webhook.path, stage.deliveryMs, isOfJob(jobId));
		want(delivery !== undefined, `no delivery reported the end of job ${jobId}`);
		const digest = createHmac('sha256', webhook.secret).update(delivery.body).digest('hex');
		want(
			delivery.headers['x-service-signature'] === digest,
			'the signature of the delivery is not that of its bytes',
		);
		const data = await main.agent('GET', `/jobs/${jobId}/data`);
		succeeded(data);
		return `delivered, signed and fetched: ${await grouped(scene, data, id)}`;
	},
	polling: async (scene) => {
		const { ended } = await scene.bankJob();
		want(END_STATUSES.includes(String(ended.member('status'))), 'the job did not end');
		return `polled until ${shown(ended.member('status'))}`;
	},
};

/** A document of the folder, told by its file name. */
function documentNamed(answer: Answer, filename: string): unknown {
	return listIn(answer).find((document) => JSON.stringify(document).includes(filename));
}

const idOf = (record: unknown): unknown => at(record, 'id') ?? named(record, /document_?id$/i);

/** Section 4.3. */
export const agentDocuments: Checks<'4.3'> = {
	'GET /agent/projects': async (scene) => {
		const { projects, project } = await scene.project();
		const parent = named(project, /parent|folder/i);
		want(
			isObject(project) && Object.keys(project).some((name) => /parent|folder/i.test(name)),
			`the project names no parent folder: ${shown(project)}`,
		);
		if (scene.stage.intoFolder !== undefined) {
			want(
				JSON.stringify(parent ?? null).includes('Accounts'),
				`the parent folder is ${shown(parent)}, not Accounts`,
			);
		}
		return `${listIn(projects).length} projects, parent folder ${shown(parent)}`;
	},
	'GET /agent/projects/{projectId}/documents': async (scene) => {
		const { id, documents, older, newer } = await scene.project();
		const all = listIn(documents);
		const path = `/projects/${id}/documents`;
		if (all.length < 2) throw new NotTried('needs a project with two documents');
		const ask = async (query: string): Promise<unknown[]> => {
			const answer = await scene.main.agent('GET', `${path}?${query}`);
			succeeded(answer);
			return listIn(answer);
		};
		const [first] = await ask('limit=1');
		const [second] = await ask('limit=1&offset=1');
		want((await ask('limit=1')).length === 1, 'limit=1 gave more than one document');
		want(
			String(idOf(first)) === String(idOf(all[0])) && String(idOf(second)) === String(idOf(all[1])),
			`offset does not go through the list: ${shown([first, second].map(idOf))}`,
		);
		if (scene.stage.intoFolder === undefined) {
			throw new NotTried('limit and offset hold; "newest first" needs a connected folder');
		}
		const order = [newer, older].map((name) => all.indexOf(documentNamed(documents, name)));
		want(
			order[0] !== -1 && order[0] === (order[1] ?? 0) - 1,
			`the newer document is at place ${order[0]} and the older at ${order[1]}`,
		);
		return 'limit and offset hold, the newest is first';
	},
	'GET /agent/documents/{documentId}': async (scene) => {
		const { documents, project } = await scene.project();
		const [listed] = listIn(documents);
		const answer = await scene.main.agent('GET', `/documents/${String(idOf(listed))}`);
		const seen = succeeded(answer);
		want(isObject(answer.json), 'the document is no object');
		const own = named(answer.json, /project/i);
		want(own !== undefined && own !== null, 'the document does not say its project');
		// The record of a project inside a document is not shown: its id, or its name.
		const [ownId, ownName] = isObject(own) ? [at(own, 'id'), at(own, 'name')] : [own, own];
		want(
			String(ownId) === String(at(project, 'id')) || ownName === at(project, 'name'),
			`the document's project is ${shown(own)}, it was listed in ${shown(project)}`,
		);
		return `${seen}, project ${shown(own)}`;
	},
	'GET /agent/documents/{documentId}/transactions': async (scene) => {
		const { documentId } = await scene.bankJob();
		const path = `/documents/${documentId}/transactions`;
		const json = await scene.main.agent('GET', path);
		const { length } = await flat(scene, json);
		const csv = await scene.main.agent('GET', `${path}?format=csv`);
		succeeded(csv);
		const type = csv.headers.get('content-type') ?? '';
		want(type.includes('csv'), `with format=csv the Content-Type is ${shown(type)}`);
		want(csv.json === undefined, 'with format=csv the body is JSON');
		const lines = csv.text.split('\n').filter((line) => line.trim() !== '');
		want(lines.length >= length, `the CSV has ${lines.length} lines for ${length} transactions`);
		return `${length} rows as JSON, ${lines.length} lines as ${type}`;
	},
	'GET /agent/documents/{documentId}/data': async (scene) => {
		const { documentId } = await scene.bankJob();
		const answer = await scene.main.agent('GET', `/documents/${documentId}/data`);
		return `${succeeded(answer)}, ${await grouped(scene, answer, documentId)}`;
	},
	'data of an invoice': async (scene) => ofDocument(scene, await scene.invoiceJob()),
	'data of a tax form': async (scene) => ofDocument(scene, await scene.formJob()),
	'rows per document': async (scene) => {
		const { documents } = await scene.project();
		const [document] = listIn(documents);
		// It has no job that a client could ask for.
		const answer = await scene.main.agent(
			'GET',
			`/documents/${String(idOf(document))}/transactions`,
		);
		succeeded(answer);
		const count = at(document, 'transactionCount');
		want(
			typeof count !== 'number' || listIn(answer).length === count,
			`${listIn(answer).length} rows, but transactionCount is ${shown(count)}`,
		);
		return `${listIn(answer).length} rows of a document without a job`;
	},
};

async function ofDocument(scene: Scene, { documentId }: Job): Promise<string> {
	const answer = await scene.main.agent('GET', `/documents/${documentId}/data`);
	succeeded(answer);
	want(isObject(answer.json) || Array.isArray(answer.json), 'the data are no JSON');
	return `${answer.status}`;
}
