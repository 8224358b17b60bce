import { isIP } from 'node:net';
import { ReceiverRefused } from './receiverRefused.ts';

export const LONGEST_RECEIVER_ADDRESS = 2000;

/** A receiver's address, taken apart. */
export interface ReceiverTarget {
	protocol: 'http:' | 'https:';
	/** Without brackets and without a dot at the end; IPv4 always as four decimal numbers. */
	host: string;
	port: number;
	/** `https://host:port` as a URL writes it. */
	origin: string;
	/** Path and query. */
	path: string;
	/** The host is an address and no name. */
	isLiteral: boolean;
}

/**
 * Reads a receiver's address. The URL standard turns every spelling of an IPv4 address (decimal,
 * octal, hexadecimal, short, with Unicode digits or dots) into the usual one, and this result is what
 * is checked and what is connected to: no second reader can understand it differently.
 *
 * @throws ReceiverRefused for what cannot be an address of a receiver.
 */
export function readReceiverTarget(text: string): ReceiverTarget {
	if (text.length > LONGEST_RECEIVER_ADDRESS) {
		throw new ReceiverRefused(
			`The address has ${text.length} characters; at most ${LONGEST_RECEIVER_ADDRESS} are allowed.`,
		);
	}
	if (!URL.canParse(text)) {
		throw new ReceiverRefused(
			'This is not a complete address. It has to look like https://n8n.example.com/webhook/1.',
		);
	}
	const url = new URL(text);
	const { protocol } = url;
	if (protocol !== 'http:' && protocol !== 'https:') {
		throw new ReceiverRefused('The address must begin with https://.');
	}
	if (url.username !== '' || url.password !== '') {
		throw new ReceiverRefused(
			'The address must not contain a user name or a password. Deliveries are signed instead.',
		);
	}
	const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
	if (port === 0) throw new ReceiverRefused('Port 0 cannot be delivered to.');
	const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
	if (host === '') throw new ReceiverRefused('The address has no host.');
	return {
		protocol,
		host,
		port,
		origin: url.origin,
		path: url.pathname + url.search,
		isLiteral: isIP(host) !== 0,
	};
}
