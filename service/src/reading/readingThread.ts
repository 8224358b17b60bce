import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { extractedDocument } from '../documents/extractedDocument.ts';
import { extractStatement } from '../extraction/statements/extractStatement.ts';
import { UnreadableDocumentError } from '../extraction/unreadable.ts';
import { analyseStatement } from '../fraud/analysis/analyseStatement.ts';
import type { AnalysisInput, FraudAnalysis } from '../fraud/analysis/fraudSignal.ts';
import { assertReadableType } from './fileType.ts';
import { EvidenceCollector } from './pdf/evidence/evidenceCollector.ts';
import { inspectPdf } from './pdf/inspectPdf.ts';
import { readPdf } from './pdf/readPdf.ts';
import type { ThreadMessage, ThreadOrder } from './readingPool.ts';

// The body of a reading thread: one order at a time, one answer an order. Everything that may hang,
// crash or use up memory over a stranger's file happens here and nowhere else.

if (parentPort === null) throw new Error('This file is started as a worker thread.');
const port = parentPort;

port.on('message', (order: ThreadOrder) => {
	carryOut(order).then(
		(message) => port.postMessage(message),
		(error: unknown) => port.postMessage(answerTo(error)),
	);
});
port.postMessage({ kind: 'ready' } satisfies ThreadMessage);

async function carryOut(order: ThreadOrder): Promise<ThreadMessage> {
	return order.kind === 'read'
		? await read(order)
		: { kind: 'inspected', pdf: await inspectPdf(order.path) };
}

async function read(order: Extract<ThreadOrder, { kind: 'read' }>): Promise<ThreadMessage> {
	const bytes = new Uint8Array(await readFile(order.path));
	assertReadableType(bytes, order.mimetype);
	const evidence = new EvidenceCollector(bytes);
	const pages = await readPdf(bytes, {
		maxPages: order.maxPages,
		evidence,
		...(order.password === null ? {} : { password: order.password }),
	});
	const statement = extractStatement(pages);
	return {
		kind: 'extracted',
		document: extractedDocument(statement, pages.length),
		fraud: analysed({ statement, pages, pdf: evidence.evidence }),
	};
}

function analysed(input: AnalysisInput): FraudAnalysis | null {
	try {
		return analyseStatement(input);
	} catch {
		return null;
	}
}

function answerTo(error: unknown): ThreadMessage {
	if (error instanceof UnreadableDocumentError) {
		return { kind: 'unreadable', code: error.code, message: error.message };
	}
	const fault = error instanceof Error ? error : new Error(String(error));
	// The message may quote the document, so only the kind of error and its place are passed on.
	const place = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
	const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : fault.name;
	return { kind: 'fault', code, place: place.slice(0, 8).join('\n') };
}
