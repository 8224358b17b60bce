import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import fc from 'fast-check';

import { formWith, type FormBody } from '../../nodes/shared/transport/multipart';

async function bytesOf(form: FormBody): Promise<Buffer> {
	const content = await form.open();
	if (Buffer.isBuffer(content)) return content;
	const chunks: Buffer[] = [];
	for await (const chunk of content) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

/** A form around these bytes, which come in pieces of this length, or in one buffer without one. */
function form(bytes: Buffer, options: { fileName?: string; piece?: number; size?: number } = {}) {
	const { fileName = 'a.pdf', piece, size = bytes.length } = options;
	const open = async () => {
		if (piece === undefined) return bytes;
		const pieces: Buffer[] = [];
		for (let at = 0; at < bytes.length; at += piece) pieces.push(bytes.subarray(at, at + piece));
		return Readable.from(pieces, { objectMode: false });
	};
	return formWith({ field: 'document', fileName, mimeType: 'application/pdf', size, open });
}

/** Read by the parser of Node's own fetch, which follows the WHATWG standard. */
async function parsedByFetch(
	{ contentType }: FormBody,
	body: Buffer,
): Promise<Array<[string, File]>> {
	const answer = new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } });
	return [...(await answer.formData())] as Array<[string, File]>;
}

interface BusboyPart {
	field: string;
	name: string;
	type: string;
	bytes: Buffer;
}

/** Read by the parser that servers use. */
async function parsedByBusboy({ contentType }: FormBody, body: Buffer): Promise<BusboyPart[]> {
	const parts: BusboyPart[] = [];
	await new Promise<void>((done, failed) => {
		const parser = new Busboy({ headers: { 'content-type': contentType } });
		parser.on('file', (field, stream, name, _encoding, type) => {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => parts.push({ field, name, type, bytes: Buffer.concat(chunks) }));
		});
		parser.on('field', (field) => failed(new Error(`a field ${field}`)));
		parser.on('error', failed);
		parser.on('finish', () => done());
		parser.end(body);
	});
	return parts;
}

const awkward = fc.constantFrom(
	'"',
	'\r',
	'\n',
	'%',
	';',
	'=',
	' ',
	"'",
	'ä',
	'明',
	'😀',
	'--',
	'*',
);
const names = fc
	.array(fc.oneof(awkward, fc.string({ unit: 'binary-ascii', maxLength: 3 })), { maxLength: 12 })
	.map((parts) => parts.join(''));
/** Also content that looks like the end of a form. */
const contents = fc
	.array(
		fc.oneof(
			fc.uint8Array({ maxLength: 300 }),
			fc.constantFrom('\r\n', '--', '\r\n--', '------form-', '--\r\n', '\r\n\r\n'),
		),
		{ maxLength: 12 },
	)
	.map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string))));
const pieces = fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined });

/** What a reader makes of a name: three characters stand for others there (WHATWG). */
const decoded = (name: string) =>
	name.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');

describe('a form with one file', () => {
	it('has the file, its name and its type, and is as long as it says', async () => {
		await fc.assert(
			fc.asyncProperty(names, contents, pieces, async (fileName, bytes, piece) => {
				const one = form(bytes, { fileName, piece });
				const body = await bytesOf(one);
				expect(body.length).toBe(one.size);
				const [[field, file] = [], ...others] = await parsedByFetch(one, body);
				expect(others).toEqual([]);
				expect([field, file?.name, file?.type]).toEqual([
					'document',
					decoded(fileName),
					'application/pdf',
				]);
				expect(Buffer.from(await file!.arrayBuffer()).equals(bytes)).toBe(true);
			}),
			{ numRuns: 400 },
		);
	});

	it('is understood by a parser of servers too', async () => {
		const plain = fc.stringMatching(/^[\wäöüß明 .()'-]{1,20}\.pdf$/);
		await fc.assert(
			fc.asyncProperty(plain, contents, pieces, async (fileName, bytes, piece) => {
				const one = form(bytes, { fileName, piece });
				const parts = await parsedByBusboy(one, await bytesOf(one));
				expect(parts.map(({ field, name, type }) => [field, name, type])).toEqual([
					['document', fileName, 'application/pdf'],
				]);
				expect(parts[0]?.bytes.equals(bytes)).toBe(true);
			}),
			{ numRuns: 200 },
		);
	});

	it('no name adds a part, a header or another name', async () => {
		await fc.assert(
			fc.asyncProperty(names, async (fileName) => {
				const one = form(Buffer.from('%PDF'), { fileName });
				const parts = await parsedByBusboy(one, await bytesOf(one));
				expect(parts.map(({ field, type }) => [field, type])).toEqual([
					['document', 'application/pdf'],
				]);
			}),
			{ numRuns: 300 },
		);
	});

	it('writes quotes and line breaks as browsers do', async () => {
		const body = await bytesOf(form(Buffer.from('x'), { fileName: 'a"b\r\nc ü.pdf' }));
		expect(body.toString()).toContain(
			'Content-Disposition: form-data; name="document"; filename="a%22b%0D%0Ac ü.pdf"\r\n',
		);
	});

	it('can be opened again, and has another boundary each time it is made', async () => {
		const one = form(Buffer.from('abc'), { piece: 1 });
		expect((await bytesOf(one)).equals(await bytesOf(one))).toBe(true);
		expect(form(Buffer.from('abc')).contentType).not.toBe(one.contentType);
	});
});

describe('a file that changes meanwhile', () => {
	it.each([
		['shorter', 9],
		['longer', 11],
	])('is refused where it is %s than announced', async (_name, length) => {
		const one = form(Buffer.alloc(length), { piece: 4, size: 10 });
		await expect(bytesOf(one)).rejects.toThrow('the file has changed');
	});

	it('is refused where it breaks off', async () => {
		const one = formWith({
			field: 'document',
			fileName: 'a.pdf',
			mimeType: 'application/pdf',
			size: 100,
			open: async () =>
				Readable.from(
					(async function* () {
						yield Buffer.alloc(10);
						throw new Error('the disk is gone');
					})(),
					{ objectMode: false },
				),
		});
		await expect(bytesOf(one)).rejects.toThrow('the disk is gone');
	});
});

it('reads no further ahead in the file than a few pieces', async () => {
	const piece = Buffer.alloc(64 * 1024);
	let produced = 0;
	const file = new Readable({
		read() {
			produced++;
			this.push(produced > 1000 ? null : piece);
		},
	});
	const one = formWith({
		field: 'document',
		fileName: 'a.pdf',
		mimeType: 'application/pdf',
		size: 1000 * piece.length,
		open: async () => file,
	});
	const body = await one.open();
	if (Buffer.isBuffer(body)) throw new Error('a stream was expected');
	let read = 0;
	for await (const chunk of body) {
		read += (chunk as Buffer).length;
		await new Promise((done) => setImmediate(done));
		if (read > 20 * piece.length) break;
	}
	expect(produced).toBeGreaterThan(19);
	expect(produced).toBeLessThan(40);
});

it('closing the form closes the file, also before anything was read', async () => {
	const files: Readable[] = [];
	const one = formWith({
		field: 'document',
		fileName: 'a.pdf',
		mimeType: 'application/pdf',
		size: 3,
		open: async () => {
			files.push(new Readable({ read() {} }));
			return files.at(-1)!;
		},
	});
	const body = await one.open();
	if (Buffer.isBuffer(body)) throw new Error('a stream was expected');
	body.destroy();
	await new Promise((done) => setImmediate(done));
	expect(files.map(({ destroyed }) => destroyed)).toEqual([true]);
});
