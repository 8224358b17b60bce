import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { checkedFile, type FileOverrides, type FileSource, type InputFile } from './file';
import { connectionReason, operationFailure, type Failure } from './failures';
import { header, openAddress, remoteFileName, type OpenedFile } from './openAddress';
import { readWhole } from './streams';

/** A file whose length its server does not tell has to be held in memory; no more than this. */
export const LARGEST_WITHOUT_LENGTH = 64 * 1024 * 1024;

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

async function download(
	this: IExecuteFunctions,
	url: string,
	itemIndex: number,
): Promise<OpenedFile> {
	const result = await openAddress.call(this, url);
	if (result.kind === 'opened') return result;
	const failed =
		result.kind === 'refused'
			? `the answer had the status ${result.answer.status}`
			: result.kind === 'noAnswer'
				? connectionReason(result)
				: 'the execution was canceled';
	throw downloadFailure.call(
		this,
		itemIndex,
		`The file could not be downloaded from the address in 'URL': ${failed}`,
		"Check that 'URL' leads to the file itself and opens without signing in, as seen from the machine on which n8n runs",
	);
}

async function sourceOf(
	this: IExecuteFunctions,
	url: string,
	itemIndex: number,
	{ headers, stream }: OpenedFile,
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
	const bytes = await readWhole(stream, LARGEST_WITHOUT_LENGTH);
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
