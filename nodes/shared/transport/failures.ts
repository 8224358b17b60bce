import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

import { isWebPage, refusalOf, type Answer } from './answer';
import type { Access } from './access';
import { withoutSecrets } from './secrets';

/** Errors of this package: each says what happened (`message`) and what to do (`description`). */
export type Failure = NodeApiError | NodeOperationError;

/** What was tried, for the text of an error. */
export interface Task {
	/** Undefined where there are no items: in a life cycle, a poll or a list. */
	itemIndex?: number;
	/** Completes "The service did not …", for example `create the job`. */
	doing: string;
	/** What a 404 means here, for example `The job 17`. */
	subject?: string;
	/** Display name of the field to look at on a 404 or 400. */
	field?: string;
	/** True where the panel calls the fields of the request by their own names. */
	ownFieldNames?: boolean;
	/** Facts that a workflow can use, such as `jobId`; they go to `details` of an error item. */
	details?: IDataObject;
}

/** Names of request fields, as the node's panel calls them. */
const DISPLAY_NAMES: Array<[RegExp, string]> = [
	[/^mimetype$/i, 'MIME Type'],
	[/^filename$/i, 'File Name'],
	[/^document(s|Ids)/i, 'Document IDs'],
	[/^document$/i, 'File From'],
	[/^selectedFieldNames/i, 'Fields'],
	[/^templateId$/i, 'Template ID'],
	[/^jobName$/i, 'Job Name'],
	[/^expiresIn$/i, 'Expires In'],
	[/^customerId$/i, 'Customer ID'],
	[/^password$/i, 'Password'],
	[/^s3ETag$/i, 'Send Checksum'],
	[/^(jobType|subType)$/i, 'Document Kind'],
	[/^url$/i, 'URL'],
	[/^events\b/i, 'Event Names or IDs'],
	[/^event$/i, 'Event Name or ID'],
	[/^toolName$/i, 'Tool Name'],
];

function displayName(field: string | undefined): string | undefined {
	if (field === undefined) return undefined;
	return DISPLAY_NAMES.find(([pattern]) => pattern.test(field))?.[1] ?? field;
}

function defined(values: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Facts for `details` of the error item (n8n-facts: only there they survive). */
export function detailsOf(error: Failure): IDataObject {
	const { details } = error.context;
	return defined({
		...(typeof details === 'object' && details !== null ? (details as IDataObject) : {}),
		description: error.description ?? undefined,
	});
}

/**
 * The error without the password that the settings of its node may hold: n8n keeps and shows an error
 * with its node.
 */
export function withoutPassword<Kind extends Failure>(failure: Kind): Kind {
	const { node } = failure;
	const options: unknown = node?.parameters?.options;
	if (typeof options !== 'object' || options === null || !('password' in options)) return failure;
	const shown = { ...options, password: '***' };
	return Object.assign(failure, {
		node: { ...node, parameters: { ...node.parameters, options: shown } },
	});
}

/** An error that is not about one HTTP answer: a setting, a file, a job that failed. */
export function operationFailure(
	node: INode,
	message: string,
	options: { itemIndex?: number; description: string; details?: IDataObject },
): NodeOperationError {
	const { itemIndex, description, details } = options;
	const text = withoutSecrets(`${message}${itemText(itemIndex)}`);
	const error = new NodeOperationError(node, text, {
		...(itemIndex === undefined ? {} : { itemIndex }),
		description: withoutSecrets(description),
	});
	error.context.details = defined({ ...details });
	return error;
}

function itemText(itemIndex: number | undefined): string {
	return itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
}

function apiFailure(
	node: INode,
	answer: Answer | undefined,
	task: Task,
	text: { message: string; description: string; details?: IDataObject },
): NodeApiError {
	const httpCode = answer === undefined ? undefined : String(answer.status);
	const message = withoutSecrets(`${text.message}${itemText(task.itemIndex)}`);
	const description = withoutSecrets(text.description);
	// From a plain object: an error that n8n has already wrapped would keep its own text.
	const error = new NodeApiError(node, { message } as JsonObject, {
		message,
		description,
		...(task.itemIndex === undefined ? {} : { itemIndex: task.itemIndex }),
		...(httpCode === undefined ? {} : { httpCode }),
	});
	error.context.details = defined({
		...task.details,
		...text.details,
		httpStatus: answer?.status,
	});
	return error;
}

const CREDENTIAL_FIELDS = { accessToken: "'Access Token'", jwt: "'JWT'" } as const;

/** The error for an answer that is not a success. Never contains the token or the address. */
export function answerFailure(
	node: INode,
	access: Access,
	answer: Answer,
	task: Task,
): NodeApiError {
	const refusal = refusalOf(answer);
	const named = task.ownFieldNames === true ? refusal.field : displayName(refusal.field);
	const field = named ?? task.field;
	const details = { code: refusal.code, serviceMessage: refusal.message, field: refusal.field };
	const said = refusal.message === undefined ? '' : `: ${refusal.message}`;
	const lookAt = field === undefined ? '' : `Check '${field}'. `;
	const text = (message: string, description: string) =>
		apiFailure(node, answer, task, { message, description, details });

	switch (answer.status) {
		case 401:
			return text(
				'The service did not accept the credential',
				`Open the credential and check ${CREDENTIAL_FIELDS[access.authentication]}: it may be mistyped, expired or revoked`,
			);
		case 402:
			return text(
				`The account has no credits left${said}`,
				'Add pages to the account at the service, then run the node again',
			);
		case 403:
			return text(
				`The credential may not ${task.doing}${said}`,
				`Use a credential whose account may do this. It is set in ${CREDENTIAL_FIELDS[access.authentication]}`,
			);
		case 404:
			if (isWebPage(answer) || task.subject === undefined) {
				return text(
					'The server does not know the address that the node asked for',
					"Open the credential and check 'Base URL': it is the address of the service and ends in /api/v1",
				);
			}
			return text(
				`${task.subject} was not found`,
				`${lookAt}The credential only reaches what belongs to its own account`,
			);
		case 409:
		case 425:
			return text(
				`The service cannot ${task.doing} now${said}`,
				'If the job has not ended yet, use Job: Wait before this node. If it failed, upload the file again and extract it',
			);
		case 413:
			return text(
				`The service takes no file of this size${said}`,
				'Split the file into smaller ones, or raise the limit of the service',
			);
		case 429:
			return text(
				`The service is receiving too many requests and did not ${task.doing}`,
				'Run the node again later, with fewer items at a time',
			);
	}
	if (answer.status >= 500) {
		return text(
			`The service is unavailable and did not ${task.doing} (status ${answer.status})${said}`,
			'Wait a moment and run the node again. If it stays like this, look at the log of the service',
		);
	}
	if (answer.status >= 300 && answer.status < 400) {
		return text(
			'The server sent the node to another address, which it does not follow',
			"Open the credential and enter the final address of the service in 'Base URL', often the one with https://",
		);
	}
	return text(
		`The service did not ${task.doing}${said}`,
		field === undefined ? 'Check the fields of the node, then run it again' : lookAt.trim(),
	);
}

/** The error for a success whose content is not what the interface describes. */
export function strangeAnswerFailure(node: INode, answer: Answer, task: Task): NodeApiError {
	return apiFailure(node, answer, task, {
		message: `The server answered with something else than expected and did not ${task.doing}`,
		description: isWebPage(answer)
			? "It sent a web page. Open the credential and check 'Base URL': it is the address of the service and ends in /api/v1"
			: "Open the credential and check that 'Base URL' is the address of a document extraction service",
	});
}

/** Why a request got no answer: the code of the connection, or n8n's own words. */
export interface NoAnswer {
	code: string | undefined;
	reason: string | undefined;
}

/** The reason that says no more than that there was no answer. */
export const BROKE_OFF = 'the connection broke off';

/** Plain words for the codes of a failed connection; n8n would replace a text with the code. */
const CONNECTION_TEXTS: Record<string, string> = {
	ECONNREFUSED: 'nothing answers there',
	ENOTFOUND: 'the name of the server is not known',
	EAI_AGAIN: 'the name of the server could not be looked up',
	ECONNRESET: BROKE_OFF,
	EPIPE: BROKE_OFF,
	ECONNABORTED: 'the answer took too long',
	ETIMEDOUT: 'the answer took too long',
	EHOSTUNREACH: 'there is no way to the server',
	ENETUNREACH: 'there is no way to the server',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
};

/**
 * Why there was no answer, in words. The code itself may not be in the message of an error: n8n
 * replaces every message that contains one.
 */
export function connectionReason({ code, reason }: NoAnswer): string {
	return CONNECTION_TEXTS[code ?? ''] ?? reason ?? 'the connection did not work';
}

/** The error for a request that got no answer. */
export function connectionFailure(node: INode, why: NoAnswer, task: Task): NodeApiError {
	return apiFailure(node, undefined, task, {
		message: `The service could not be reached: ${connectionReason(why)}`,
		description:
			"Check that the service is running and that 'Base URL' in the credential is right, as seen from the machine on which n8n runs (inside a container, 127.0.0.1 is the container)",
		details: { code: why.code },
	});
}

/** The error for a request of which nobody knows whether the service carried it out. */
export function unknownOutcomeFailure(node: INode, why: NoAnswer, task: Task): NodeApiError {
	return apiFailure(node, undefined, task, {
		message: `No answer came when the node asked the service to ${task.doing}: ${connectionReason(why)}`,
		description:
			'The service may or may not have done it. Look there before you run the node again, so that nothing is done twice',
		details: { code: why.code },
	});
}

export function cancelledFailure(
	node: INode,
	itemIndex: number | undefined,
	details?: IDataObject,
): Failure {
	return operationFailure(node, 'The execution was canceled', {
		...(itemIndex === undefined ? {} : { itemIndex }),
		description: 'Nothing more was sent to the service. Jobs that were created go on there',
		...(details === undefined ? {} : { details }),
	});
}
