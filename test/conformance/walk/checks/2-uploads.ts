import { has, isError, mayHave, shown, status, want } from '../expect.ts';
import type { Answer } from '../http.ts';
import { PDF } from '../documents.ts';
import type { Scene } from '../scene.ts';
import { NO_CLAIM } from './check.ts';
import type { Checks } from './check.ts';

const FILENAME = 'conformance walk.pdf';
const SECONDS = 1800;

/** The answer of the multipart upload with metadata=1. */
const uploaded = (scene: Scene): Promise<Answer> =>
	scene.once('answer of the form upload', async () => {
		const { pdf } = await scene.statement();
		const answer = await scene.main.uploadForm(pdf, '?metadata=1', FILENAME);
		status(answer, 200, 201);
		return answer;
	});

/** The answer of the presigned upload of the legacy surface. */
const presigned = (scene: Scene): Promise<Answer> =>
	scene.once('answer of uploads3', async () => {
		const answer = await scene.main.legacy('POST', `/document/uploads3?expiresIn=${SECONDS}`, {
			json: { filename: FILENAME, mimetype: PDF },
		});
		status(answer, 200);
		return answer;
	});

/** The answer of the presigned download. */
const download = (scene: Scene): Promise<Answer> =>
	scene.once('answer of downloads3', async () => {
		const { documentId } = await scene.legacyJob();
		const path = `/document/${documentId}/downloads3?expiresIn=${SECONDS}`;
		const answer = await scene.main.legacy('GET', path);
		status(answer, 200);
		return answer;
	});

/** Section 2.1. */
export const documentRecord: Checks<'2.1'> = {
	document: async (scene) => has((await uploaded(scene)).json, 'document', 'object'),
	'document.id': async (scene) => has((await uploaded(scene)).json, 'document.id', 'IdLike'),
	'document.originalname': async (scene) => {
		const answer = await uploaded(scene);
		const seen = mayHave(answer.json, 'document.originalname', 'string');
		const name = answer.member('document', 'originalname');
		want(name === undefined || name === FILENAME, `${seen}, but ${FILENAME} was sent`);
		return seen;
	},
	'document.mimetype': async (scene) => {
		const answer = await uploaded(scene);
		const seen = mayHave(answer.json, 'document.mimetype', 'string');
		const type = answer.member('document', 'mimetype');
		want(type === undefined || type === PDF, `${seen}, but ${PDF} was sent`);
		return seen;
	},
	pdfInfo: async (scene) => mayHave((await uploaded(scene)).json, 'pdfInfo', 'object'),
	'pdfInfo.pageCount': async (scene) => {
		const answer = await uploaded(scene);
		if (answer.member('pdfInfo') === undefined) return 'pdfInfo is left out, as it may be';
		const seen = has(answer.json, 'pdfInfo.pageCount', 'integer');
		const { truth } = await scene.statement();
		want(
			answer.member('pdfInfo', 'pageCount') === truth.pageCount,
			`${seen}, but the file has ${truth.pageCount}`,
		);
		return seen;
	},
	metadata: async (scene) => has((await uploaded(scene)).json, 'metadata', 'array of objects'),
};

/** Section 2.2. */
export const presignedUpload: Checks<'2.2'> = {
	url: async (scene) => {
		const answer = await presigned(scene);
		has(answer.json, 'url', 'string');
		const { pdf } = await scene.statement();
		const put = await scene.main.put(String(answer.member('url')), pdf);
		want(put.isOk, `a PUT to the url answered ${put.status}: ${put.start}`);
		return `PUT to the url answered ${put.status}`;
	},
	expiresIn: async (scene) => {
		const answer = await presigned(scene);
		const seen = has(answer.json, 'expiresIn', 'integer');
		want(answer.member('expiresIn') === SECONDS, `${seen}, but ${SECONDS} was asked for`);
		return seen;
	},
	'document.id': async (scene) => has((await presigned(scene)).json, 'document.id', 'IdLike'),
	'document.s3Key': async (scene) => has((await presigned(scene)).json, 'document.s3Key', 'string'),
	'document.s3Path': async (scene) =>
		has((await presigned(scene)).json, 'document.s3Path', 'string'),
	'upload-url': async ({ main }) => {
		const answer = await main.agent('POST', '/documents/upload-url', {
			json: { filename: FILENAME, mimetype: PDF },
		});
		want(answer.isOk, `upload-url answered ${answer.status}: ${answer.start}`);
		has(answer.json, 'url', 'string');
		has(answer.json, 'document.id', 'IdLike');
		return `${answer.status} with url and document.id`;
	},
};

/** Section 2.3. */
export const presignedDownload: Checks<'2.3'> = {
	url: async (scene) => {
		const answer = await download(scene);
		has(answer.json, 'url', 'string');
		const { pdf } = await scene.statement();
		const file = await scene.main.plain('GET', String(answer.member('url')));
		want(file.isOk, `a GET of the url answered ${file.status}: ${file.start}`);
		want(
			Buffer.from(pdf).equals(Buffer.from(file.bytes)),
			`the url gave ${file.bytes.length} bytes that are not the ${pdf.length} of the upload`,
		);
		return `GET of the url gave the ${file.bytes.length} bytes of the upload`;
	},
	expiresIn: async (scene) => {
		const answer = await download(scene);
		const seen = has(answer.json, 'expiresIn', 'integer');
		want(answer.member('expiresIn') === SECONDS, `${seen}, but ${SECONDS} was asked for`);
		return seen;
	},
	'document.id': async (scene) => {
		const answer = await download(scene);
		const { documentId } = await scene.legacyJob();
		const seen = has(answer.json, 'document.id', 'IdLike');
		const id = answer.member('document', 'id');
		want(String(id) === String(documentId), `${seen}, but ${shown(documentId)} was asked for`);
		return seen;
	},
	'document.originalname': async (scene) =>
		mayHave((await download(scene)).json, 'document.originalname', 'string'),
	'document.mimetype': async (scene) =>
		mayHave((await download(scene)).json, 'document.mimetype', 'string'),
};

/** Section 2.4: the record of a job, on both surfaces. */
export const jobRecord: Checks<'2.4'> = {
	id: async (scene) => {
		const { jobId } = await scene.legacyJob();
		const answer = await scene.main.legacy('GET', `/job/${jobId}`);
		status(answer, 200);
		const seen = has(answer.json, 'id', 'IdLike');
		want(String(answer.member('id')) === String(jobId), `${seen}, but ${jobId} was asked for`);
		return `${seen}; jobId ${shown((await scene.bankJob()).jobId)} on the agent surface`;
	},
	status: async (scene) => {
		const legacy = await scene.main.legacy('GET', `/job/${(await scene.legacyJob()).jobId}`);
		const agent = await scene.main.agent('GET', `/jobs/${(await scene.bankJob()).jobId}`);
		has(agent.json, 'status', 'string', 'the job of the agent surface');
		return has(legacy.json, 'status', 'string', 'the job of the legacy surface');
	},
	'other fields': NO_CLAIM,
};

/** Section 2.5: what a legacy job may be asked. */
export const legacyJobRequest: Checks<'2.5'> = {
	jobName: async (scene) => {
		const documentId = await scene.spare();
		const without = { documents: [documentId] };
		const refused = await scene.main.legacy('POST', '/job', { json: without });
		const seen = isError(refused, 400, 'without jobName');
		for (const jobName of ['', 'Walk']) {
			const taken = await scene.main.legacy('POST', '/job', { json: { ...without, jobName } });
			status(taken, 200, 201);
		}
		return `${seen}; taken with "" and with a name`;
	},
	documents: async (scene) => {
		const documentId = await scene.spare();
		const without = await scene.main.legacy('POST', '/job', { json: { jobName: '' } });
		const seen = isError(without, 400, 'without documents');
		for (const id of [String(documentId), asNumber(documentId)]) {
			const json = { jobName: '', documents: [id] };
			status(await scene.main.legacy('POST', '/job', { json }), 200, 201);
		}
		return `${seen}; ids are taken as integers and as strings`;
	},
	enableBankMode: async (scene) => {
		const { documentId } = await scene.legacyJob();
		// The legacy job of the scene was made without it.
		const jobId = await scene.main.createLegacyJob([documentId], { enableBankMode: true });
		const ended = await scene.main.ended(jobId, 'legacy');
		want(
			ended.member('status') === 'Succeeded',
			`with true the job ended as ${shown(ended.member('status'))}`,
		);
		return 'bank mode without it and with true';
	},
	jobType: async (scene) => {
		const documentId = await scene.spare();
		const job = (jobType: string) =>
			scene.main.legacy('POST', '/job', {
				json: { jobName: '', documents: [documentId], jobType },
			});
		for (const jobType of ['Invoice', 'Form']) status(await job(jobType), 200, 201);
		const other = isError(await job('NoSuchKind'), 400, 'with another jobType');
		return `Invoice and Form are taken; ${other}`;
	},
	templateId: async (scene) => {
		const documentId = await scene.spare();
		const json = { jobName: '', documents: [documentId], templateId: null };
		const answer = await scene.main.legacy('POST', '/job', { json });
		return `${status(answer, 200, 201)} with null`;
	},
};

/** Section 2.6: what an agent job may be asked. */
export const agentJobRequest: Checks<'2.6'> = {
	documents: async (scene) => {
		const answer = await scene.main.agent('POST', '/jobs', { json: {} });
		want(
			answer.status >= 400 && answer.status < 500,
			`a job without documents was answered ${answer.status}`,
		);
		return `${answer.status} without documents`;
	},
	jobType: async (scene) => {
		const documentId = await scene.spare();
		for (const jobType of ['ExtractData', 'Invoice', 'Form']) {
			await scene.main.createJob([documentId], { jobType });
		}
		const json = { documents: [documentId], jobType: 'NoSuchKind' };
		const other = await scene.main.agent('POST', '/jobs', { json });
		want(
			other.status >= 400 && other.status < 500,
			`an unknown jobType was answered ${other.status}`,
		);
		return `ExtractData, Invoice and Form are taken, another one is ${other.status}`;
	},
	subType: async (scene) => {
		const job = await scene.checkJob();
		return `checkImages is taken, the job ended as ${shown(job.ended.member('status'))}`;
	},
	jobId: async (scene) => `jobId is ${shown((await scene.bankJob()).jobId)}`,
};

/** Ids may be numeric or stringified; one that is no number stays as it is. */
function asNumber(id: string | number): string | number {
	return /^\d{1,15}$/.test(String(id)) ? Number(id) : id;
}
