import type { IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

import type {
	ProjectSource,
	Reading,
} from '../../../nodes/DocumentExtractionProjectTrigger/documents/readProject';
import { documentPages, findDocument } from '../../../nodes/shared/projects/requests';
import type { Access } from '../../../nodes/shared/transport/access';

export interface SimulatedDocument {
	id: string | number;
	status: 'processing' | 'extracted' | 'failed';
	arrivedAt: number;
}

export class Unreachable extends Error {}

/**
 * A project whose documents change while it is read: behind the node's own paging, with what a
 * test lets happen before each request.
 */
export class SimulatedProject {
	/** Newest first. */
	documents: SimulatedDocument[] = [];

	/** Called before each answer; may change the project or throw. */
	beforeAnswer: () => void = () => {};

	/** Documents whose data cannot be read. */
	readonly broken = new Set<string>();

	requests = 0;

	constructor(
		private readonly options: { pageSize: number; tellsTimes: boolean; tellsTotal: boolean },
	) {}

	/** Puts a document where its time belongs; among equal times it is the newest. */
	add(document: SimulatedDocument): void {
		const { documents } = this;
		const at = documents.findIndex(({ arrivedAt }) => arrivedAt <= document.arrivedAt);
		documents.splice(at === -1 ? documents.length : at, 0, document);
	}

	private recordOf({ id, status, arrivedAt }: SimulatedDocument): object {
		const time = this.options.tellsTimes ? { createdAt: new Date(arrivedAt).toISOString() } : {};
		return { id, status, ...time };
	}

	private answer(options: IHttpRequestOptions): { statusCode: number; body: unknown } {
		this.requests++;
		this.beforeAnswer();
		const one = /\/documents\/([^/]+)$/.exec(options.url)?.[1];
		if (one !== undefined) {
			const document = this.documents.find(({ id }) => String(id) === one);
			if (document === undefined) return { statusCode: 404, body: { message: 'gone' } };
			return { statusCode: 200, body: this.recordOf(document) };
		}
		const { limit, offset } = options.qs as { limit: number; offset: number };
		const documents = this.documents
			.slice(offset, offset + limit)
			.map((document) => this.recordOf(document));
		const total = this.options.tellsTotal ? { total: this.documents.length } : {};
		return { statusCode: 200, body: { documents, ...total } };
	}

	/** As the trigger reads it. */
	source(): ProjectSource<string> {
		const context = {
			getNode: () => ({ name: 'Trigger' }),
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
					const { statusCode, body } = this.answer(options);
					return { statusCode, headers: {}, body: JSON.stringify(body) };
				},
			},
		} as unknown as IPollFunctions;
		const access: Access = {
			authentication: 'accessToken',
			credentialType: 'documentExtractionApi',
			baseUrl: 'http://service.test/api/v1',
		};
		const once = { attempts: 1 };
		const { pageSize } = this.options;
		return {
			pages: () => documentPages.call(context, access, 'p', { ...once, pageSize }),
			look: async (id) => {
				try {
					const value = await findDocument.call(context, access, id, once);
					return value === undefined ? { kind: 'gone' } : { kind: 'found', value };
				} catch (error) {
					return { kind: 'failure', failure: error as Error, isService: true };
				}
			},
			data: async ({ id }): Promise<Reading<string>> => {
				this.requests++;
				try {
					this.beforeAnswer();
				} catch (error) {
					return { kind: 'failure', failure: error as Error, isService: true };
				}
				const document = this.documents.find((one) => String(one.id) === id);
				if (document === undefined) return { kind: 'gone' };
				if (!this.broken.has(id)) return { kind: 'found', value: `data of ${id}` };
				return { kind: 'failure', failure: new Error('broken'), isService: false };
			},
		};
	}
}
