import { lookup, Resolver } from 'node:dns/promises';

/** The name has no address. */
export class NameNotFound extends Error {
	constructor() {
		super('The name of the receiver has no address. Look for a slip in the name.');
		this.name = 'NameNotFound';
	}
}

/** The name servers did not answer. */
export class NameServerFailed extends Error {
	constructor() {
		super('The name of the receiver could not be looked up. Try again later.');
		this.name = 'NameServerFailed';
	}
}

/** Who knows a name: the name servers, or the machine with its hosts file and search domains. */
export type NameSource = 'name-servers' | 'machine';

/**
 * All addresses of a name, at least one.
 *
 * @throws NameNotFound, NameServerFailed
 */
export type ResolveName = (
	name: string,
	source: NameSource,
	signal: AbortSignal,
) => Promise<readonly string[]>;

const NOT_FOUND = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA'];
const ANSWER_WITHIN_MS = 2500;
const TRIES = 3;

/**
 * Public names are asked from the name servers directly. The machine's own lookup runs in the few
 * threads that also write files; a name whose servers never answer would hold them up. Names on the
 * operator's list may stand in the hosts file, so those are asked from the machine.
 */
export const resolveName: ResolveName = async (name, source, signal) => {
	return source === 'machine' ? await askMachine(name) : await askNameServers(name, signal);
};

async function askMachine(name: string): Promise<string[]> {
	try {
		return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address);
	} catch (error) {
		throw failureOf([error]);
	}
}

async function askNameServers(name: string, signal: AbortSignal): Promise<string[]> {
	// A new one every time: it reads the machine's present name servers, and can be stopped alone.
	const resolver = new Resolver({ timeout: ANSWER_WITHIN_MS, tries: TRIES });
	const stop = (): void => resolver.cancel();
	signal.addEventListener('abort', stop, { once: true });
	try {
		const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
		const addresses = answers.flatMap((answer) =>
			answer.status === 'fulfilled' ? answer.value : [],
		);
		if (addresses.length > 0) return addresses;
		throw failureOf(answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null)));
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** A name is only known not to exist if every question was answered so. */
function failureOf(errors: unknown[]): Error {
	const codes = errors.map((error) => (error instanceof Error ? Reflect.get(error, 'code') : null));
	const isKnown = codes.every((code) => code === null || NOT_FOUND.includes(String(code)));
	return isKnown ? new NameNotFound() : new NameServerFailed();
}
