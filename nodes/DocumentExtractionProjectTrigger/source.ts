import type { IPollFunctions } from 'n8n-workflow';

import type { DocumentRecord } from '../shared/projects/records';
import { documentPages, findDocument } from '../shared/projects/requests';
import type { Access } from '../shared/transport/access';
import { bodyOf } from '../shared/transport/answer';
import { strangeAnswerFailure, type Failure, type Task } from '../shared/transport/failures';
import { ask, segment } from '../shared/transport/request';
import type { ProjectSource, Reading } from './documents/readProject';

/** The next poll is the next try; a poll shall not take longer than the time between two. */
const PATIENCE = { attempts: 2, timeoutMs: 30_000 };
const DATA_TIMEOUT_MS = 60_000;

function isFailure(error: unknown): error is Failure {
	const { name } = error as { name?: string };
	return name === 'NodeApiError' || name === 'NodeOperationError';
}

/** No answer, a refused credential, too many requests: the next document would fare no better. */
function isOfService(failure: Failure): boolean {
	const { httpStatus } = (failure.context.details ?? {}) as { httpStatus?: unknown };
	if (typeof httpStatus !== 'number') return true;
	return [401, 402, 403, 429, 502, 503, 504].includes(httpStatus);
}

function failed(error: unknown): Reading<never> {
	const failure = isFailure(error) ? error : new Error(String(error));
	return { kind: 'failure', failure, isService: isFailure(error) && isOfService(error) };
}

/** GET /agent/documents/{documentId}/data (section 2.8), as it came. */
async function readData(
	this: IPollFunctions,
	access: Access,
	{ id }: DocumentRecord,
): Promise<Reading<unknown>> {
	const task: Task = {
		doing: `give the data of the document ${id}`,
		subject: `The document ${id}`,
		details: { documentId: id },
	};
	const path = `/agent/documents/${segment(id)}/data`;
	try {
		const answer = await ask.call(
			this,
			access,
			{ method: 'GET', path, accepts: [404, 410], timeoutMs: DATA_TIMEOUT_MS, attempts: 1 },
			task,
		);
		if (answer.status === 404 || answer.status === 410) {
			const still = await findDocument.call(this, access, id, PATIENCE);
			if (still === undefined) return { kind: 'gone' };
		}
		const data = answer.status === 404 || answer.status === 410 ? undefined : bodyOf(answer);
		if (data !== undefined) return { kind: 'found', value: data };
		const failure = strangeAnswerFailure(this.getNode(), answer, task);
		return { kind: 'failure', failure, isService: false };
	} catch (error) {
		return failed(error);
	}
}

/** GET /agent/documents/{documentId}. */
async function look(
	this: IPollFunctions,
	access: Access,
	id: string,
): Promise<Reading<DocumentRecord>> {
	try {
		const value = await findDocument.call(this, access, id, PATIENCE);
		return value === undefined ? { kind: 'gone' } : { kind: 'found', value };
	} catch (error) {
		return failed(error);
	}
}

/** The project at the service. */
export function projectSource(
	this: IPollFunctions,
	access: Access,
	{ projectId, withData }: { projectId: string; withData: boolean },
): ProjectSource<unknown> {
	return {
		pages: () => documentPages.call(this, access, projectId, PATIENCE),
		look: async (id) => await look.call(this, access, id),
		...(withData
			? { data: async (document: DocumentRecord) => await readData.call(this, access, document) }
			: {}),
	};
}
