import { fileURLToPath } from 'node:url';
import { getDocument, PasswordException } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { UnreadableDocumentError } from '../../extraction/unreadable.ts';

type PdfSource = Exclude<Parameters<typeof getDocument>[0], string | URL | ArrayBuffer | undefined>;

// Fonts and character maps come from the package's own folder: nothing is fetched.
const PACKAGE_FOLDER = fileURLToPath(
	new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')),
);
const NEED_PASSWORD = 1;

/**
 * Opens a PDF. Whoever opened it ends it with `document.loadingTask.destroy()`.
 *
 * @throws UnreadableDocumentError `damaged_file`, `password_required`, `wrong_password`
 */
export async function openPdf(
	source: Pick<
		PdfSource,
		'data' | 'range' | 'rangeChunkSize' | 'disableAutoFetch' | 'disableStream' | 'password'
	>,
): Promise<PDFDocumentProxy> {
	const task = getDocument({
		...source,
		cMapUrl: `${PACKAGE_FOLDER}cmaps/`,
		cMapPacked: true,
		standardFontDataUrl: `${PACKAGE_FOLDER}standard_fonts/`,
		useSystemFonts: false,
		disableFontFace: true,
		enableXfa: false,
		verbosity: 0,
	});
	try {
		return await task.promise;
	} catch (error) {
		await task.destroy();
		if (error instanceof PasswordException) {
			if (error.code === NEED_PASSWORD && !source.password) {
				throw new UnreadableDocumentError(
					'password_required',
					'The PDF is protected by a password. Send its password with the upload, or upload a copy ' +
						'without one.',
				);
			}
			throw new UnreadableDocumentError(
				'wrong_password',
				'The PDF is protected, and the password that was sent does not open it. Check the password: ' +
					'many banks use a date of birth or the last digits of the account.',
			);
		}
		throw damaged('its structure cannot be read');
	}
}

export function damaged(what: string): UnreadableDocumentError {
	return new UnreadableDocumentError(
		'damaged_file',
		`The PDF is damaged: ${what}. Get the file again from its source and upload it once more.`,
	);
}
