import { AnswerUnusable } from './answerReader.ts';
import { ReceiverRefused } from './receiverRefused.ts';
import { NameNotFound, NameServerFailed } from './resolveName.ts';

const TEXTS: Record<string, string> = {
	ECONNREFUSED: 'The receiver refused the connection: nothing listens at this host and port.',
	ECONNRESET: 'The receiver ended the connection without an answer.',
	EPIPE: 'The receiver ended the connection without an answer.',
	UND_ERR_SOCKET: 'The receiver ended the connection without an answer.',
	ETIMEDOUT: 'The receiver cannot be reached: the connection was not accepted in time.',
	EHOSTUNREACH: 'The receiver cannot be reached from this machine.',
	ENETUNREACH: 'The receiver cannot be reached from this machine.',
	EADDRNOTAVAIL: 'The receiver cannot be reached from this machine.',
	UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are longer than 16 KiB.',
	CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
	CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
	ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate belongs to another name.",
};
/** Codes of OpenSSL for a certificate that no known authority stands behind. */
const UNKNOWN_AUTHORITY =
	/^(?:UNABLE_TO_(?:GET|VERIFY)_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_\w+|CERT_(?:UNTRUSTED|REJECTED)|INVALID_CA)$/;

/**
 * Why an attempt brought no answer, as one sentence for a person. Messages of the system are not
 * passed on: they name addresses of the network that the service runs in.
 */
export function failureText(error: unknown): string {
	if (
		error instanceof ReceiverRefused ||
		error instanceof NameNotFound ||
		error instanceof NameServerFailed ||
		error instanceof AnswerUnusable
	) {
		return error.message;
	}
	const code = codeOf(error);
	const text = TEXTS[code];
	if (text !== undefined) return text;
	if (UNKNOWN_AUTHORITY.test(code)) {
		return "The receiver's certificate is not from an authority that this machine knows.";
	}
	if (code.startsWith('HPE_') || code.startsWith('UND_ERR_')) {
		return 'The answer of the receiver is not valid HTTP.';
	}
	if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
		return 'No encrypted connection to the receiver could be made.';
	}
	return 'The receiver could not be reached.';
}

/** Why an answer that came does not count as delivered. */
export function refusalText(statusCode: number): string {
	const answered = `The receiver answered with status ${statusCode}`;
	return statusCode < 400
		? `${answered}. Redirects are not followed: register the address that it leads to.`
		: `${answered}.`;
}

/** The code of an error; of several addresses that failed, that of the last. */
function codeOf(error: unknown): string {
	if (error instanceof AggregateError) {
		const inner = error.errors.map(codeOf).filter((code) => code !== '');
		return inner.at(-1) ?? '';
	}
	const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
	return typeof code === 'string' ? code : '';
}
