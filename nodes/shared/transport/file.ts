import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { operationFailure } from './failures';
import { extensionFor, READABLE_TYPES, readableType } from './fileType';

/** What a request can carry as a body: bytes, or a stream of them. */
export type FileContent =
	Buffer | Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** Where the bytes of a file come from. */
export interface FileSource {
	/** In bytes. */
	size: number;
	/** The same for the same file in a retry of the same execution. */
	identity: string;
	/** The content from its first byte. Each call opens it anew. */
	open(): Promise<FileContent>;
}

/** A file that is ready to be uploaded. Its content is in memory only where it came in memory. */
export interface InputFile extends FileSource {
	itemIndex: number;
	/** Name of the input field that holds it; null where it comes from an address. */
	fieldName: string | null;
	fileName: string;
	/** One of the types that the service reads. */
	mimeType: string;
}

/** What the user set instead of what the file says about itself. */
export interface FileOverrides {
	fileName?: string;
	mimeType?: string;
}

/** What a file says about itself. */
export interface FileClaims {
	itemIndex: number;
	fieldName: string | null;
	fileName: string | undefined;
	/** Without a dot; used where the name has none. */
	extension?: string | undefined;
	mimeType: string | undefined;
	/** What to look at when the file is empty, for example `the node that gives the field 'data'`. */
	origin: string;
}

/** Without folders and without characters that are no part of a name. */
export function plainName(name: string | undefined): string {
	const last = name?.split(/[\\/]/).pop() ?? '';
	return last.replace(/\p{Cc}/gu, '').trim();
}

/**
 * The file with its name and type settled. Throws NodeOperationError where the service cannot read
 * the type or the file is empty; `source` is only asked for after the type has been accepted.
 */
export async function checkedFile(
	this: IExecuteFunctions,
	claims: FileClaims,
	overrides: FileOverrides,
	source: () => Promise<FileSource>,
): Promise<InputFile> {
	const node = this.getNode();
	const { itemIndex, fieldName, origin } = claims;
	const givenName = plainName(overrides.fileName) || plainName(claims.fileName);
	const shownName = givenName || fieldName || 'without a name';
	const nameForType = givenName.includes('.')
		? givenName
		: `${givenName}.${claims.extension ?? ''}`;
	const declared = overrides.mimeType?.trim() || claims.mimeType;
	const mimeType = readableType(declared, nameForType);
	if (mimeType === undefined) {
		throw operationFailure(
			node,
			`The service cannot read the file '${shownName}' of type '${declared || 'unknown'}'`,
			{
				itemIndex,
				description: `It reads ${READABLE_TYPES}. If the file is one of these, set 'MIME Type' under 'Options', for example to application/pdf`,
				details: { field: fieldName ?? undefined, mimeType: declared },
			},
		);
	}
	const content = await source();
	if (!(content.size > 0)) {
		throw operationFailure(node, `The file '${shownName}' is empty`, {
			itemIndex,
			description: `Check ${origin}. Nothing was uploaded`,
			details: { field: fieldName ?? undefined },
		});
	}
	const fileName = givenName || `document.${extensionFor(mimeType)}`;
	return { itemIndex, fieldName, fileName, mimeType, ...content };
}

/** The MD5 of the content, as 32 hexadecimal digits. Reads the file once, piece by piece. */
export async function md5Of({ open }: Pick<FileSource, 'open'>): Promise<string> {
	const content = await open();
	const hash = createHash('md5');
	if (Buffer.isBuffer(content)) hash.update(content);
	else for await (const chunk of content) hash.update(chunk as Buffer);
	return hash.digest('hex');
}
