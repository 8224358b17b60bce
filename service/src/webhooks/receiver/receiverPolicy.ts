import type { Config } from '../../config.ts';
import { isLoopbackHost } from './addressRanges.ts';

/** Which receivers this service may deliver to. */
export interface ReceiverPolicy {
	/**
	 * Only this machine can reach the service, so a receiver on this machine is allowed: whoever can
	 * register it can reach it anyway.
	 */
	ownMachine: boolean;
	/** `host` or `host:port`, in lower case: allowed wherever they are, with http or https. */
	allowedHosts: readonly string[];
}

/**
 * The policy that the settings HOST, PUBLIC_URL and WEBHOOK_ALLOWED_HOSTS make. A service that
 * listens on this machine but has a public address stands behind a proxy: it is not for this machine
 * alone.
 */
export function receiverPolicy(config: Config): ReceiverPolicy {
	const isBehindProxy =
		config.publicUrl !== null && !isLoopbackHost(new URL(config.publicUrl).hostname);
	return {
		ownMachine: isLoopbackHost(config.host) && !isBehindProxy,
		allowedHosts: config.webhookAllowedHosts,
	};
}
