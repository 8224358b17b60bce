import { Type } from '@fastify/type-provider-typebox';
import { createJobFor, MOST_DOCUMENTS } from '../http/jobRequests.ts';
import { IdLike, JobSchema } from '../http/schemas.ts';
import { JOB_TYPES, SUB_TYPES } from '../jobs/jobs.ts';
import { defineTool } from './tool.ts';

export const convertDocument = defineTool({
	name: 'convert_document',
	description:
		'Starts the extraction of documents whose bytes have been uploaded, and returns the id of the ' +
		'job at once. Continue with get_job_status, and with download_transactions when it has succeeded.',
	readOnly: false,
	inputSchema: Type.Object({
		documentIds: Type.Array(IdLike, {
			minItems: 1,
			maxItems: MOST_DOCUMENTS,
			description: 'Ids of the documents, such as upload_url gives; each once',
		}),
		jobType: Type.Optional(
			Type.Enum([...JOB_TYPES], {
				type: 'string',
				default: 'ExtractData',
				description:
					'ExtractData for bank and credit card statements, Invoice, or Form for tax forms',
			}),
		),
		subType: Type.Optional(
			Type.Enum([...SUB_TYPES], {
				type: 'string',
				description: 'checkImages where the documents show checks instead of statements',
			}),
		),
	}),
	resultSchema: Type.Object({ jobId: IdLike, status: JobSchema.properties.status }),
	run: async ({ services, caller }, { documentIds, jobType = 'ExtractData', subType = null }) => {
		const wanted = { documents: documentIds, jobType, subType, name: null };
		const job = await createJobFor(services, caller, wanted, 'documentIds');
		return { jobId: job.id, status: job.status };
	},
});
