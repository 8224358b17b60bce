import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { PDFDataRangeTransport, PDFDateString } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { UnreadableDocumentError } from '../../extraction/unreadable.ts';
import { assertWholePdf } from './fileShape.ts';
import { openPdf } from './openPdf.ts';

/** What a PDF says of itself. */
export interface PdfInspection {
	pageCount: number;
	/**
	 * `title`, `author`, `subject`, `keywords`, `creator`, `producer`, `creationDate`,
	 * `modificationDate` (ISO 8601, or as written where that is no date), `pdfVersion`, and the
	 * file's own entries under their own names. What the file does not say is left out.
	 */
	metadata: Record<string, string>;
}

const END_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Finding the pages needs the index of a file and little else. A file that needs more is not counted. */
const READ_AT_MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_ENTRY = 1000;
const MOST_ENTRIES = 50;

const NAMES: Record<string, string> = {
	Title: 'title',
	Author: 'author',
	Subject: 'subject',
	Keywords: 'keywords',
	Creator: 'creator',
	Producer: 'producer',
	CreationDate: 'creationDate',
	ModDate: 'modificationDate',
	PDFFormatVersion: 'pdfVersion',
};

/**
 * Counts the pages of a PDF and reads what it says of itself, without reading its pages. Only the parts
 * of the file that this needs are loaded, so that a large file needs no more memory than a small one.
 *
 * @throws UnreadableDocumentError when the file is no PDF that opens without a password
 */
export async function inspectPdf(path: string): Promise<PdfInspection> {
	const file = await open(path, 'r');
	try {
		const { size } = await file.stat();
		assertWholePdf(await bothEnds(file, size));
		const transport = new FileRanges(file, size);
		const opening = openPdf({
			range: transport,
			rangeChunkSize: CHUNK_BYTES,
			disableAutoFetch: true,
			disableStream: true,
		});
		// If reading fails first, nobody waits for the other any more.
		opening.catch(() => undefined);
		const document = await Promise.race([opening, transport.failed]);
		try {
			return await Promise.race([inspected(document), transport.failed]);
		} finally {
			await document.loadingTask.destroy();
		}
	} finally {
		await file.close();
	}
}

async function inspected(document: PDFDocumentProxy): Promise<PdfInspection> {
	const { info } = await document.getMetadata();
	const entries = Object.entries(info).flatMap(([name, value]) => {
		if (name === 'Custom' && typeof value === 'object' && value !== null) {
			return Object.entries(value);
		}
		return [[NAMES[name] ?? '', value] as const];
	});
	const metadata: Array<[string, string]> = [];
	for (const [name, value] of entries) {
		if (name === '' || typeof value !== 'string' || value.trim() === '') continue;
		if (metadata.length >= MOST_ENTRIES) break;
		const isDate = name === 'creationDate' || name === 'modificationDate';
		metadata.push([shown(name), isDate ? dateText(value) : shown(value)]);
	}
	// fromEntries defines own properties, so that no name in a file can touch a prototype.
	return { pageCount: document.numPages, metadata: Object.fromEntries(metadata) };
}

function dateText(value: string): string {
	const date = PDFDateString.toDateObject(value);
	return date === null || Number.isNaN(date.getTime()) ? shown(value) : date.toISOString();
}

function shown(text: string): string {
	return text.replaceAll('\u0000', '').slice(0, LONGEST_ENTRY).toWellFormed();
}

async function bothEnds(file: FileHandle, size: number): Promise<Uint8Array> {
	if (size <= 2 * END_BYTES) return await bytesAt(file, 0, size);
	return Buffer.concat([
		await bytesAt(file, 0, END_BYTES),
		await bytesAt(file, size - END_BYTES, size),
	]);
}

async function bytesAt(file: FileHandle, begin: number, end: number): Promise<Uint8Array> {
	const bytes = new Uint8Array(end - begin);
	let filled = 0;
	while (filled < bytes.length) {
		const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, begin + filled);
		if (bytesRead === 0) throw new UnreadableDocumentError('damaged_file', 'The file is cut off.');
		filled += bytesRead;
	}
	return bytes;
}

/** Gives the PDF library the parts of a file that it asks for. */
class FileRanges extends PDFDataRangeTransport {
	/** Never resolves; rejects when a part cannot be given. */
	readonly failed: Promise<never>;
	readonly #file: FileHandle;
	#fail: (error: unknown) => void = () => undefined;
	#requested = 0;

	constructor(file: FileHandle, size: number) {
		super(size, null);
		this.#file = file;
		this.failed = new Promise((_resolve, reject) => {
			this.#fail = reject;
		});
		this.failed.catch(() => undefined);
	}

	override requestDataRange(begin: number, end: number): void {
		this.#requested += end - begin;
		if (this.#requested > READ_AT_MOST_BYTES) {
			this.#fail(
				new UnreadableDocumentError('damaged_file', 'The PDF has no index that can be used.'),
			);
			return;
		}
		bytesAt(this.#file, begin, end).then(
			(bytes) => this.onDataRange(begin, bytes),
			(error: unknown) => this.#fail(error),
		);
	}
}
