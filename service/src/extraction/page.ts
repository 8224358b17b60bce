/**
 * The only input of everything under `extraction/`: text with its place on the page.
 *
 * Units are PDF points (1/72 inch). The origin is the top left corner of the page as a person sees
 * it (rotation already applied), x grows to the right and y grows downwards.
 */
export interface Word {
	/** Text without surrounding white space; never empty. */
	text: string;
	x0: number;
	y0: number;
	x1: number;
	/** Baseline side of the box; `y1 - y0` is close to the font size. */
	y1: number;
	fontSize: number;
	/** Degrees counter-clockwise; 0 for upright text. Watermarks are usually not 0. */
	angle: number;
}

export interface Page {
	/** Counts from 1. */
	number: number;
	width: number;
	height: number;
	/** In reading order of the file, which need not be the order on the page. */
	words: Word[];
}
