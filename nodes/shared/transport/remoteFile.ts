import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import {
	checkedFile,
	type FileContent,
	type FileOverrides,
	type FileSource,
	type InputFile,
} from './file';
import { connectionReason, operationFailure, type Failure } from './failures';
import { noAnswerFrom } from './request';

/** A file whose length its server does not tell has to be held in memory; no more than this. */
export const LARGEST_WITHOUT_LENGTH = 64 * 1024 * 1024;
const TIMEOUT_MS = 60 * 60_000;

type FileStream = Exclude<FileContent, Buffer>;

interface Download {
	status: number;
	headers: Record<string, unknown>;
	stream: FileStream;
}

function downloadFailure(
	this: IExecuteFunctions,
	itemIndex: number,
	message: string,
	description: string,
): Failure {
	return operationFailure(this.getNode(), message, {
		itemIndex,
		description,
		details: { field: 'fileUrl' },
	});
}

/** No credential goes with it: the address belongs to whoever the user names. */
async function download(
	this: IExecuteFunctions,
	url: string,
	itemIndex: number,
): Promise<Download> {
	const signal = this.getExecutionCancelSignal();
	let failed: string;
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
		if (status >= 200 && status < 300) return { status, headers, stream };
		stream.destroy();
		failed = `the answer had the status ${status}`;
	} catch (error) {
		failed = connectionReason(noAnswerFrom(error));
	}
	throw downloadFailure.call(
		this,
		itemIndex,
		`The file could not be downloaded from the address in 'URL': ${failed}`,
		"Check that 'URL' leads to the file itself and opens without signing in, as seen from the machine on which n8n runs",
	);
}

function header(headers: Record<string, unknown>, name: string): string | undefined {
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

async function readWithLimit(stream: FileStream): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
		size += bytes.length;
		if (size > LARGEST_WITHOUT_LENGTH) return undefined;
		chunks.push(bytes);
	}
	return Buffer.concat(chunks);
}

async function sourceOf(
	this: IExecuteFunctions,
	url: string,
	itemIndex: number,
	{ headers, stream }: Download,
): Promise<FileSource> {
	const length = header(headers, 'content-length');
	if (length !== undefined && /^\d+$/.test(length)) {
		// Looked at only; the content is fetched when it is its turn, and anew for every try.
		stream.destroy();
		const version = header(headers, 'etag') ?? header(headers, 'last-modified') ?? '';
		return {
			size: Number(length),
			identity: `${url} ${version}`,
			open: async () => (await download.call(this, url, itemIndex)).stream,
		};
	}
	const bytes = await readWithLimit(stream);
	if (bytes === undefined) {
		throw downloadFailure.call(
			this,
			itemIndex,
			"The server of the address in 'URL' does not tell the size of the file, and it is larger than 64 MB",
			"Download the file with an HTTP Request node and use 'Input Data Field' in 'File From'",
		);
	}
	const identity = createHash('sha256').update(bytes).digest('hex');
	return { size: bytes.length, identity, open: async () => bytes };
}

/**
 * Takes a file from an address, for callers that cannot pass files, such as AI agents. The content
 * streams from there to the storage, unless its length is not told: then it is held in memory, up
 * to 64 MB. Throws NodeOperationError where it cannot be downloaded or the service cannot read it.
 */
export async function remoteFile(
	this: IExecuteFunctions,
	itemIndex: number,
	url: string,
	overrides: FileOverrides,
): Promise<InputFile> {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
		throw downloadFailure.call(
			this,
			itemIndex,
			"The value in 'URL' is no address of a file",
			"Enter an address in 'URL' that starts with https:// or http://",
		);
	}
	const found = await download.call(this, url, itemIndex);
	try {
		const claims = {
			itemIndex,
			fieldName: null,
			fileName: remoteFileName(header(found.headers, 'content-disposition'), url),
			mimeType: header(found.headers, 'content-type'),
			origin: "the address in 'URL'",
		};
		return await checkedFile.call(this, claims, overrides, async () => {
			return await sourceOf.call(this, url, itemIndex, found);
		});
	} finally {
		found.stream.destroy();
	}
}
