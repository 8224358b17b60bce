import type { ColumnType, Generated, Selectable } from 'kysely';

/** Written once by the database or by us, and read as a Date. */
type Moment = ColumnType<Date, Date | undefined, never>;
type LaterMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;

export type DocumentStatus = 'waiting' | 'uploaded' | 'processing' | 'extracted' | 'failed';
export type DocumentType = 'bankStatement' | 'check' | 'invoice' | 'form';
export type DocumentSource = 'api' | 'folder';
export type DeliveryStatus = 'pending' | 'in-progress' | 'retrying' | 'delivered' | 'dead-letter';
export type JobStatus =
	'Created' | 'Queued' | 'InProgress' | 'Succeeded' | 'Failed' | 'OutOfCredits';
/** One document inside one job. */
export type JobDocumentStatus = 'queued' | 'processing' | 'extracted' | 'failed';

export interface ContractsTable {
	id: Generated<number>;
	name: string;
	/** Pages a calendar month; null: no limit. */
	page_allowance: number | null;
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
	/** What the client calls its own customer; shown, and used for nothing else. */
	customer_id: string | null;
	/** MD5 that the bytes have to have, hexadecimal; null where none was announced. */
	expected_md5: string | null;
	/** Name of the stored bytes; every upload has its own. Null until bytes have arrived. */
	stored_file: string | null;
	/** Bytes. One driver reads `bigint` as text, the other as a number: go through `Number()`. */
	size: ColumnType<string | number | bigint | null, number | null | undefined, number | null>;
	status: DocumentStatus;
	source: DocumentSource;
	project_id: number | null;
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

/** A row is there only while a password waits to be used. */
export interface DocumentPasswordsTable {
	document_id: number;
	/** Encrypted; `DocumentPasswords` makes and reads it. */
	sealed: string;
	created_at: Moment;
}

export interface JobsTable {
	id: Generated<number>;
	contract_id: number;
	user_id: number;
	/** The token that created it; null: a JWT, the watched folder, or a version before tools. */
	access_token_id: number | null;
	name: string | null;
	job_type: string;
	sub_type: string | null;
	/** False for the job behind a document of the watched folder, which no client can see. */
	is_visible: Generated<boolean>;
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

export interface WebhooksTable {
	id: Generated<number>;
	contract_id: number;
	user_id: number;
	url: string;
	events: string[];
	enabled: Generated<boolean>;
	version: string;
	/** Random; the secret is derived from it and the master key, and is stored nowhere. */
	secret_nonce: string;
	/** Counts from 1; every regeneration of the secret adds one. */
	secret_generation: Generated<number>;
	/** SHA-256 of the secret, hexadecimal. */
	secret_hash: string;
	created_at: Moment;
	updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface EventsTable {
	id: string;
	contract_id: number;
	user_id: number;
	job_id: number | null;
	name: string;
	version: string;
	is_test: Generated<boolean>;
	/** JSON text of the member `job` of the body. */
	job: string;
	/** JSON text of the member `data` of the body. */
	data: string;
	created_at: ColumnType<Date, Date, never>;
}

export interface DeliveriesTable {
	id: Generated<number>;
	webhook_id: number;
	event_id: string;
	status: DeliveryStatus;
	/** Failed attempts, and the successful one, since it was created or last replayed. */
	attempts: Generated<number>;
	replays: Generated<number>;
	/** Set while an attempt is under way; only that attempt may write its result. */
	lease_id: string | null;
	/**
	 * When it is due; while an attempt is under way, when that attempt counts as lost. Null once it
	 * has ended.
	 */
	next_attempt_at: LaterMoment;
	delivered_at: LaterMoment;
	ended_at: LaterMoment;
	created_at: Moment;
}

export interface DeliveryAttemptsTable {
	delivery_id: number;
	/** 0 for the automatic attempts; counts the replays. */
	replay: number;
	/** Counts from 1 in each replay. */
	attempt: number;
	started_at: ColumnType<Date, Date, never>;
	duration_ms: number;
	status_code: number | null;
	error: string | null;
	response_body: string | null;
}

export interface ProjectsTable {
	id: Generated<number>;
	contract_id: number;
	name: string;
	parent_folder: string | null;
	/** Path below the watched folder, with slashes; empty for that folder itself. */
	folder: string;
	created_at: Moment;
}

export interface IngestedFilesTable {
	project_id: number;
	/** Of the content, hexadecimal. */
	sha256: string;
	document_id: number;
}

export interface PageUsageTable {
	contract_id: number;
	/** YYYY-MM, in UTC. */
	month: string;
	pages: number;
}

export interface FraudSignalsTable {
	id: Generated<number>;
	document_id: number;
	period: string | null;
	type: string;
	reason_code: string;
	/** 0 to 1. */
	confidence: number;
	details: string | null;
	page_number: number | null;
	bbox: ColumnType<object | null, string | null, string | null>;
	text: string | null;
	metadata: ColumnType<object, string, string>;
	created_at: Moment;
	updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface FraudScoresTable {
	id: Generated<number>;
	document_id: number;
	/** 0 is clean, 100 is certain. */
	score: number;
	authenticity_score: number;
	risk_level: 'low' | 'medium' | 'high';
	comment: string;
	created_at: Moment;
}

export interface Database {
	contracts: ContractsTable;
	users: UsersTable;
	access_tokens: AccessTokensTable;
	documents: DocumentsTable;
	document_passwords: DocumentPasswordsTable;
	jobs: JobsTable;
	job_documents: JobDocumentsTable;
	document_accounts: DocumentAccountsTable;
	transactions: TransactionsTable;
	printed_pages: PrintedPagesTable;
	idempotency_keys: IdempotencyKeysTable;
	webhooks: WebhooksTable;
	events: EventsTable;
	deliveries: DeliveriesTable;
	delivery_attempts: DeliveryAttemptsTable;
	projects: ProjectsTable;
	ingested_files: IngestedFilesTable;
	page_usage: PageUsageTable;
	fraud_signals: FraudSignalsTable;
	fraud_scores: FraudScoresTable;
}

export type DocumentRow = Selectable<DocumentsTable>;
export type JobRow = Selectable<JobsTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type EventRow = Selectable<EventsTable>;
export type DeliveryRow = Selectable<DeliveriesTable>;
export type JobDocumentRow = Selectable<JobDocumentsTable>;
