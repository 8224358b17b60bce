import type { ColumnType, Generated, Selectable } from 'kysely';

/** Written once by the database or by us, and read as a Date. */
type Moment = ColumnType<Date, Date | undefined, never>;
type LaterMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;

export type DocumentStatus = 'waiting' | 'uploaded' | 'processing' | 'extracted' | 'failed';
export type DocumentType = 'bankStatement' | 'check' | 'invoice' | 'form';
export type JobStatus =
	'Created' | 'Queued' | 'InProgress' | 'Succeeded' | 'Failed' | 'OutOfCredits';
/** One document inside one job. */
export type JobDocumentStatus = 'queued' | 'processing' | 'extracted' | 'failed';

export interface ContractsTable {
	id: Generated<number>;
	name: string;
	created_at: Moment;
}

export interface UsersTable {
	id: Generated<number>;
	contract_id: number;
	name: string;
	created_at: Moment;
}

export interface AccessTokensTable {
	id: Generated<number>;
	contract_id: number;
	user_id: number;
	name: string;
	/** SHA-256 of the token, hexadecimal. The token itself is never stored in the database. */
	token_hash: string;
	created_at: Moment;
	revoked_at: LaterMoment;
}

export interface DocumentsTable {
	id: Generated<number>;
	contract_id: number;
	user_id: number;
	originalname: string;
	mimetype: string;
	s3_key: string;
	/** Name of the stored bytes; every upload has its own. Null until bytes have arrived. */
	stored_file: string | null;
	/** Bytes. One driver reads `bigint` as text, the other as a number: go through `Number()`. */
	size: ColumnType<string | number | bigint | null, number | null | undefined, number | null>;
	status: DocumentStatus;
	source: string;
	document_type: DocumentType | null;
	page_count: number | null;
	transaction_count: number | null;
	is_reconciled: boolean | null;
	failure_code: string | null;
	failure_message: string | null;
	created_at: Moment;
	uploaded_at: LaterMoment;
	extracted_at: LaterMoment;
}

export interface JobsTable {
	id: Generated<number>;
	contract_id: number;
	user_id: number;
	name: string | null;
	job_type: string;
	sub_type: string | null;
	status: JobStatus;
	failure_code: string | null;
	failure_message: string | null;
	created_at: Moment;
	started_at: LaterMoment;
	finished_at: LaterMoment;
}

export interface JobDocumentsTable {
	job_id: number;
	document_id: number;
	/** Place in the job, from 0. */
	position: number;
	status: JobDocumentStatus;
	failure_code: string | null;
	failure_message: string | null;
	/** How often reading was begun; only the attempt that is counted here may write a result. */
	attempts: number;
	/** The message in the queue that stands for this document of this job. */
	queue_message_id: string;
	started_at: LaterMoment;
	finished_at: LaterMoment;
}

export interface DocumentAccountsTable {
	document_id: number;
	/** From 0, in the order of the document. */
	position: number;
	account: string;
	currency: string | null;
	/** `AccountPeriod[]`. */
	periods: ColumnType<unknown, string, string>;
}

export interface TransactionsTable {
	document_id: number;
	/** From 1, over all accounts of the document. */
	row_number: number;
	account_position: number;
	period: string;
	date: string;
	/** Exact decimals; read them as text. */
	amount: ColumnType<string, string, string>;
	balance: ColumnType<string | null, string | null, string | null>;
	memo: string;
	name: string;
	payee: string;
	check_number: string;
	category: string;
	fit_id: string;
	description_lines: ColumnType<string[], string, string>;
	page_number: number;
}

export interface PrintedPagesTable {
	document_id: number;
	page_number: number;
	line_count: number;
	/** `PrintedLine[]`. */
	lines: ColumnType<unknown, string, string>;
}

export interface IdempotencyKeysTable {
	contract_id: number;
	operation: string;
	key: string;
	body_hash: string;
	resource_id: number;
	created_at: Moment;
}

export interface Database {
	contracts: ContractsTable;
	users: UsersTable;
	access_tokens: AccessTokensTable;
	documents: DocumentsTable;
	jobs: JobsTable;
	job_documents: JobDocumentsTable;
	document_accounts: DocumentAccountsTable;
	transactions: TransactionsTable;
	printed_pages: PrintedPagesTable;
	idempotency_keys: IdempotencyKeysTable;
}

export type DocumentRow = Selectable<DocumentsTable>;
export type JobRow = Selectable<JobsTable>;
export type JobDocumentRow = Selectable<JobDocumentsTable>;
