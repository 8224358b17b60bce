import { at, has, isError, isObject, shown, status, want } from '../expect.ts';
import { PDF } from '../documents.ts';
import { NO_SUCH_ID, WRONG_TOKEN } from '../scene.ts';
import type { Contract, Scene } from '../scene.ts';
import { fraudSignals } from './2-records.ts';
import type { Checks } from './check.ts';

/** 401 without a credential and with a wrong one. */
async function unauthorized(main: Contract, method: string, path: string): Promise<string> {
	for (const [credential, why] of [
		[null, 'without a credential'],
		[WRONG_TOKEN, 'with a wrong credential'],
	] as const) {
		isError(await main.legacy(method, path, { credential }), 401, why);
	}
	return '401 without and with a wrong credential';
}

/** 404 for a document or a job that is not there. */
async function notFound(main: Contract, method: string, path: string, json?: unknown) {
	const answer = await main.legacy(method, path, json === undefined ? {} : { json });
	return isError(answer, 404, 'for what does not exist');
}

const bankExport = { jobType: 'FieldsToExcel1', flattenTables: false };

/** Section 4.1. */
export const legacySurface: Checks<'4.1'> = {
	'POST /protected/document': async (scene) => {
		const { main } = scene;
		const { pdf } = await scene.statement();
		const seen = new Set<string>();
		for (const query of ['', '?metadata=0', '?metadata=1', '?asyncProcessing=true']) {
			const answer = await main.uploadForm(pdf, query);
			seen.add(status(answer, 200, 201));
			has(answer.json, 'document.id', 'IdLike');
			if (query === '?metadata=1') has(answer.json, 'metadata', 'array of objects');
		}
		const form = new FormData();
		form.append('other', 'no document');
		const bad = isError(
			await main.legacy('POST', '/document', { form }),
			400,
			'without a part named document',
		);
		const refused = new FormData();
		refused.append('document', new Blob([new Uint8Array(pdf)], { type: PDF }), 'a.pdf');
		for (const credential of [null, WRONG_TOKEN]) {
			const answer = await main.legacy('POST', '/document', { form: refused, credential });
			isError(answer, 401, 'without a right credential');
		}
		return `${[...seen].join()}; ${bad}; 401 without and with a wrong credential`;
	},

	'POST /protected/document/uploads3': async ({ main }) => {
		const path = '/document/uploads3';
		const json = { filename: 'a.pdf', mimetype: PDF };
		const plain = await main.legacy('POST', path, { json });
		status(plain, 200);
		for (const member of ['url', 'document.s3Key', 'document.s3Path']) {
			has(plain.json, member, 'string');
		}
		has(plain.json, 'expiresIn', 'integer');
		has(plain.json, 'document.id', 'IdLike');
		const nulls = { ...json, customerId: null, password: null, s3ETag: null };
		status(await main.legacy('POST', path, { json: nulls }), 200);
		const named = { ...json, customerId: 'customer 7', password: 'open sesame' };
		status(await main.legacy('POST', `${path}?expiresIn=1`, { json: named }), 200);
		for (const missing of ['filename', 'mimetype']) {
			const rest = Object.fromEntries(Object.entries(json).filter(([name]) => name !== missing));
			isError(await main.legacy('POST', path, { json: rest }), 400, `without ${missing}`);
		}
		const zero = await main.legacy('POST', `${path}?expiresIn=0`, { json });
		isError(zero, 400, 'with expiresIn=0');
		const refused = await unauthorized(main, 'POST', path);
		return `200 with and without the optional fields; 400 without the others; ${refused}`;
	},

	'POST /protected/document/{documentId}/uploads3/complete': async (scene) => {
		const { main } = scene;
		const { documentId } = await scene.bankJob();
		const path = `/document/${documentId}/uploads3/complete`;
		const answer = await main.legacy('POST', path);
		status(answer, 200);
		want(
			isObject(answer.json) && Object.keys(answer.json).length === 0,
			`the answer is ${shown(answer.json)}, not an empty object`,
		);
		const refused = await unauthorized(main, 'POST', path);
		const missing = await notFound(main, 'POST', `/document/${NO_SUCH_ID}/uploads3/complete`);
		return `200 {}; ${missing}; ${refused}`;
	},

	'GET /protected/document/{documentId}/downloads3': async (scene) => {
		const { main } = scene;
		const { documentId } = await scene.bankJob();
		const path = `/document/${documentId}/downloads3`;
		const answer = await main.legacy('GET', path);
		status(answer, 200);
		has(answer.json, 'url', 'string');
		has(answer.json, 'expiresIn', 'integer');
		has(answer.json, 'document.id', 'IdLike');
		const refused = await unauthorized(main, 'GET', path);
		const missing = await notFound(main, 'GET', `/document/${NO_SUCH_ID}/downloads3`);
		return `200; ${missing}; ${refused}`;
	},

	'POST /protected/job': async (scene) => {
		const { main } = scene;
		const documentId = await scene.spare();
		const json = { jobName: 'Walk', documents: [documentId], enableBankMode: true };
		const answer = await main.legacy('POST', '/job', { json });
		const seen = status(answer, 200, 201);
		has(answer.json, 'id', 'IdLike');
		has(answer.json, 'status', 'string');
		const bad = isError(await main.legacy('POST', '/job', { json: {} }), 400, 'without fields');
		return `${seen}; ${bad}; ${await unauthorized(main, 'POST', '/job')}`;
	},

	'GET /protected/job/{id}': async (scene) => {
		const { main } = scene;
		const { jobId } = await scene.legacyJob();
		const answer = await main.legacy('GET', `/job/${jobId}`);
		status(answer, 200);
		has(answer.json, 'id', 'IdLike');
		has(answer.json, 'status', 'string');
		const refused = await unauthorized(main, 'GET', `/job/${jobId}`);
		return `200; ${await notFound(main, 'GET', `/job/${NO_SUCH_ID}`)}; ${refused}`;
	},

	'POST /protected/job/{id}/export': async (scene) => {
		const { main } = scene;
		const { jobId, documentId } = await scene.legacyJob();
		const path = `/job/${jobId}/export`;
		const answer = await main.legacy('POST', path, { json: bankExport });
		status(answer, 200);
		const document = answer.member(String(documentId));
		want(
			isObject(document) && Object.values(document).some((value) => at(value, 'bankMode')),
			'the export has no account with bankMode below the document',
		);
		const bad = isError(await main.legacy('POST', path, { json: {} }), 400, 'without fields');
		const refused = await unauthorized(main, 'POST', path);
		const missing = await notFound(main, 'POST', `/job/${NO_SUCH_ID}/export`, bankExport);
		return `200 with bankMode; ${bad}; ${missing}; ${refused}`;
	},

	'GET /protected/document/{documentId}/fraudSignals': async (scene) => {
		const { main } = scene;
		const signals = await fraudSignals(scene);
		const { documentId } = await scene.fraudJob();
		const path = `/document/${documentId}/fraudSignals`;
		const ask = async (query: string): Promise<unknown[]> => {
			const answer = await main.legacy('GET', `${path}?${query}`);
			status(answer, 200);
			has(answer.json, 'total', 'integer');
			has(answer.json, 'signals', 'array of objects');
			return answer.member('signals') as unknown[];
		};
		const type = String(at(signals[0], 'type'));
		const ofType = await ask(`type=${encodeURIComponent(type)}`);
		want(
			ofType.length > 0 && ofType.every((signal) => at(signal, 'type') === type),
			`type=${type} gave ${shown(ofType.map((signal) => at(signal, 'type')))}`,
		);
		want((await ask('type=no_such_type')).length === 0, 'a type that no signal has gave signals');
		const surest = Math.max(...signals.map((signal) => Number(at(signal, 'confidence'))));
		const least = Math.min(...signals.map((signal) => Number(at(signal, 'confidence'))));
		const atLeast = await ask(`minConfidence=${surest}`);
		want(
			atLeast.length > 0 && atLeast.every((signal) => Number(at(signal, 'confidence')) >= surest),
			`minConfidence=${surest} gave ${atLeast.length} signals, some below or none`,
		);
		const atMost = await ask(`maxConfidence=${least}`);
		want(
			atMost.length > 0 && atMost.every((signal) => Number(at(signal, 'confidence')) <= least),
			`maxConfidence=${least} gave ${atMost.length} signals, some above or none`,
		);
		const refused = await unauthorized(main, 'GET', path);
		const missing = await notFound(main, 'GET', `/document/${NO_SUCH_ID}/fraudSignals`);
		return `200, the three filters hold; ${missing}; ${refused}`;
	},

	'GET /protected/document/{documentId}/fraudScore': async (scene) => {
		const { main } = scene;
		const { documentId } = await scene.fraudJob();
		const path = `/document/${documentId}/fraudScore`;
		const answer = await main.legacy('GET', path);
		status(answer, 200);
		has(answer.json, 'score', 'object or null');
		const refused = await unauthorized(main, 'GET', path);
		const missing = await notFound(main, 'GET', `/document/${NO_SUCH_ID}/fraudScore`);
		return `200; ${missing}; ${refused}`;
	},

	'fraud analysis': async (scene: Scene) => {
		const { documentId } = await scene.fraudJob();
		const answer = await scene.main.legacy('GET', `/document/${documentId}/fraudScore`);
		const score = answer.member('score');
		want(isObject(score), `the score is ${shown(score)} after the job has Succeeded`);
		return `a score and ${(await fraudSignals(scene)).length} signals once the job has Succeeded`;
	},
};
