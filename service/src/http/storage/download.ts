import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ACCEPTED_TYPES } from '../../documents/acceptedTypes.ts';
import { findDocumentByKey } from '../../documents/documents.ts';
import { attachment } from '../contentDisposition.ts';
import type { Services } from '../services.ts';
import { assertPermitted, keyOf, noSuchDocument } from './permission.ts';

/**
 * The storage address behind `downloads3` (section 2.3): GET gives the bytes of a document as they were
 * uploaded. It needs no token; the signature in the address is the permission.
 */
export const downloadRoute: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { addresses, db, store } = services;

	app.route({
		method: 'GET',
		url: '/storage/documents/:contract/:file',
		// The answer to HEAD would be made by reading the whole file.
		exposeHeadRoute: false,
		schema: {
			operationId: 'downloadBytes',
			tags: ['Storage'],
			errors: ['not_found', 'signature_mismatch', 'address_expired'],
			summary: 'Gives the bytes of a document at its presigned address',
			params: Type.Object({ contract: Type.String(), file: Type.String() }),
			querystring: Type.Object({
				expires: Type.String(),
				signature: Type.String(),
			}),
			response: {
				200: {
					description: 'The bytes as they were uploaded',
					headers: {
						'Content-Length': Type.Integer({ minimum: 1 }),
						'Content-Disposition': Type.String({ description: 'The name of the document' }),
					},
					content: Object.fromEntries(ACCEPTED_TYPES.map((type) => [type, { schema: {} }])),
				},
			},
		},
		onRequest: async (request) => {
			assertPermitted(addresses, 'GET', keyOf(request.params), request.query);
		},
		handler: async (request, reply) => {
			const document = await findDocumentByKey(db, keyOf(request.params));
			const file =
				document === undefined || document.stored_file === null
					? null
					: await store.open(document.stored_file);
			if (document === undefined || file === null) throw noSuchDocument();
			void reply
				.type(document.mimetype)
				.header('content-length', file.size)
				.header('content-disposition', attachment(document.originalname))
				// The bytes come from a stranger: a browser saves them and takes them for nothing else.
				.header('x-content-type-options', 'nosniff')
				.header('cache-control', 'private, no-store')
				.header('accept-ranges', 'none');
			return await reply.send(file.bytes);
		},
	});
};
