import { isAllowedHost } from './allowedHosts.ts';
import { addressKind, isLocalhostName } from './addressRanges.ts';
import type { ReceiverPolicy } from './receiverPolicy.ts';
import { ReceiverRefused } from './receiverRefused.ts';
import { readReceiverTarget } from './receiverTarget.ts';
import type { ReceiverTarget } from './receiverTarget.ts';
import { NameNotFound, NameServerFailed, resolveName } from './resolveName.ts';
import type { ResolveName } from './resolveName.ts';

/** A person waits for the answer to a registration. */
const LOOK_UP_WITHIN_MS = 8000;

/**
 * Whether a webhook may have this address (sections 2.10 and 4.4; docs/webhooks.md says the rules).
 * The check is repeated at every attempt, because a name can change its address.
 *
 * @returns null where it may, otherwise one sentence for a person.
 */
export async function checkReceiver(
	url: string,
	policy: ReceiverPolicy,
	resolve: ResolveName = resolveName,
): Promise<string | null> {
	const signal = AbortSignal.timeout(LOOK_UP_WITHIN_MS);
	try {
		await allowedAddresses(readReceiverTarget(url), policy, resolve, signal);
		return null;
	} catch (error) {
		if (
			error instanceof ReceiverRefused ||
			error instanceof NameNotFound ||
			error instanceof NameServerFailed
		) {
			return error.message;
		}
		throw error;
	}
}

/**
 * The addresses that may be connected to for this target: all that it has, each of them checked. One
 * address that is not allowed refuses the target, or a name with a public and a private one would
 * get through on the second try.
 *
 * @throws ReceiverRefused, NameNotFound, NameServerFailed
 */
export async function allowedAddresses(
	target: ReceiverTarget,
	policy: ReceiverPolicy,
	resolve: ResolveName,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const isAllowed = isAllowedHost(policy.allowedHosts, hostOf(target), target.port);
	const source = isAllowed || policy.ownMachine ? 'machine' : 'name-servers';
	const addresses =
		addressesWithoutLookup(target) ??
		(await beforeAbort(resolve(target.host, source, signal), signal));
	if (addresses.length === 0) throw new NameNotFound();
	if (isAllowed) return addresses;

	const kinds = addresses.map(addressKind);
	const isOnOwnMachine = policy.ownMachine && kinds.every((kind) => kind === 'loopback');
	if (isOnOwnMachine) return addresses;
	if (!kinds.every((kind) => kind === 'public' || (policy.ownMachine && kind === 'loopback'))) {
		// The addresses are not named: what a name of an internal network means is not told.
		throw new ReceiverRefused(
			'The address leads to this machine, into a private network or to a reserved address. ' +
				'Only public addresses are delivered to, unless the operator of the service names ' +
				'the host in WEBHOOK_ALLOWED_HOSTS.',
		);
	}
	if (target.protocol !== 'https:') {
		throw new ReceiverRefused(
			'The address must begin with https://, unless the operator of the service names the host ' +
				'in WEBHOOK_ALLOWED_HOSTS.',
		);
	}
	return addresses;
}

/** What nobody has to be asked for; null for any other name. */
function addressesWithoutLookup(target: ReceiverTarget): readonly string[] | null {
	if (target.isLiteral) return [target.host];
	return isLocalhostName(target.host) ? ['127.0.0.1', '::1'] : null;
}

/** The machine's own lookup cannot be stopped; nobody waits for it longer than the signal says. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	let stop = (): void => undefined;
	const aborted = new Promise<never>((_resolve, reject) => {
		stop = () => reject(new NameServerFailed());
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop, { once: true });
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** The host as the list of allowed hosts has it. */
function hostOf(target: ReceiverTarget): string {
	return target.host.includes(':') ? `[${target.host}]` : target.host;
}
