import type { IWebhookFunctions } from 'n8n-workflow';

/** The bytes of a request as they came, or the status to refuse it with. */
export type RawBody = { body: Buffer } | { status: 400 | 413 };

/**
 * The bytes of the request. n8n reads them for some content types only, so they are read here where
 * it has not. Over n8n's limit (N8N_PAYLOAD_SIZE_MAX, 16 MB unless set) it is 413, for a broken
 * connection or compression 400.
 */
export async function rawBodyOf(this: IWebhookFunctions): Promise<RawBody> {
	const request = this.getRequestObject();
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
		// An empty body may leave nothing behind.
		return { body: Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0) };
	} catch (error) {
		const { status, statusCode, type } = error as {
			status?: unknown;
			statusCode?: unknown;
			type?: unknown;
		};
		const isTooLarge = status === 413 || statusCode === 413 || type === 'entity.too.large';
		return { status: isTooLarge ? 413 : 400 };
	}
}
