import { NewFileSchema, UploadAddressSchema, uploadAddressFor } from '../http/documentRequests.ts';
import { defineTool } from './tool.ts';

export const uploadUrl = defineTool({
	name: 'upload_url',
	description:
		'Creates a document and returns the address to which the bytes of its file are sent: an HTTP PUT ' +
		'with exactly this mimetype as Content-Type, without the access token. For files of any size. ' +
		'Continue with convert_document.',
	readOnly: false,
	inputSchema: NewFileSchema,
	resultSchema: UploadAddressSchema,
	run: async ({ services, caller }, file) => uploadAddressFor(services, caller, file),
});
