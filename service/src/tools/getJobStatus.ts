import { Type } from '@fastify/type-provider-typebox';
import { polledJobOf } from '../http/jobRequests.ts';
import { IdLike, JobSchema } from '../http/schemas.ts';
import { jobRecord } from '../jobs/jobs.ts';
import { idParameter } from './parameters.ts';
import { defineTool } from './tool.ts';

export const getJobStatus = defineTool({
	name: 'get_job_status',
	description:
		'Returns the status of a job (Queued and InProgress before the end; then Succeeded, Failed or ' +
		'OutOfCredits), how many transactions it has found, and why it failed. Ask again with growing ' +
		'pauses, beginning with 2 seconds.',
	readOnly: true,
	inputSchema: Type.Object({ jobId: idParameter('Id of the job') }),
	resultSchema: Type.Object({
		jobId: IdLike,
		status: JobSchema.properties.status,
		transactionCount: JobSchema.properties.transactionCount,
		failureReason: JobSchema.properties.failureReason,
	}),
	run: async ({ services, caller }, { jobId }) => {
		const job = await polledJobOf(services, caller, jobId, 'jobId');
		const { id, status, transactionCount, failureReason } = await jobRecord(services.db, job);
		return { jobId: id, status, transactionCount, failureReason };
	},
});
