import { generateStatement } from '../documents/index.ts';
import type { GeneratedStatement, LayoutOptions } from '../documents/index.ts';
import { Sheet } from '../documents/sheet.ts';
import type { TextStyle } from '../documents/sheet.ts';

/** One text that a layout puts on its sheet. */
export interface TextCall {
	/** Counts from 0 in the order in which the layout draws. */
	index: number;
	/** Counts from 1. */
	page: number;
	text: string;
	x: number;
	/** Top of the text, in points from the top of the page. */
	y: number;
	style: TextStyle;
}

export interface RecordedStatement extends GeneratedStatement {
	calls: TextCall[];
}

export interface Retouching {
	/** What is drawn in place of a text; nothing where the list is empty. */
	retype?: (call: TextCall) => readonly Omit<TextCall, 'index' | 'page'>[];
	/** Draws on the finished sheet; it turns to the page that it draws on itself. */
	atEnd?: (sheet: Sheet, write: Sheet['text']) => void;
}

/**
 * Draws a layout and records each text that it writes; what it writes can be changed on the way, as
 * somebody does who sets the statement anew in the same program.
 */
export async function drawRecorded(
	layout: string,
	options: LayoutOptions,
	{ retype, atEnd }: Retouching = {},
): Promise<RecordedStatement> {
	const calls: TextCall[] = [];
	const { text: write, finish } = Sheet.prototype;
	const pages: unknown[] = [];
	Sheet.prototype.text = function (text, x, y, style = {}) {
		if (!pages.includes(this.doc.page)) pages.push(this.doc.page);
		const page = pages.indexOf(this.doc.page) + 1;
		const call = { index: calls.length, page, text, x, y, style };
		calls.push(call);
		for (const put of retype ? retype(call) : [call])
			write.call(this, put.text, put.x, put.y, put.style);
	};
	Sheet.prototype.finish = async function () {
		atEnd?.(this, write.bind(this));
		return await finish.call(this);
	};
	try {
		return { ...(await generateStatement(layout, options)), calls };
	} finally {
		Sheet.prototype.text = write;
		Sheet.prototype.finish = finish;
	}
}
