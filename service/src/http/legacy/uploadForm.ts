import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { BodyTooLargeError, IncompleteBodyError } from '../../storage/fileStore.ts';
import type { ArrivedFile, FileStore } from '../../storage/fileStore.ts';
import { acceptedType } from '../documentRequests.ts';
import { HttpError } from '../errors.ts';
import { fileTooLarge, incompleteUpload } from '../storage/refusals.ts';

/** Name of the part that holds the file (section 4.1). */
const PART = 'document';

/** The one file of an upload form, stored but without a place of its own yet. */
export interface UploadedPart {
	file: ArrivedFile;
	/** As the form says it; empty where it says none. */
	filename: string;
	/** An accepted one; null where the form does not know it. */
	mimetype: string | null;
}

/** What senders say of a file whose type they do not know. */
const UNKNOWN_TYPES = ['application/octet-stream', 'binary/octet-stream'];

/** Limits of a form besides its file. What the interface does not name is read and dropped. */
export const FORM_LIMITS = {
	parts: 100,
	fields: 100,
	files: 10,
	fieldSize: 64 * 1024,
	headerPairs: 100,
} as const;

/** A part is a file when it has a file name, or a type that is not the one of plain fields. */
export function isFilePart(
	_name: string | undefined,
	contentType: string | undefined,
	filename: string | undefined,
): boolean {
	return filename !== undefined || (contentType ?? 'text/plain') !== 'text/plain';
}

/** Without the text between its parts no form can be read. Answers 400 where the header has none. */
export function assertBoundary(request: FastifyRequest): void {
	if (/;\s*boundary\s*=\s*"?[^\s";]/i.test(request.headers['content-type'] ?? '')) return;
	throw malformed(
		'has no boundary in its Content-Type. Let the client write this header itself, from the form',
	);
}

/**
 * Streams the part `document` of a form to the storage, in constant memory. Whoever gets it keeps or
 * discards its file. Answers 400 where the part is missing, comes twice, is a field, is empty or has a
 * type that the service does not read, and where the form is broken; 413 where the file is too large.
 * Then nothing stays on disk.
 */
export async function receiveUploadForm(
	request: FastifyRequest,
	store: FileStore,
	limit: number,
): Promise<UploadedPart> {
	let found: UploadedPart | null = null;
	try {
		for await (const part of request.parts()) {
			if (part.fieldname !== PART) {
				if (part.type === 'file') part.file.resume();
				continue;
			}
			if (part.type === 'field') {
				throw wrongPart('is a text field. Send the file itself, as a part with a file name.');
			}
			if (found !== null) {
				part.file.destroy();
				throw wrongPart('came twice. Send one file a request.');
			}
			// Before its bytes are read.
			const mimetype = UNKNOWN_TYPES.includes(part.mimetype)
				? null
				: acceptedType(part.mimetype, PART);
			const file = await store.arrive(partBytes(part), null, limit);
			found = { file, filename: nameInForm(part.filename ?? ''), mimetype };
			if (found.file.size === 0) {
				throw new HttpError(
					400,
					'empty_file',
					'The file is empty. Check that it was downloaded completely, and send it again.',
					PART,
				);
			}
		}
		if (found === null) {
			throw wrongPart('is missing. Send the file as a part with this name.');
		}
		return found;
	} catch (error) {
		if (found !== null) await store.discard(found.file);
		throw formError(error, limit);
	}
}

/** Senders that follow the WHATWG standard percent-encode quotes and line breaks, and nothing else. */
function nameInForm(filename: string): string {
	return filename.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}

/** A part ends early when its form does, and only the part knows. */
function partBytes(part: MultipartFile): Readable {
	async function* bytes(): AsyncGenerator<Buffer> {
		try {
			for await (const chunk of part.file) yield chunk as Buffer;
		} catch {
			throw new IncompleteBodyError();
		}
	}
	return Readable.from(bytes(), { objectMode: false });
}

function formError(error: unknown, limit: number): unknown {
	if (error instanceof HttpError) return error;
	if (error instanceof BodyTooLargeError) return fileTooLarge(limit);
	if (error instanceof IncompleteBodyError) return incompleteUpload();
	if (!(error instanceof Error)) return error;
	const code = 'code' in error ? String(error.code) : '';
	if (BROKEN_OFF.includes(code)) return incompleteUpload();
	if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge(limit);
	if (/^Unexpected end of multipart data/.test(error.message)) return incompleteUpload();
	if (['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'].includes(code)) {
		return malformed('has too many parts. Send the file, and nothing else');
	}
	if (code.startsWith('FST_') || FORM_FAULT.test(error.message)) {
		return malformed('is not valid multipart/form-data. Check the boundary and the parts');
	}
	return error;
}

/** The sender went away. */
const BROKEN_OFF = ['FST_MP_PREMATURE_CLOSE', 'ECONNRESET', 'ECONNABORTED', 'EPIPE'];
/** What the parser says of a form that it cannot read; its errors have no code. */
const FORM_FAULT = /multipart|part terminated early|boundary|malformed/i;

function malformed(what: string): HttpError {
	return new HttpError(400, 'invalid_request', `The form ${what}.`);
}

function wrongPart(what: string): HttpError {
	return new HttpError(400, 'invalid_request', `The part \`${PART}\` ${what}`, PART);
}
