import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { portHolder } from './portHolder.ts';
import { PlainError } from './plainError.ts';

const largestPort = 65_535;

/** Reads a port from an environment variable; `fallback` when the variable is not set. */
export const portFromEnvironment = (variable: string, fallback: number): number => {
	const text = process.env[variable]?.trim();
	if (text === undefined || text === '') return fallback;
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > largestPort) {
		throw new PlainError(
			`${variable} is "${text}", which is not a port. Set it to a number from 1 to ${largestPort}, or leave it out for ${fallback}.`,
		);
	}
	return port;
};

const listenOnce = async (port: number, host: string): Promise<number> =>
	await new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', reject);
		probe.listen({ port, host, exclusive: true }, () => {
			const address = probe.address();
			const taken = typeof address === 'object' && address !== null ? address.port : port;
			probe.close(() => resolve(taken));
		});
	});

/** A port that nothing listens on at the moment. */
export const freePort = async (host = '127.0.0.1'): Promise<number> => await listenOnce(0, host);

// Below the range from which Linux, macOS and Windows take the ports of outgoing connections.
const lastingPorts = { first: 20_000, count: 12_000 };

/**
 * A free port that stays free while what listens on it is stopped and started again: no outgoing
 * connection is given it meanwhile.
 */
export const lastingPort = async (host = '127.0.0.1'): Promise<number> => {
	for (;;) {
		const port = lastingPorts.first + randomInt(lastingPorts.count);
		if (await isFree(port, host)) return port;
	}
};

export const isFree = async (port: number, host = '127.0.0.1'): Promise<boolean> => {
	try {
		await listenOnce(port, host);
		return true;
	} catch {
		return false;
	}
};

/**
 * Throws a text that says which port is taken, by what (where that can be known), and how to choose
 * another one.
 */
export const requireFreePort = async (wanted: {
	port: number;
	host: string;
	purpose: string;
	variable: string;
}): Promise<void> => {
	const { port, host, purpose, variable } = wanted;
	try {
		await listenOnce(port, host);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EACCES') {
			throw new PlainError(
				`${purpose} may not use port ${port}: the system allows it to administrators only.\nChoose another one: ${variable}=${port + 8000} npm start`,
			);
		}
		if (code !== 'EADDRINUSE') throw error;
		const holder = await portHolder(port);
		const other = await freePort(host);
		throw new PlainError(
			[
				`Port ${port} (${purpose}) is in use${holder === undefined ? '' : ` by ${holder.description}`}.`,
				holder === undefined
					? 'Stop what uses it,'
					: `Stop it (kill ${holder.pid}) if it is no longer needed,`,
				`or choose another port: ${variable}=${other} npm start`,
			].join('\n'),
		);
	}
};
