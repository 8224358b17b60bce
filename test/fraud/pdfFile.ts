import { deflateSync, inflateSync } from 'node:zlib';

/**
 * A PDF as the generators write it (one classic cross-reference table, no packed objects), opened so
 * that single objects can be changed: written anew as a whole, or with an update appended.
 */
export class PdfFile {
	/** The body of each object, without `n 0 obj` and `endobj`. */
	readonly objects: Map<number, Buffer>;
	readonly root: number;
	readonly info: number;
	private readonly original: Buffer;
	private readonly version: string;

	constructor(pdf: Buffer) {
		this.original = pdf;
		const text = pdf.toString('latin1');
		this.version = text.slice(0, 8);
		const table = /xref\n0 (\d+)\n([\s\S]*?)trailer([\s\S]*?)startxref/.exec(text);
		if (!table) throw new Error('The PDF has no classic cross-reference table.');
		const offsets = [...(table[2] ?? '').matchAll(/(\d{10}) \d{5} n/g)].map((match) =>
			Number(match[1]),
		);
		const ends = [...offsets, table.index].sort((a, b) => a - b);
		this.objects = new Map();
		for (const offset of offsets) {
			const end = ends.find((other) => other > offset) ?? table.index;
			const head = /^(\d+) 0 obj\n/.exec(text.slice(offset, offset + 20));
			if (!head) throw new Error(`There is no object at ${offset}.`);
			const body = pdf.subarray(offset + head[0].length, text.lastIndexOf('endobj', end) - 1);
			this.objects.set(Number(head[1]), Buffer.from(body));
		}
		this.root = Number(/\/Root (\d+) 0 R/.exec(table[3] ?? '')?.[1]);
		this.info = Number(/\/Info (\d+) 0 R/.exec(table[3] ?? '')?.[1]);
	}

	text(number: number): string {
		return this.objects.get(number)?.toString('latin1') ?? '';
	}

	set(number: number, body: string | Buffer): void {
		this.objects.set(number, typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
	}

	add(body: string | Buffer): number {
		const number = Math.max(...this.objects.keys()) + 1;
		this.set(number, body);
		return number;
	}

	/** Object numbers of the pages in order. */
	pages(): number[] {
		const tree = Number(/\/Pages (\d+) 0 R/.exec(this.text(this.root))?.[1]);
		const kids = /\/Kids \[([^\]]*)\]/.exec(this.text(tree))?.[1] ?? '';
		return [...kids.matchAll(/(\d+) 0 R/g)].map((match) => Number(match[1]));
	}

	/** The object number of a page's content. */
	contents(page: number): number {
		return Number(/\/Contents (\d+) 0 R/.exec(this.text(page))?.[1]);
	}

	content(number: number): string {
		const body = this.objects.get(number) ?? Buffer.alloc(0);
		const start = body.indexOf('stream\n') + 7;
		return inflateSync(body.subarray(start, body.lastIndexOf('\nendstream'))).toString('latin1');
	}

	static stream(content: string): Buffer {
		const packed = deflateSync(Buffer.from(content, 'latin1'));
		return Buffer.concat([
			Buffer.from(`<<\n/Length ${packed.length}\n/Filter /FlateDecode\n>>\nstream\n`),
			packed,
			Buffer.from('\nendstream'),
		]);
	}

	/** Says in the information dictionary what is given; what is not stays, and `null` takes away. */
	describe(entries: Record<string, string | null>): void {
		let dict = this.text(this.info);
		for (const [name, value] of Object.entries(entries)) {
			dict = dict.replace(new RegExp(`/${name} (?:\\d+ 0 R|\\([^)]*\\))\n?`), '');
			if (value !== null) dict = dict.replace(/>>\s*$/, `/${name} (${value})\n>>`);
		}
		this.set(this.info, dict);
	}

	/** The same in the XMP packet; `null` takes the whole packet away. */
	describeXmp(entries: Record<string, string> | null): void {
		const root = this.text(this.root);
		const number = Number(/\/Metadata (\d+) 0 R/.exec(root)?.[1]);
		if (entries === null) {
			this.set(this.root, root.replace(/\/Metadata \d+ 0 R\n?/, ''));
			this.objects.delete(number);
			return;
		}
		let body = this.text(number);
		for (const [tag, value] of Object.entries(entries))
			body = body.replace(new RegExp(`<${tag}>[^<]*</${tag}>`), `<${tag}>${value}</${tag}>`);
		const start = body.indexOf('stream\n') + 7;
		const length = body.lastIndexOf('\nendstream') - start;
		this.set(number, body.replace(/\/Length \d+/, `/Length ${length}`));
	}

	/** The whole file anew. */
	write(): Buffer {
		return this.layOut([...this.objects.keys()].sort((a, b) => a - b));
	}

	/** The file as it was, and behind it the objects that are new or were changed since. */
	writeUpdate(): Buffer {
		const before = new PdfFile(this.original);
		const changed = [...this.objects].filter(
			([number, body]) => !before.objects.get(number)?.equals(body),
		);
		const parts: Buffer[] = [this.original];
		let length = this.original.length;
		const rows: string[] = [];
		for (const [number, body] of changed) {
			const part = Buffer.concat([
				Buffer.from(`${number} 0 obj\n`),
				body,
				Buffer.from('\nendobj\n'),
			]);
			rows.push(`${number} 1\n${String(length).padStart(10, '0')} 00000 n \n`);
			parts.push(part);
			length += part.length;
		}
		const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(this.original.toString('latin1'))?.[1];
		parts.push(
			Buffer.from(
				`xref\n${rows.join('')}trailer\n<<\n/Size ${Math.max(...this.objects.keys()) + 1}\n/Root ${this.root} 0 R\n/Info ${this.info} 0 R\n/Prev ${previous}\n>>\nstartxref\n${length}\n%%EOF\n`,
			),
		);
		return Buffer.concat(parts);
	}

	/** Ordered for the web: the first page in front, two tables, two ends. */
	writeLinearized(): Buffer {
		const [first = 0] = this.pages();
		const front = [this.root, first, this.contents(first)];
		const rest = [...this.objects.keys()].filter((number) => !front.includes(number));
		const head = Math.max(...this.objects.keys()) + 1;
		const size = head + 1;
		const objectOf = (number: number) =>
			Buffer.concat([
				Buffer.from(`${number} 0 obj\n`),
				this.objects.get(number) ?? Buffer.alloc(0),
				Buffer.from('\nendobj\n'),
			]);
		const dict = (length: number, table: number) =>
			Buffer.from(
				`${head} 0 obj\n<< /Linearized 1 /L ${String(length).padStart(9)} /H [0 0] /O ${first} /E 0 /N ${this.pages().length} /T ${String(table).padStart(9)} >>\nendobj\n`,
			);
		const start = Buffer.from(`${this.version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1');
		const rowOf = (number: number, offset: number) =>
			`${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`;
		const firstTable = (offsets: Map<number, number>, main: number) =>
			`xref\n${[head, ...front].map((number) => rowOf(number, offsets.get(number) ?? 0)).join('')}trailer\n<<\n/Size ${size}\n/Root ${this.root} 0 R\n/Info ${this.info} 0 R\n/Prev ${String(main).padStart(9, '0')}\n>>\nstartxref\n0\n%%EOF\n`;
		const offsets = new Map<number, number>();
		let length = start.length + dict(0, 0).length + firstTable(new Map(), 0).length;
		offsets.set(head, start.length);
		const firstAt = start.length + dict(0, 0).length;
		const bodies: Buffer[] = [];
		for (const number of [...front, ...rest]) {
			const body = objectOf(number);
			offsets.set(number, length);
			bodies.push(body);
			length += body.length;
		}
		const main = length;
		const mainTable = Buffer.from(
			`xref\n0 1\n0000000000 65535 f \n${rest.map((number) => rowOf(number, offsets.get(number) ?? 0)).join('')}trailer\n<<\n/Size ${size}\n>>\nstartxref\n${firstAt}\n%%EOF\n`,
		);
		return Buffer.concat([
			start,
			dict(length + mainTable.length, main),
			Buffer.from(firstTable(offsets, main)),
			...bodies,
			mainTable,
		]);
	}

	private layOut(order: readonly number[]): Buffer {
		const parts: Buffer[] = [Buffer.from(`${this.version}\n%\xff\xff\xff\xff\n`, 'latin1')];
		let length = parts[0]?.length ?? 0;
		const offsets = new Map<number, number>();
		for (const number of order) {
			const part = Buffer.concat([
				Buffer.from(`${number} 0 obj\n`),
				this.objects.get(number) ?? Buffer.alloc(0),
				Buffer.from('\nendobj\n'),
			]);
			offsets.set(number, length);
			parts.push(part);
			length += part.length;
		}
		const rows = [...offsets]
			.map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
			.join('');
		const size = Math.max(...order) + 1;
		parts.push(
			Buffer.from(
				`xref\n0 1\n0000000000 65535 f \n${rows}trailer\n<<\n/Size ${size}\n/Root ${this.root} 0 R\n/Info ${this.info} 0 R\n>>\nstartxref\n${length}\n%%EOF\n`,
			),
		);
		return Buffer.concat(parts);
	}
}

/** `D:20250304093000Z`, as PDF writes dates. */
export function pdfDate(day: string, time = '093000'): string {
	return `D:${day.replaceAll('-', '')}${time}Z`;
}
