import type { INodeProperties } from 'n8n-workflow';

import { documentByIdField } from '../fields';

export const analysedDocumentField: INodeProperties = {
	...documentByIdField,
	description: 'The bank statement, by the ID of its document. Its job must have succeeded.',
};
