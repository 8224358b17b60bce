import type { FileContent } from './file';

/** A stream of bytes, as n8n gives and takes it. */
export type FileStream = Exclude<FileContent, Buffer>;

const LONGEST_REFUSAL = 64 * 1024;

export function isStream(value: unknown): value is FileStream {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Buffer.isBuffer(value) &&
		typeof (value as { pipe?: unknown }).pipe === 'function'
	);
}

/** Everything in the stream; undefined where that is more than `most` bytes. Closes it. */
export async function readWhole(stream: FileStream, most: number): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream) {
		const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
		size += bytes.length;
		if (size > most) return undefined;
		chunks.push(bytes);
	}
	return Buffer.concat(chunks);
}

/** The start of an answer that says why there is no file. Never throws. */
export async function startOf(stream: FileStream): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
			chunks.push(bytes);
			size += bytes.length;
			if (size >= LONGEST_REFUSAL) break;
		}
	} catch {
		// The status is known; what was read so far has to do.
		stream.destroy();
	}
	return Buffer.concat(chunks).toString('utf8').slice(0, LONGEST_REFUSAL);
}
