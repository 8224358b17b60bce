import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
	createAccessToken,
	listAccessTokens,
	revokeAccessToken,
} from '../../accounts/managedTokens.ts';
import { numericId } from '../../documents/documentId.ts';
import { accountOf } from '../authentication.ts';
import { HttpError, notFound } from '../errors.ts';
import { IdLike, idParams, Moment, nullable } from '../schemas.ts';
import type { Services } from '../services.ts';

const LONGEST_NAME = 200;

const TokenFields = {
	id: IdLike,
	name: Type.String(),
	createdAt: Moment,
	revokedAt: nullable(Moment),
};

/**
 * The access tokens of the contract, for its owner (docs/interface-choices.md, "Access tokens and
 * JWTs"). They stand in for the page of the web interface of section 5.3.
 */
export const accessTokenRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db } = services;

	app.route({
		method: 'GET',
		url: '/accessTokens',
		schema: {
			operationId: 'legacyGetAccessTokens',
			tags: ['Access tokens'],
			summary: 'Lists the access tokens, the revoked ones too, oldest first',
			response: {
				200: Type.Object({ accessTokens: Type.Array(Type.Object(TokenFields)) }),
			},
		},
		handler: async (request) => ({
			accessTokens: await listAccessTokens(db, accountOf(request).contractId),
		}),
	});

	app.route({
		method: 'POST',
		url: '/accessTokens',
		schema: {
			operationId: 'legacyCreateAccessToken',
			tags: ['Access tokens'],
			summary: 'Creates an access token; the answer is the only one that shows it',
			body: Type.Object({
				name: Type.String({
					minLength: 1,
					maxLength: LONGEST_NAME,
					description: 'What it is for, to tell it from others',
				}),
			}),
			response: {
				201: Type.Object({
					...TokenFields,
					token: Type.String({ description: '`dex_pat_` and 43 base64url characters' }),
				}),
			},
		},
		handler: async (request, reply) => {
			const created = await createAccessToken(db, accountOf(request), nameOf(request.body.name));
			// Nothing on the way may keep it.
			void reply.header('cache-control', 'no-store');
			return await reply.status(201).send(created);
		},
	});

	app.route({
		method: 'DELETE',
		url: '/accessTokens/:id',
		schema: {
			operationId: 'legacyRevokeAccessToken',
			tags: ['Access tokens'],
			errors: ['not_found'],
			summary: 'Revokes an access token at once; what was made with it stays',
			params: idParams('access token'),
			response: { 204: Type.Null() },
		},
		handler: async (request, reply) => {
			const id = numericId(request.params.id);
			const { contractId } = accountOf(request);
			if (id === null || !(await revokeAccessToken(db, contractId, id))) {
				throw notFound('access token');
			}
			return await reply.status(204).send(null);
		},
	});
};

/** A name is for people to read, so it has to be readable. Answers 400 where it is not. */
function nameOf(name: string): string {
	const problem =
		name.trim() === ''
			? 'must not be blank'
			: /\p{Cc}/u.test(name) || !name.isWellFormed()
				? 'must not contain control characters'
				: null;
	if (problem === null) return name;
	throw new HttpError(400, 'invalid_request', `\`name\` ${problem}.`, 'name');
}
