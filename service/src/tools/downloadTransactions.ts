import { Type } from '@fastify/type-provider-typebox';
import { accountOf } from '../http/authentication.ts';
import { notFound } from '../http/errors.ts';
import { assertSucceeded, jobOf } from '../http/jobRequests.ts';
import { IdLike } from '../http/schemas.ts';
import { rowSourcesOf } from '../jobs/jobs.ts';
import { idParameter, Format } from './parameters.ts';
import { LimitedRowsResult, limitedRowsText, MOST_ROWS } from './rows.ts';
import { defineTool, JsonPieces } from './tool.ts';

/** Section 4.5: the tool reaches the jobs that its own token has created, and no others. */
export const downloadTransactions = defineTool({
	name: 'download_transactions',
	description:
		'Returns the transactions of a job that has succeeded, as JSON or CSV, at most ' +
		`${MOST_ROWS} rows (truncated says whether there are more). Only for jobs that this access ` +
		'token has created; get_document_transactions reaches all other documents.',
	readOnly: true,
	inputSchema: Type.Object({
		jobId: idParameter('Id of the job, as convert_document or convert_bank_statement gave it'),
		format: Format,
	}),
	resultSchema: Type.Object({ jobId: IdLike, ...LimitedRowsResult }),
	run: async ({ services, caller }, { jobId, format = 'json' }) => {
		const job = await jobOf(services, caller, jobId, 'jobId');
		// What was made before tools, or with the JWT, has no token.
		if (job.access_token_id === null || job.access_token_id !== accountOf(caller).accessTokenId) {
			throw notFound('job', 'jobId');
		}
		assertSucceeded(job);
		const sources = await rowSourcesOf(services.db, job.id);
		return new JsonPieces(limitedRowsText(services.db, { jobId: job.id }, sources, format));
	},
});
