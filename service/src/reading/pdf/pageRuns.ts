import { Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextRun } from './textRuns.ts';

/** The page as a person sees it, and its runs of text in the order in which the file paints them. */
export interface PageRuns {
	width: number;
	height: number;
	/** Leads from the coordinates of the file to those of the runs. */
	transform: readonly number[];
	runs: TextRun[];
}

/** Reads the text layer of one page; positions in points from its top left corner. */
export async function pageRuns(page: PDFPageProxy): Promise<PageRuns> {
	const viewport = page.getViewport({ scale: 1 });
	const transform = viewport.transform as number[];
	const scale = Math.hypot(transform[0] ?? 1, transform[1] ?? 0);
	const content = await page.getTextContent({ includeMarkedContent: false });
	const runs: TextRun[] = [];
	for (const item of content.items) {
		if (!('str' in item)) continue;
		const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = Util.transform(transform, item.transform);
		const length = Math.hypot(a, b);
		if (length === 0 || ![length, x, y, item.width].every(Number.isFinite)) continue;
		runs.push({
			text: item.str,
			x,
			y,
			directionX: a / length,
			directionY: b / length,
			width: item.width * scale,
			fontSize: Math.hypot(c, d) || length,
			monospaced: content.styles[item.fontName]?.fontFamily === 'monospace',
			font: item.fontName,
		});
		// The end of a line ends a word, whatever comes next.
		if (item.hasEOL) runs.push({ ...(runs.at(-1) as TextRun), text: ' ', width: 0 });
	}
	return { width: viewport.width, height: viewport.height, transform, runs };
}
