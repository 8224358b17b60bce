import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What is really in the PDF, read without any code of the service. */
export interface TextLayer {
	/** Each page's pieces of text as the file holds them. */
	pages: string[][];
}

export async function readTextLayer(pdf: Buffer, password?: string): Promise<TextLayer> {
	const task = getDocument({
		data: new Uint8Array(pdf),
		verbosity: 0,
		...(password !== undefined && { password }),
	});
	try {
		const document = await task.promise;
		const pages: string[][] = [];
		for (let number = 1; number <= document.numPages; number++) {
			const page = await document.getPage(number);
			const content = await page.getTextContent();
			const pieces: string[] = [];
			for (const item of content.items) {
				if ('str' in item && item.str.trim() !== '') pieces.push(item.str);
			}
			pages.push(pieces);
			page.cleanup();
		}
		return { pages };
	} finally {
		await task.destroy();
	}
}
