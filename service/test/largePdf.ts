const CHUNK = 1024 * 1024;

/**
 * A valid PDF of about this many bytes with two pages, a megabyte at a time: most of it is one stream
 * that no page uses.
 *
 * @param options.index false: the address of the cross-reference table is wrong, as after a bad repair
 */
export function* largePdf(size: number, { index = true } = {}): Generator<Buffer> {
	let length = 0;
	const offsets: number[] = [];
	const made = (text: string): Buffer => {
		const bytes = Buffer.from(text, 'latin1');
		length += bytes.length;
		return bytes;
	};
	const object = (text: string): Buffer => {
		offsets.push(length);
		return made(`${offsets.length} 0 obj\n${text}\nendobj\n`);
	};
	yield made('%PDF-1.4\n');
	yield object('<< /Type /Catalog /Pages 2 0 R >>');
	yield object('<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>');
	yield object('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>');
	yield object('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>');
	offsets.push(length);
	const filling = Math.ceil(size / CHUNK) * CHUNK;
	yield made(`5 0 obj\n<< /Length ${filling} >>\nstream\n`);
	const chunk = Buffer.alloc(CHUNK, 'filling ');
	for (let written = 0; written < filling; written += CHUNK) yield chunk;
	length += filling;
	yield made('\nendstream\nendobj\n');
	const table = index ? length : 12_345;
	const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
	yield made(
		`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries.join('')}` +
			`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`,
	);
}
