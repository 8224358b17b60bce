/**
 * The values that a PDF file is written in. Only as much as is needed to look at a file's structure:
 * what cannot be understood becomes null, and nothing here throws.
 */
export type PdfValue = number | boolean | null | PdfName | PdfText | PdfRef | PdfValue[] | PdfDict;

export interface PdfName {
	kind: 'name';
	name: string;
}

export interface PdfText {
	kind: 'text';
	/** One character a byte. */
	text: string;
}

export interface PdfRef {
	kind: 'ref';
	number: number;
}

export interface PdfDict {
	kind: 'dict';
	entries: Map<string, PdfValue>;
}

/** Nested deeper than this a value is given up. */
const DEEPEST = 24;
/** A dictionary or array with more entries than this is cut off. */
const MOST_ENTRIES = 20_000;

const isSpace = (byte: number) =>
	byte === 32 || byte === 10 || byte === 13 || byte === 9 || byte === 12 || byte === 0;
/** The characters that end a word and begin something else. */
export const isDelimiter = (byte: number) =>
	byte === 40 ||
	byte === 41 ||
	byte === 60 ||
	byte === 62 ||
	byte === 91 ||
	byte === 93 ||
	byte === 123 ||
	byte === 125 ||
	byte === 47 ||
	byte === 37;

/** Reads values from bytes, from a place to another. */
export class PdfParser {
	readonly #bytes: Uint8Array;
	readonly #end: number;
	position: number;

	constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
		this.#bytes = bytes;
		this.position = position;
		this.#end = Math.min(end, bytes.length);
	}

	skipSpace(): void {
		for (;;) {
			const byte = this.#bytes[this.position];
			if (byte === undefined || this.position >= this.#end) return;
			if (isSpace(byte)) this.position++;
			else if (byte === 37) {
				while (this.position < this.#end) {
					const next = this.#bytes[this.position];
					if (next === 10 || next === 13) break;
					this.position++;
				}
			} else return;
		}
	}

	/** True, and past it, where the word stands next. */
	takes(word: string): boolean {
		this.skipSpace();
		for (let index = 0; index < word.length; index++) {
			if (this.#bytes[this.position + index] !== word.charCodeAt(index)) return false;
		}
		this.position += word.length;
		return true;
	}

	/** The next value; `undefined` at a closing bracket, an operator or the end. */
	value(depth = 0): PdfValue | undefined {
		this.skipSpace();
		const byte = this.#bytes[this.position];
		if (byte === undefined || this.position >= this.#end || depth > DEEPEST) return undefined;
		if (byte === 47) return this.#name();
		if (byte === 40) return this.#literal();
		if (byte === 91) return this.#array(depth);
		if (byte === 60) {
			return this.#bytes[this.position + 1] === 60 ? this.#dict(depth) : this.#hexadecimal();
		}
		if ((byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46)
			return this.#number();
		if (this.takes('true')) return true;
		if (this.takes('false')) return false;
		if (this.takes('null')) return null;
		return undefined;
	}

	#word(): string {
		const start = this.position;
		while (this.position < this.#end) {
			const byte = this.#bytes[this.position] as number;
			if (isSpace(byte) || isDelimiter(byte)) break;
			this.position++;
		}
		return latin1(this.#bytes, start, Math.min(this.position, start + 256));
	}

	#name(): PdfName {
		this.position++;
		const name = this.#word().replaceAll(/#([0-9a-fA-F]{2})/g, (_, code: string) =>
			String.fromCharCode(parseInt(code, 16)),
		);
		return { kind: 'name', name };
	}

	/** A number, or a reference where two whole numbers and an R follow each other. */
	#number(): PdfValue {
		const start = this.position;
		const number = Number(this.#word());
		if (this.position === start) this.position++;
		if (!Number.isInteger(number) || number < 0) return Number.isFinite(number) ? number : null;
		const back = this.position;
		this.skipSpace();
		const second = this.position;
		while (
			(this.#bytes[this.position] as number) >= 48 &&
			(this.#bytes[this.position] as number) <= 57
		)
			this.position++;
		if (this.position > second && this.position - second < 6) {
			this.skipSpace();
			const after = this.#bytes[this.position + 1];
			if (
				this.#bytes[this.position] === 82 &&
				(after === undefined || isSpace(after) || isDelimiter(after))
			) {
				this.position++;
				return { kind: 'ref', number };
			}
		}
		this.position = back;
		return number;
	}

	#literal(): PdfText {
		const start = ++this.position;
		let depth = 1;
		let text = '';
		while (this.position < this.#end) {
			const byte = this.#bytes[this.position++] as number;
			if (byte === 92) {
				const escaped = this.#bytes[this.position++] ?? 0;
				const octal = /^[0-7]{1,3}/.exec(latin1(this.#bytes, this.position - 1, this.position + 2));
				if (octal) {
					text += String.fromCharCode(parseInt(octal[0], 8) & 255);
					this.position += octal[0].length - 1;
				} else if (escaped !== 10 && escaped !== 13) {
					text += ESCAPED[String.fromCharCode(escaped)] ?? String.fromCharCode(escaped);
				}
				continue;
			}
			if (byte === 40) depth++;
			if (byte === 41 && --depth === 0) break;
			if (this.position - start < 65_536) text += String.fromCharCode(byte);
		}
		return { kind: 'text', text };
	}

	#hexadecimal(): PdfText {
		const start = ++this.position;
		while (this.position < this.#end && this.#bytes[this.position] !== 62) this.position++;
		const digits = latin1(this.#bytes, start, Math.min(this.position, start + 65_536)).replaceAll(
			/[^0-9a-fA-F]/g,
			'',
		);
		this.position++;
		return { kind: 'text', text: Buffer.from(digits, 'hex').toString('latin1') };
	}

	#array(depth: number): PdfValue[] {
		this.position++;
		const values: PdfValue[] = [];
		for (let count = 0; count < MOST_ENTRIES; count++) {
			const value = this.value(depth + 1);
			if (value === undefined) break;
			values.push(value);
		}
		this.takes(']');
		return values;
	}

	#dict(depth: number): PdfDict {
		this.position += 2;
		const entries = new Map<string, PdfValue>();
		for (let count = 0; count < MOST_ENTRIES; count++) {
			this.skipSpace();
			if (this.#bytes[this.position] !== 47) break;
			const { name } = this.#name();
			const value = this.value(depth + 1);
			if (value === undefined) break;
			entries.set(name, value);
		}
		this.takes('>>');
		return { kind: 'dict', entries };
	}
}

const ESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

export function latin1(bytes: Uint8Array, start: number, end: number): string {
	const from = Math.max(0, Math.min(start, bytes.length));
	const to = Math.max(from, Math.min(end, bytes.length));
	return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
}

export function isDict(value: PdfValue | undefined): value is PdfDict {
	return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'dict';
}

export function isRef(value: PdfValue | undefined): value is PdfRef {
	return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'ref';
}

export function nameOf(value: PdfValue | undefined): string | null {
	return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'name'
		? value.name
		: null;
}

export function textOf(value: PdfValue | undefined): string | null {
	return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'text'
		? value.text
		: null;
}
