import type { INodeProperties } from 'n8n-workflow';

import { documentIdField } from '../fields';

/** Without a list: the service lists documents for an access token only. */
export const analysedDocumentField: INodeProperties = {
	...documentIdField,
	description: 'The bank statement, by the ID of its document. Its job must have succeeded.',
	modes: documentIdField.modes?.filter(({ name }) => name === 'id'),
};
