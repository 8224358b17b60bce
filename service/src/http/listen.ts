import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isErrno } from '../storage/dataFolder.ts';

/** The address to listen on cannot be had. The message is for a person. */
export class PortUnavailableError extends Error {
	constructor(host: string, port: number, error: unknown) {
		super(explanation(host, port, error), { cause: error });
		this.name = 'PortUnavailableError';
	}
}

/** Fails early when the port is taken, before anything that takes time is started. */
export async function assertPortIsFree(host: string, port: number): Promise<void> {
	if (port === 0) return;
	const probe = createServer();
	try {
		await new Promise<void>((resolve, reject) => {
			probe.once('error', reject);
			probe.listen({ host, port }, resolve);
		});
	} catch (error) {
		throw new PortUnavailableError(host, port, error);
	} finally {
		await new Promise<void>((resolve) => probe.close(() => resolve()));
	}
}

/** Listens, and gives the port: the given one, or the one that the system chose for 0. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
	try {
		await app.listen({ host, port, listenTextResolver: () => 'The service listens.' });
	} catch (error) {
		throw new PortUnavailableError(host, port, error);
	}
	// An address of a TCP server is never a text.
	return (app.server.address() as AddressInfo).port;
}

function explanation(host: string, port: number, error: unknown): string {
	if (isErrno(error, 'EADDRINUSE')) {
		return (
			`Port ${port} on ${host} is in use by another program. Stop that program, or choose another ` +
			`port: PORT=${port + 1} npm run service`
		);
	}
	if (isErrno(error, 'EACCES')) {
		return `Port ${port} needs more rights than this user has. Choose one above 1023 with PORT.`;
	}
	if (isErrno(error, 'EADDRNOTAVAIL') || isErrno(error, 'ENOTFOUND')) {
		return `This machine has no address ${host}. Set HOST to one it has, such as 127.0.0.1.`;
	}
	const reason = error instanceof Error ? error.message : String(error);
	return `The service cannot listen on ${host}:${port} (${reason}).`;
}
