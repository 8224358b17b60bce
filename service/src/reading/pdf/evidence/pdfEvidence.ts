/**
 * What a PDF file tells about how it was made and changed. It states what is there; what that means
 * is decided under `fraud/analysis/`. Boxes are in points from the top left corner of the page, as in
 * `extraction/page.ts`.
 */
export interface PdfEvidence {
	/** The information dictionary; null for what is not said. */
	info: PdfMetadata;
	/** The same from the XMP packet; null where the file has none. */
	xmp: PdfMetadata | null;
	/** Oldest first; a file that was written once has one. */
	revisions: PdfRevision[];
	pages: PageEvidence[];
	/** What was not looked at, in plain words. Empty where all was. */
	notLookedAt: string[];
}

export interface PdfMetadata {
	producer: string | null;
	creator: string | null;
	/** ISO 8601 in UTC; where the file names no time zone, as if it were UTC. */
	created: string | null;
	modified: string | null;
}

/** One writing of the file: the first, or an update that was appended to it. */
export interface PdfRevision {
	/** Bytes of the file when this revision was its end. */
	length: number;
	info: PdfMetadata;
	/** The pages whose content this revision changed; empty for the first. */
	changedPages: ChangedPage[];
	/** It adds signature fields, or says that it is a signature. */
	signs: boolean;
	/** It adds or changes annotations that are painted over the page; each is listed with its page too. */
	annotates: boolean;
}

export interface ChangedPage {
	pageNumber: number;
	/** `added`: what was there stayed as it was, and content was appended. */
	kind: 'added' | 'replaced';
	/** Null where the page of before could not be read. */
	differences: TextDifference[] | null;
}

/** Words at one place, before and after; one of them is empty where words were added or removed. */
export interface TextDifference {
	before: string;
	after: string;
	bbox: Box;
}

export interface Box {
	x0: number;
	y0: number;
	x1: number;
	y1: number;
}

export interface PageEvidence {
	number: number;
	width: number;
	height: number;
	/** Upright runs of text in the order in which the page paints them. */
	runs: TextPiece[];
	/** Text that was painted and then covered by an area. */
	covers: Cover[];
	/** Annotations that are painted over the page. */
	annotations: PageAnnotation[];
	/** A picture as large as the page, and its text not painted: a scan with recognised text. */
	isScan: boolean;
}

export interface TextPiece {
	text: string;
	/** Start of the baseline. */
	x: number;
	y: number;
	width: number;
	fontSize: number;
	/** Name of the font without the mark of its subset where it is known; else a name within the file. */
	font: string;
}

export interface Cover {
	bbox: Box;
	kind: 'fill' | 'picture';
	/** `white`: about the colour of paper. */
	shade: 'white' | 'other' | 'unknown';
	/** What it hides, from left to right. */
	hidden: string;
	/** What is painted over it afterwards; empty where nothing is. */
	over: string;
}

export interface PageAnnotation {
	/** FreeText, Stamp, Square, … */
	subtype: string;
	bbox: Box;
	contents: string;
}
