import { connect as connectTcp, isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ReceiverTarget } from './receiverTarget.ts';

/** How long one of several addresses of a name may take before the next is tried. */
const NEXT_ADDRESS_AFTER_MS = 2000;

/**
 * Opens a connection to one of these addresses and to nothing else: the name is not looked up again,
 * so it cannot lead elsewhere than where the check went. The certificate is verified by the name.
 *
 * @param addresses literal addresses that have been checked, at least one
 * @param authorities certificates (PEM) to trust; undefined: those of the system
 * @throws the error of the system or of TLS; the signal's reason when it aborts
 */
export async function openSocket(
	target: ReceiverTarget,
	addresses: readonly string[],
	authorities: string[] | undefined,
	signal: AbortSignal,
): Promise<Socket> {
	const socket = await opened(connectTo(addresses, target.port), 'connect', signal);
	// What follows cannot be trusted to be as it was asked for; this is what it is.
	if (!addresses.some((address) => isSameAddress(address, socket.remoteAddress))) {
		socket.destroy();
		throw new Error('The connection leads to an address that was not checked.');
	}
	if (target.protocol === 'http:') return socket;
	return await opened(
		connectTls({
			socket,
			// Server names are names; an address is compared with the certificate all the same.
			...(target.isLiteral ? { host: target.host } : { servername: target.host }),
			ALPNProtocols: ['http/1.1'],
			// Said here so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
			rejectUnauthorized: true,
			...(authorities === undefined ? {} : { ca: authorities }),
		}),
		'secureConnect',
		signal,
	);
}

function connectTo(addresses: readonly string[], port: number): Socket {
	const [first = '', ...others] = addresses;
	const common = { port, noDelay: true };
	if (others.length === 0) return connectTcp({ ...common, host: first });
	const lookup: LookupFunction = (_name, _options, answer) =>
		answer(
			null,
			addresses.map((address) => ({ address, family: isIP(address) })),
		);
	return connectTcp({
		...common,
		// Only a name makes the socket try one address after the other; this one is never looked up.
		host: 'receiver.invalid',
		lookup,
		autoSelectFamily: true,
		autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
	});
}

async function opened(
	socket: Socket,
	event: 'connect' | 'secureConnect',
	signal: AbortSignal,
): Promise<Socket> {
	// Also between the events that somebody waits for, an error must find a listener.
	socket.on('error', () => undefined);
	return await new Promise((resolve, reject) => {
		const settle = (): void => {
			socket.off(event, onOpen);
			socket.off('error', onFault);
			socket.off('close', onFault);
			signal.removeEventListener('abort', onAbort);
		};
		const onOpen = (): void => {
			settle();
			resolve(socket);
		};
		const onFault = (error?: unknown): void => {
			settle();
			socket.destroy();
			reject(error instanceof Error ? error : new ConnectionClosed());
		};
		const onAbort = (): void => onFault(signal.reason);
		socket.on(event, onOpen);
		socket.on('error', onFault);
		socket.on('close', onFault);
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
	});
}

/** The other side ended the connection before it was open. */
class ConnectionClosed extends Error {
	readonly code = 'ECONNRESET';
}

function isSameAddress(address: string, other: string | undefined): boolean {
	if (other === undefined) return false;
	return address === other || normalized(address) === normalized(other);
}

/** An address as a URL writes it, so that one address has one spelling. */
function normalized(address: string): string {
	if (isIP(address) !== 6 || address.includes('%')) return address;
	return new URL(`http://[${address}]`).hostname;
}
