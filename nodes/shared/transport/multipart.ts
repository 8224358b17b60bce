import { randomBytes } from 'crypto';

import type { FileContent, FileSource } from './file';
import type { FileStream } from './streams';

/** The file of a form, and how it is called there. */
export interface FormFile extends Pick<FileSource, 'size' | 'open'> {
	/** Name of the field. */
	field: string;
	fileName: string;
	mimeType: string;
}

/** A multipart/form-data body of known length. */
export interface FormBody {
	contentType: string;
	/** In bytes. */
	size: number;
	/** The body from its first byte. Each call opens the file anew. */
	open(): Promise<FileContent>;
}

/** A name inside quotes, as browsers write it (WHATWG, "multipart/form-data encoding algorithm"). */
function quoted(name: string): string {
	const escaped = name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
	return `"${escaped}"`;
}

/** So many random bits that no file holds it. */
function newBoundary(): string {
	return `----form-${randomBytes(24).toString('hex')}`;
}

/** What a form is made of: everything before the file, the file, everything after it. */
interface Pieces {
	head: Buffer;
	file: FileStream;
	/** Bytes of the file, as they were announced. */
	size: number;
	tail: Buffer;
}

/** Ends with an error where the file has another size than announced: the form would be broken. */
async function* joined({ head, file, size, tail }: Pieces): AsyncGenerator<Buffer> {
	yield head;
	let left = size;
	for await (const chunk of file) {
		const bytes = chunk as Buffer;
		left -= bytes.length;
		if (left < 0) break;
		yield bytes;
	}
	if (left !== 0) throw new Error('the file has changed since it was looked at');
	yield tail;
}

/**
 * The pieces as one stream, which closes the file when it is closed itself. Node's stream module may
 * not be imported in a node of n8n; the class of every stream has what is needed.
 */
function streamAround(pieces: Pieces): FileStream {
	const { file } = pieces;
	const { from } = file.constructor as unknown as {
		from(pieces: AsyncIterable<Buffer>, options: { objectMode: boolean }): FileStream;
	};
	// Whoever reads sees a broken file; until somebody reads, it must not end the process.
	file.on('error', () => {});
	const body = from(joined(pieces), { objectMode: false });
	body.once('close', () => file.destroy());
	return body;
}

/**
 * A form with one file (RFC 7578). Names keep their characters, as UTF-8; line breaks and quotes in
 * them are percent-encoded, as browsers do. A file that is a stream stays one.
 */
export function formWith(file: FormFile, boundary = newBoundary()): FormBody {
	const head = Buffer.from(
		[
			`--${boundary}`,
			`Content-Disposition: form-data; name=${quoted(file.field)}; filename=${quoted(file.fileName)}`,
			`Content-Type: ${file.mimeType.replace(/[\r\n]+/g, ' ')}`,
			'',
			'',
		].join('\r\n'),
	);
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		size: head.length + file.size + tail.length,
		async open() {
			const content = await file.open();
			if (Buffer.isBuffer(content)) return Buffer.concat([head, content, tail]);
			return streamAround({ head, file: content, size: file.size, tail });
		},
	};
}
