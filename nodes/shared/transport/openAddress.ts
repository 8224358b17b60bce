import type { IExecuteFunctions } from 'n8n-workflow';

import type { Answer } from './answer';
import { noAnswerFrom, type Attempt } from './request';
import { startOf, type FileStream } from './streams';

const TIMEOUT_MS = 60 * 60_000;

/** A file at an address, about to be read. Whoever has it reads or destroys the stream. */
export interface OpenedFile {
	kind: 'opened';
	headers: Record<string, unknown>;
	stream: FileStream;
}

/** What became of opening an address. */
export type Opening =
	OpenedFile | { kind: 'refused'; answer: Answer } | Exclude<Attempt, { kind: 'answer' }>;

/**
 * Opens the file at an address, once. No credential goes with it: the address is signed, or belongs to
 * whoever the user names. Redirects are followed.
 */
export async function openAddress(this: IExecuteFunctions, url: string): Promise<Opening> {
	const signal = this.getExecutionCancelSignal();
	if (signal?.aborted) return { kind: 'cancelled' };
	try {
		const response = (await this.helpers.httpRequest({
			method: 'GET',
			url,
			// Compressed content would have another length than the one that is told.
			headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			json: false,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: TIMEOUT_MS,
			...(signal === undefined ? {} : { abortSignal: signal }),
		})) as { body: FileStream; headers?: Record<string, unknown>; statusCode: number };
		const { body: stream, headers = {}, statusCode: status } = response;
		if (status >= 200 && status < 300) return { kind: 'opened', headers, stream };
		return { kind: 'refused', answer: { status, headers, text: await startOf(stream) } };
	} catch (error) {
		if (signal?.aborted) return { kind: 'cancelled' };
		return noAnswerFrom(error);
	}
}

/** One header with a value; undefined where there is none. */
export function header(headers: Record<string, unknown>, name: string): string | undefined {
	const value = headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The name in a Content-Disposition header (RFC 6266), or the last part of the address. */
export function remoteFileName(disposition: string | undefined, url: string): string | undefined {
	const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
	const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(disposition ?? '');
	const path = new URL(url).pathname.split('/').pop();
	for (const candidate of [extended, plain?.[1] ?? plain?.[2], path]) {
		const name = decoded(candidate)?.trim();
		if (name !== undefined && name !== '') return name;
	}
	return undefined;
}

function decoded(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
