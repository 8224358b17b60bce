/** An entry of WEBHOOK_ALLOWED_HOSTS. */
interface AllowedHost {
	/** As a URL writes it: lower case, IPv4 in decimals, IPv6 in brackets, no dot at the end. */
	hostname: string;
	/** Null: every port. */
	port: number | null;
}

/** Reads `host` or `host:port`; null where the text is neither. */
export function parseAllowedHost(entry: string): AllowedHost | null {
	// What a URL may hold besides a host and a port has no place here.
	if (/[/\\?#@\s]/.test(entry)) return null;
	const [, host = '', digits] = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(entry) ?? [];
	if (host === '' || !URL.canParse(`http://${host}`)) return null;
	const port = digits === undefined ? null : Number(digits);
	if (port !== null && (port < 1 || port > 65535)) return null;
	return { hostname: withoutDot(new URL(`http://${host}`).hostname), port };
}

/** Whether the operator allows this host and port, whatever address it has. */
export function isAllowedHost(
	allowedHosts: readonly string[],
	hostname: string,
	port: number,
): boolean {
	return allowedHosts.some((entry) => {
		const allowed = parseAllowedHost(entry);
		if (allowed === null || allowed.hostname !== withoutDot(hostname)) return false;
		return allowed.port === null || allowed.port === port;
	});
}

function withoutDot(hostname: string): string {
	return hostname.replace(/\.$/, '');
}
