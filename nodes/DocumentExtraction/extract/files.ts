import type { IExecuteFunctions } from 'n8n-workflow';

import type { OutputMode } from '../../shared/extraction';
import { accessOf, type Access } from '../../shared/transport/access';
import { operationFailure } from '../../shared/transport/failures';
import type { InputFile } from '../../shared/transport/file';
import { fieldNames, inputFile } from '../../shared/transport/inputFile';
import type { DocumentKind } from '../../shared/transport/jobs';
import { remoteFile } from '../../shared/transport/remoteFile';
import { documentKindOf, waitLimitMs } from '../actions/fields';

interface FileOptions {
	fileName?: string;
	mimeType?: string;
	waitLimit?: number;
}

/** An item whose settings and files have been checked. Nothing has been sent yet. */
export interface PreparedItem {
	itemIndex: number;
	access: Access;
	files: InputFile[];
	kind: DocumentKind;
	jobMode: 'jobPerFile' | 'jobForAll';
	output: OutputMode;
	limitMs: number;
}

const OUTPUTS: readonly OutputMode[] = ['transactions', 'accounts', 'documents', 'raw'];

/** The file at 'URL' or those named in 'Input Data Field Name', checked. Throws NodeOperationError for the first bad one. */
export async function filesOfItem(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<InputFile[]> {
	const { fileName, mimeType } = this.getNodeParameter('options', itemIndex, {}) as FileOptions;
	const overrides = {
		...(mimeType === undefined ? {} : { mimeType }),
		...(fileName === undefined ? {} : { fileName }),
	};
	if (this.getNodeParameter('fileFrom', itemIndex, 'inputData') === 'url') {
		const url = String(this.getNodeParameter('fileUrl', itemIndex, '') ?? '').trim();
		return [await remoteFile.call(this, itemIndex, url, overrides)];
	}
	const list = String(this.getNodeParameter('inputDataFieldName', itemIndex, 'data') ?? '');
	const names = fieldNames(list);
	if (names.length === 0) {
		throw operationFailure(this.getNode(), "No field is named in 'Input Data Field Name'", {
			itemIndex,
			description: "Enter the name of the input field that holds the file, for example 'data'",
		});
	}
	const files: InputFile[] = [];
	for (const name of names) {
		// One name for several files would make them look the same.
		const own = names.length === 1 ? overrides : { ...overrides, fileName: '' };
		files.push(await inputFile.call(this, itemIndex, name, own));
	}
	return files;
}

/** Reads and checks everything that Extract needs to know about an item. */
export async function prepareItem(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<PreparedItem> {
	const options = this.getNodeParameter('options', itemIndex, {}) as FileOptions;
	const output = this.getNodeParameter('output', itemIndex, 'transactions') as OutputMode;
	if (!OUTPUTS.includes(output)) {
		throw operationFailure(this.getNode(), `The value '${output}' in 'Output' is not known`, {
			itemIndex,
			description: `Use one of ${OUTPUTS.join(', ')}`,
		});
	}
	// One decision for the whole run: items cannot differ in whether they share a job.
	const jobMode = this.getNodeParameter('jobMode', 0, 'jobPerFile');
	return {
		itemIndex,
		kind: documentKindOf.call(this, itemIndex),
		jobMode: jobMode === 'jobForAll' ? 'jobForAll' : 'jobPerFile',
		output,
		limitMs: waitLimitMs.call(this, options.waitLimit ?? 10, itemIndex),
		access: await accessOf.call(this, itemIndex),
		files: await filesOfItem.call(this, itemIndex),
	};
}
