import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { JobRow } from '../../database/schema.ts';
import { csvRows } from '../../documents/csvView.ts';
import { numericId } from '../../documents/documentId.ts';
import { groupedData } from '../../documents/groupedView.ts';
import { flatRows, isRowField, ROW_FIELDS } from '../../documents/rowView.ts';
import type { RowField, RowSource } from '../../documents/rowView.ts';
import { rowSourcesOf } from '../../jobs/jobs.ts';
import { attachment } from '../contentDisposition.ts';
import { HttpError, notFound } from '../errors.ts';
import { assertSucceeded, jobOf } from '../jobRequests.ts';
import {
	CsvFile,
	CsvHeaders,
	GroupedDataSchema,
	IdLike,
	idParams,
	ExportedRowsSchema,
} from '../schemas.ts';
import { JSON_TYPE, sendPieces } from '../sendPieces.ts';
import type { Services } from '../services.ts';

const EXPORT_TYPES = ['FieldsToExcel1', 'Invoice', 'Form'] as const;
type ExportType = (typeof EXPORT_TYPES)[number];

/** Selects the transactions as a whole (section 2.7). */
const BANK_MODE = 'bankMode';
const MOST_ENTRIES = 1000;

/** Sections 2.7 and 4.1: the data of a job that succeeded. */
export const exportRoute: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db } = services;

	app.route({
		method: 'POST',
		url: '/job/:id/export',
		schema: {
			operationId: 'legacyExportJob',
			tags: ['Legacy jobs'],
			errors: ['not_found', 'job_not_finished', 'job_failed'],
			summary: 'Gives the extracted data of a job that succeeded, grouped, flat or as a CSV file',
			params: idParams('job'),
			body: Type.Object({
				jobType: Type.Enum([...EXPORT_TYPES]),
				flattenTables: Type.Boolean({
					description: 'false: by document and account; true: one object a transaction',
				}),
				format: Type.Optional(Type.Enum(['json', 'csv'], { default: 'json' })),
				selectedFieldNames: Type.Optional(
					Type.Array(Type.String({ examples: [BANK_MODE, ...ROW_FIELDS] }), {
						maxItems: MOST_ENTRIES,
					}),
				),
				documentIds: Type.Optional(Type.Array(IdLike, { maxItems: MOST_ENTRIES })),
			}),
			response: {
				200: {
					headers: CsvHeaders,
					content: {
						'application/json': { schema: Type.Union([GroupedDataSchema, ExportedRowsSchema]) },
						'text/csv': CsvFile,
					},
				},
			},
		},
		handler: async (request, reply) => {
			const { jobType, flattenTables, format, selectedFieldNames, documentIds } = request.body;
			const job = await jobOf(services, request, request.params.id);
			assertFits(job, jobType);
			const fields = selectedFields(selectedFieldNames ?? []);
			assertSucceeded(job);
			const sources = chosen(await rowSourcesOf(db, job.id), documentIds ?? []);
			if (format === 'csv') {
				void reply.header('content-disposition', attachment(`job-${job.id}-transactions.csv`));
				return await sendPieces(reply, 'text/csv; charset=utf-8', csvRows(db, sources, fields));
			}
			const pieces = flattenTables
				? flatRows(db, { jobId: job.id }, sources, false, fields)
				: groupedData(db, sources);
			return await sendPieces(reply, JSON_TYPE, pieces);
		},
	});
};

/** Invoices and tax forms have an export of their own; everything else is fields and tables. */
function assertFits(job: JobRow, jobType: ExportType): void {
	const fitting =
		job.job_type === 'Invoice' || job.job_type === 'Form' ? job.job_type : 'FieldsToExcel1';
	if (fitting === jobType) return;
	throw new HttpError(
		400,
		'invalid_request',
		`\`jobType\` must be ${JSON.stringify(fitting)} for this job, whose own type is ${job.job_type}.`,
		'jobType',
	);
}

/** The members of a row; undefined for all of them. */
function selectedFields(names: string[]): RowField[] | undefined {
	const fields = new Set<RowField>();
	names.forEach((name, index) => {
		if (isRowField(name)) fields.add(name);
		else if (name !== BANK_MODE) {
			throw new HttpError(
				400,
				'invalid_request',
				`\`selectedFieldNames[${index}]\` is no field. There are ${[BANK_MODE, ...ROW_FIELDS].join(', ')}.`,
				`selectedFieldNames[${index}]`,
			);
		}
	});
	return fields.size === 0 ? undefined : [...fields];
}

/** The documents of the request, in the order of the job; all of them where none is named. */
function chosen(sources: RowSource[], ids: Array<string | number>): RowSource[] {
	if (ids.length === 0) return sources;
	const wanted = new Set(
		ids.map((id, index) => {
			const number = numericId(id);
			if (sources.some(({ documentId }) => documentId === number)) return number;
			throw notFound('document', `documentIds[${index}]`);
		}),
	);
	return sources.filter(({ documentId }) => wanted.has(documentId));
}
