/** Why a document gives no rows. The message is shown to a person: what it is, and what to do. */
export class UnreadableDocumentError extends Error {
	readonly code: UnreadableCode;

	constructor(code: UnreadableCode, message: string) {
		super(message);
		this.name = 'UnreadableDocumentError';
		this.code = code;
	}
}

export type UnreadableCode =
	| 'empty_file'
	| 'damaged_file'
	| 'unsupported_type'
	| 'type_mismatch'
	| 'password_required'
	| 'wrong_password'
	| 'too_many_pages'
	| 'file_too_large'
	| 'no_text_layer'
	| 'no_transactions_found'
	| 'unsupported_document_kind'
	| 'reading_took_too_long'
	| 'reading_needed_too_much_memory';
