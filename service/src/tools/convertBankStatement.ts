import { Readable } from 'node:stream';
import { Type } from '@fastify/type-provider-typebox';
import { ACCEPTED_TYPES } from '../documents/acceptedTypes.ts';
import type { FoundDocument } from '../documents/documents.ts';
import { acceptedType, LONGEST_NAME, nameOf, storeDocumentFor } from '../http/documentRequests.ts';
import { HttpError } from '../http/errors.ts';
import { idempotencyKeyOf } from '../http/idempotencyKey.ts';
import { assertSucceeded, createJobFor } from '../http/jobRequests.ts';
import { IdLike, JobSchema } from '../http/schemas.ts';
import type { Services } from '../http/services.ts';
import { fileTooLarge } from '../http/storage/refusals.ts';
import { hasEnded, waitForEnd } from '../jobs/jobEnd.ts';
import { rowSourcesOf, SUB_TYPES } from '../jobs/jobs.ts';
import { BodyTooLargeError } from '../storage/fileStore.ts';
import type { ArrivedFile } from '../storage/fileStore.ts';
import { Base64Error, decodeBase64 } from './base64.ts';
import { Format } from './parameters.ts';
import { LimitedRowsResult, limitedRowsText } from './rows.ts';
import { defineTool, JsonPieces } from './tool.ts';
import type { ToolCall } from './tool.ts';

/** Section 8: larger files use the asynchronous path. */
const LARGEST_FILE = 10 * 1024 * 1024;

/**
 * Longest body that may hold a file of that size: four characters for three bytes, line breaks, and a
 * megabyte for everything else.
 */
export const LONGEST_FILE_BODY = Math.ceil((LARGEST_FILE * 4 * 1.05) / 3) + 1024 * 1024;

export const convertBankStatement = defineTool({
	name: 'convert_bank_statement',
	description:
		'Converts one bank or credit card statement into transactions, in one step: sends the file, ' +
		'extracts it, waits, and returns the rows. For files up to 10 MiB; larger ones need upload_url, ' +
		'PUT, convert_document, get_job_status and download_transactions. Where the job has not ended in ' +
		'time the result has a status and no rows: ask get_job_status with its jobId, then ' +
		'download_transactions.',
	readOnly: false,
	inputSchema: Type.Object({
		filename: Type.String({
			minLength: 1,
			maxLength: LONGEST_NAME,
			description: 'Name of the file, such as statement.pdf',
		}),
		mimetype: Type.String({
			minLength: 1,
			maxLength: 200,
			description: `Type of the file: ${ACCEPTED_TYPES.join(', ')}`,
		}),
		fileBase64: Type.String({
			contentEncoding: 'base64',
			description: 'The bytes of the file in base64, with padding; at most 10 MiB of bytes',
		}),
		format: Format,
		subType: Type.Optional(
			Type.Enum([...SUB_TYPES], {
				type: 'string',
				description: 'checkImages where the file shows checks instead of a statement',
			}),
		),
	}),
	resultSchema: Type.Object({
		documentId: IdLike,
		jobId: IdLike,
		status: JobSchema.properties.status,
		...Type.Partial(Type.Object(LimitedRowsResult)).properties,
		format: LimitedRowsResult.format,
		message: Type.Optional(Type.String({ description: 'What to do where the job has not ended' })),
	}),
	run: async (call, { filename, mimetype, fileBase64, format = 'json', subType = null }) => {
		const { services, caller, longestWait, signal } = call;
		idempotencyKeyOf(caller);
		const file = {
			originalname: nameOf(filename),
			mimetype: acceptedType(mimetype, 'mimetype'),
		};
		const document = await storedFile(call, fileBase64, file);
		const created = await createJobFor(services, caller, {
			documents: [document.id],
			jobType: 'ExtractData',
			subType,
			name: null,
		});
		const job = await waitForEnd(services.db, created.id, longestWait, signal);
		const head = { documentId: document.id, jobId: job.id, status: job.status };
		if (!hasEnded(job.status)) return { ...head, format, message: NOT_ENDED };
		assertSucceeded(job);
		const sources = await rowSourcesOf(services.db, job.id);
		return new JsonPieces(limitedRowsText(services.db, head, sources, format));
	},
});

const NOT_ENDED =
	'The job has not ended yet. Ask get_job_status with this jobId until its status is Succeeded, with ' +
	'growing pauses, and then get the rows with download_transactions.';

/** A file that is too large for this tool, in words that name the other way. */
export function fileTooLargeForTool(): HttpError {
	return new HttpError(
		413,
		'file_too_large',
		'The file is larger than 10 MiB. Get an address with upload_url, PUT the bytes there, and ' +
			'continue with convert_document, get_job_status and download_transactions.',
		'fileBase64',
	);
}

async function storedFile(
	{ services, caller }: ToolCall,
	fileBase64: string,
	file: { originalname: string; mimetype: string },
): Promise<FoundDocument> {
	const { store } = services;
	const bytes = await arrivedFile(services, fileBase64);
	try {
		if (bytes.size === 0) {
			throw new HttpError(
				400,
				'empty_file',
				'The file is empty. Put its bytes into `fileBase64`.',
				'fileBase64',
			);
		}
		return await storeDocumentFor(services, caller, bytes, file);
	} finally {
		await store.discard(bytes);
	}
}

async function arrivedFile({ store, config }: Services, fileBase64: string): Promise<ArrivedFile> {
	const limit = Math.min(LARGEST_FILE, config.maxUploadBytes);
	const bytes = Readable.from(decodeBase64(fileBase64), { objectMode: false });
	try {
		return await store.arrive(bytes, null, limit);
	} catch (error) {
		if (error instanceof BodyTooLargeError) {
			throw limit < LARGEST_FILE ? fileTooLarge(limit) : fileTooLargeForTool();
		}
		if (!(error instanceof Base64Error)) throw error;
		throw new HttpError(
			400,
			'invalid_request',
			`\`fileBase64\` is not valid base64: ${error.message}.`,
			'fileBase64',
		);
	}
}
