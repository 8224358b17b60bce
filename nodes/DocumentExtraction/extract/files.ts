import type { IExecuteFunctions } from 'n8n-workflow';

import type { OutputMode } from '../../shared/extraction';
import { accessOf, type Access } from '../../shared/transport/access';
import { operationFailure } from '../../shared/transport/failures';
import { fieldNames, inputFile, type InputFile } from '../../shared/transport/inputFile';
import type { DocumentKind } from '../../shared/transport/jobs';
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

/** The files named in 'Input Data Field Name', checked. Throws NodeOperationError for the first bad one. */
export async function filesOfItem(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<InputFile[]> {
	const list = String(this.getNodeParameter('inputDataFieldName', itemIndex, 'data') ?? '');
	const { fileName, mimeType } = this.getNodeParameter('options', itemIndex, {}) as FileOptions;
	const names = fieldNames(list);
	if (names.length === 0) {
		throw operationFailure(this.getNode(), "No field is named in 'Input Data Field Name'", {
			itemIndex,
			description: "Enter the name of the input field that holds the file, for example 'data'",
		});
	}
	const files: InputFile[] = [];
	for (const name of names) {
		const overrides = {
			...(mimeType === undefined ? {} : { mimeType }),
			...(fileName === undefined || names.length > 1 ? {} : { fileName }),
		};
		files.push(await inputFile.call(this, itemIndex, name, overrides));
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
