import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { scoreOf, signalPage } from '../../fraud/storedAnalysis.ts';
import { documentOf } from '../documentRequests.ts';
import { DocumentParams, FraudSignalSchema, Moment, nullable } from '../schemas.ts';
import type { Services } from '../services.ts';

const ScoreSchema = Type.Object(
	{
		id: Type.Integer(),
		documentId: Type.Integer(),
		score: Type.Number({ description: '0 is clean, 100 is certain' }),
		authenticityScore: Type.Number({ description: '100 less the score' }),
		riskLevel: Type.Enum(['low', 'medium', 'high']),
		comment: Type.String(),
		createdAt: Moment,
	},
	{ title: 'FraudScore' },
);

const Confidence = Type.Number({ minimum: 0, maximum: 1 });

/**
 * Sections 2.9 and 4.1: what the analysis after a bank statement job found. Before it, and for other
 * kinds of documents, there are no signals and the score is null.
 */
export const fraudRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db } = services;

	app.route({
		method: 'GET',
		url: '/document/:documentId/fraudSignals',
		schema: {
			operationId: 'legacyGetFraudSignals',
			tags: ['Fraud'],
			errors: ['not_found'],
			summary: 'Lists the fraud signals of a document, the surest first',
			params: DocumentParams,
			querystring: Type.Object({
				// The database has no text with a NUL, and no type has a control character.
				type: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000-\\u001f]*$' })),
				minConfidence: Type.Optional(Confidence),
				maxConfidence: Type.Optional(Confidence),
				limit: Type.Optional(Type.Integer({ default: 100, minimum: 1, maximum: 100 })),
				offset: Type.Optional(Type.Integer({ default: 0, minimum: 0, maximum: 2 ** 31 - 1 })),
			}),
			response: {
				200: Type.Object({
					total: Type.Integer(),
					signals: Type.Array(FraudSignalSchema),
					score: nullable(ScoreSchema),
				}),
			},
		},
		handler: async (request) => {
			const { id } = await documentOf(services, request, request.params.documentId);
			const { limit = 100, offset = 0 } = request.query;
			const page = await signalPage(db, id, { ...request.query, limit, offset });
			return { ...page, score: await scoreOf(db, id) };
		},
	});

	app.route({
		method: 'GET',
		url: '/document/:documentId/fraudScore',
		schema: {
			operationId: 'legacyGetFraudScore',
			tags: ['Fraud'],
			errors: ['not_found'],
			summary: 'Gives the fraud score of a document',
			params: DocumentParams,
			response: { 200: Type.Object({ score: nullable(ScoreSchema) }) },
		},
		handler: async (request) => {
			const { id } = await documentOf(services, request, request.params.documentId);
			return { score: await scoreOf(db, id) };
		},
	});
};
