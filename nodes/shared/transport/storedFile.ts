import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { refusalOf, type Answer } from './answer';
import { systemClock, type Clock } from './clock';
import { operationFailure, type Failure, type Task } from './failures';
import { plainName } from './file';
import { header, openAddress } from './openAddress';
import { noAnswerFrom, type Attempt } from './request';
import type { FileStream } from './streams';
import { transfer } from './transfer';

/** A file that n8n keeps now, to go into an item. */
export interface StoredFile {
	binary: IBinaryData;
	fileName: string;
	mimeType: string;
	/** In bytes. */
	size: number;
}

/** How a file is called in n8n. */
export interface FileLabel {
	fileName: string;
	mimeType: string;
}

async function sizeOf(this: IExecuteFunctions, { id, data }: IBinaryData): Promise<number> {
	if (id === undefined || id === '') return Buffer.from(data, 'base64').length;
	return Number((await this.helpers.getBinaryMetadata(id)).fileSize);
}

/**
 * Puts bytes into n8n's storage, a stream piece by piece. Throws what a stream that breaks off throws;
 * one that ends before the announced length counts as such.
 */
export async function keepFile(
	this: IExecuteFunctions,
	content: Buffer | FileStream,
	headers: Record<string, unknown>,
	label: FileLabel,
): Promise<StoredFile> {
	const fileName = plainName(label.fileName) || 'document';
	const binary = await this.helpers.prepareBinaryData(content, fileName, label.mimeType);
	const size = await sizeOf.call(this, binary);
	const told = header(headers, 'content-length');
	if (told !== undefined && /^\d+$/.test(told) && Number(told) !== size) {
		throw new Error('the file ended early');
	}
	return { binary, fileName, mimeType: label.mimeType, size };
}

function storageFailure(this: IExecuteFunctions, answer: Answer, task: Task): Failure {
	const { code, message } = refusalOf(answer);
	const said = message === undefined ? ` (status ${answer.status})` : `: ${message}`;
	return operationFailure(this.getNode(), `The storage did not ${task.doing}${said}`, {
		...(task.itemIndex === undefined ? {} : { itemIndex: task.itemIndex }),
		description:
			answer.status === 403
				? 'The address of the file has expired or was changed on its way. Run the node again: it asks for a new one'
				: 'Check that the storage of the service can be reached from the machine on which n8n runs, then run the node again',
		details: { ...task.details, httpStatus: answer.status, code },
	});
}

/**
 * Streams the file at a signed address into n8n's storage. No credential goes with it. `labelOf` names
 * the file by the headers of the answer. A transfer that breaks off is repeated. Throws
 * NodeOperationError.
 */
export async function keepFileAt(
	this: IExecuteFunctions,
	url: string,
	labelOf: (headers: Record<string, unknown>) => FileLabel,
	task: Task,
	clock: Clock = systemClock,
): Promise<StoredFile> {
	let file: StoredFile | undefined;
	const once = async (): Promise<Attempt> => {
		const opened = await openAddress.call(this, url);
		if (opened.kind === 'refused') return { kind: 'answer', answer: opened.answer };
		if (opened.kind !== 'opened') return opened;
		const { stream, headers } = opened;
		try {
			file = await keepFile.call(this, stream, headers, labelOf(headers));
			return { kind: 'answer', answer: { status: 200, headers, text: '' } };
		} catch (error) {
			stream.destroy();
			if (this.getExecutionCancelSignal()?.aborted) return { kind: 'cancelled' };
			return noAnswerFrom(error);
		}
	};
	const broken = {
		message: `The connection to the storage broke off, which did not ${task.doing}`,
		description: 'Check the way from n8n to the storage of the service',
	};
	const answer = await transfer.call(this, once, task, broken, clock);
	if (file === undefined) throw storageFailure.call(this, answer, task);
	return file;
}
