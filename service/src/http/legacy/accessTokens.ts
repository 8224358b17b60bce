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
import { ErrorResponses, IdLike, IdParams, nullable } from '../schemas.ts';
import type { Services } from '../services.ts';

const LONGEST_NAME = 200;

const TokenFields = {
	id: IdLike,
	name: Type.String(),
	createdAt: Type.String(),
	revokedAt: nullable(Type.String()),
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
			summary: 'Lists the access tokens, the revoked ones too, oldest first',
			response: {
				200: Type.Object({ accessTokens: Type.Array(Type.Object(TokenFields)) }),
				...ErrorResponses,
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
				...ErrorResponses,
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
			summary: 'Revokes an access token at once; what was made with it stays',
			params: IdParams,
			response: { 204: Type.Null(), ...ErrorResponses },
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
