import { HttpError } from '../errors.ts';

/** Why the bytes of a file are not taken, whichever way they come. */

export function fileTooLarge(limit: number): HttpError {
	return new HttpError(
		413,
		'file_too_large',
		`The file is larger than the ${limit} bytes that this service takes (MAX_UPLOAD_BYTES). ` +
			'Split it into several files.',
	);
}

export function incompleteUpload(): HttpError {
	return new HttpError(
		400,
		'incomplete_upload',
		'The upload ended before all announced bytes had arrived. Send the file again.',
	);
}
