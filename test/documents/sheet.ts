import PDFDocument from 'pdfkit';

export type Align = 'left' | 'right' | 'center';

export interface TextStyle {
	/** A standard font of PDF. */
	font?: string;
	/** Points. */
	size?: number;
	color?: string;
	/** What `x` means: the left edge, the right edge or the middle of the text. */
	align?: Align;
	/** Breaks lines at this width, in points; only for running text. */
	width?: number;
	lineGap?: number;
}

/** Fixed, so that the same seed gives the same bytes (the file id is made from it too). */
const WRITTEN = new Date(Date.UTC(2026, 0, 15, 9, 30, 0));

/** A PDF document with text at exact places; the origin is the top left corner, units are points. */
export class Sheet {
	readonly doc: PDFKit.PDFDocument;
	readonly width: number;
	readonly height: number;
	/** Of the page that is drawn on, counting from 1. */
	pageNumber = 1;
	private readonly chunks: Buffer[] = [];
	private readonly pieces: 'lines' | 'words';
	private readonly order: 'asDrawn' | 'byColumn';
	private readonly rotated: boolean;
	private waiting: { text: string; left: number; y: number; style: TextStyle }[] = [];

	constructor(options: {
		size: 'LETTER' | 'A4';
		title: string;
		author: string;
		/** `words`: each word is a piece of text of its own in the file, as many programs write it. */
		pieces?: 'lines' | 'words';
		/** `byColumn`: the file holds a page's texts from left to right, not from top to bottom. */
		order?: 'asDrawn' | 'byColumn';
		/** A landscape page that the file holds upright with the instruction to turn it. */
		rotated?: boolean;
		security?: { userPassword: string; ownerPassword: string };
	}) {
		this.pieces = options.pieces ?? 'lines';
		this.order = options.order ?? 'asDrawn';
		this.rotated = options.rotated ?? false;
		this.doc = new PDFDocument({
			size: options.size,
			margin: 0,
			bufferPages: true,
			pdfVersion: '1.4',
			info: {
				Title: options.title,
				Author: options.author,
				Producer: 'Statement Composition 7.2',
				CreationDate: WRITTEN,
				ModDate: WRITTEN,
			},
			...options.security,
		});
		this.doc.on('data', (chunk: Buffer) => this.chunks.push(chunk));
		const { width, height } = this.doc.page;
		this.width = this.rotated ? height : width;
		this.height = this.rotated ? width : height;
		this.turn();
	}

	private turn(): void {
		if (!this.rotated) return;
		Object.assign(this.doc.page.dictionary.data, { Rotate: 90 });
		this.doc.transform(0, -1, 1, 0, 0, this.width);
	}

	addPage(): void {
		this.writeWaiting();
		this.doc.addPage();
		this.turn();
		this.pageNumber++;
	}

	/** Width in points of text on one line. */
	measure(text: string, style: TextStyle = {}): number {
		this.doc.font(style.font ?? 'Helvetica').fontSize(style.size ?? 9);
		return this.doc.widthOfString(text);
	}

	/** `y` is the top of the text. */
	text(text: string, x: number, y: number, style: TextStyle = {}): void {
		const taken = this.measure(text, style);
		const left = x - (style.align === 'right' ? taken : style.align === 'center' ? taken / 2 : 0);
		if (style.width !== undefined) {
			this.doc.fillColor(style.color ?? '#1a1a1a');
			this.doc.text(text, x, y, { width: style.width, lineGap: style.lineGap ?? 1 });
		} else if (this.order === 'byColumn') {
			this.waiting.push({ text, left, y, style });
		} else {
			this.write(text, left, y, style);
		}
	}

	private write(text: string, left: number, y: number, style: TextStyle): void {
		this.doc.font(style.font ?? 'Helvetica').fontSize(style.size ?? 9);
		this.doc.fillColor(style.color ?? '#1a1a1a');
		if (this.pieces === 'lines') {
			this.doc.text(text, left, y, { lineBreak: false });
			return;
		}
		for (const match of text.matchAll(/[^ ]+/g)) {
			const before = this.doc.widthOfString(text.slice(0, match.index));
			this.doc.text(match[0], left + before, y, { lineBreak: false });
		}
	}

	private writeWaiting(): void {
		const waiting = this.waiting.sort((a, b) => a.left - b.left || a.y - b.y);
		this.waiting = [];
		for (const { text, left, y, style } of waiting) this.write(text, left, y, style);
	}

	/** Lines below each other; gives the `y` below the last one. */
	lines(
		lines: readonly string[],
		x: number,
		y: number,
		leading: number,
		style: TextStyle = {},
	): number {
		for (const [index, line] of lines.entries()) this.text(line, x, y + index * leading, style);
		return y + lines.length * leading;
	}

	/** Cuts text to a width, as banks do with long descriptions. */
	clip(text: string, width: number, style: TextStyle = {}): string {
		let clipped = text;
		while (this.measure(clipped, style) > width) clipped = clipped.slice(0, -1).trimEnd();
		return clipped;
	}

	rule(x0: number, x1: number, y: number, width = 0.5, color = '#444444'): void {
		this.doc.moveTo(x0, y).lineTo(x1, y).lineWidth(width).strokeColor(color).stroke();
	}

	fill(x: number, y: number, width: number, height: number, color: string): void {
		this.doc.rect(x, y, width, height).fill(color);
	}

	frame(x: number, y: number, width: number, height: number, color = '#444444', line = 0.6): void {
		this.doc.rect(x, y, width, height).lineWidth(line).strokeColor(color).stroke();
	}

	/** Large pale letters across the page, which stay in the text layer. */
	watermark(text: string): void {
		this.doc.save();
		this.doc.rotate(-38, { origin: [this.width / 2, this.height / 2] });
		this.text(text, this.width / 2, this.height / 2 - 30, {
			font: 'Helvetica-Bold',
			size: 58,
			color: '#ececec',
			align: 'center',
		});
		this.doc.restore();
	}

	get pageCount(): number {
		return this.doc.bufferedPageRange().count;
	}

	/** Draws on every page again, now that their number is known. */
	onEveryPage(draw: (page: number, pages: number) => void): void {
		this.writeWaiting();
		const pages = this.pageCount;
		for (let page = 1; page <= pages; page++) {
			this.doc.switchToPage(page - 1);
			draw(page, pages);
			this.writeWaiting();
		}
	}

	async finish(): Promise<Buffer> {
		this.writeWaiting();
		const ended = new Promise<void>((resolve, reject) => {
			this.doc.on('end', resolve);
			this.doc.on('error', reject);
		});
		this.doc.end();
		await ended;
		return Buffer.concat(this.chunks);
	}
}
