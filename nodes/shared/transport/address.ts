const VERSION_SEGMENT = '/api/v1';

/** The address of the interface, or why the text that was entered is none. */
export type Address = { baseUrl: string } | { reason: string };

/**
 * The base address of the service (section 9 of the interface: it ends in `/api/v1`), without a
 * slash at the end. A slash at the end and a missing version segment are understood.
 *
 * A text that cannot be an address is answered with a reason for a person, which does not repeat
 * the text: an address can hold a password.
 */
export function serviceAddress(entered: unknown): Address {
	const text = typeof entered === 'string' ? entered.trim() : '';
	if (text === '') return { reason: "'Base URL' is empty" };
	if (!/^https?:\/\//i.test(text)) {
		return { reason: "'Base URL' has to start with http:// or https://" };
	}
	if (!URL.canParse(text)) return { reason: "'Base URL' is not a valid address" };
	const url = new URL(text);
	if (url.search !== '' || url.hash !== '') {
		return { reason: "'Base URL' may not contain ? or #" };
	}
	if (url.username !== '' || url.password !== '') {
		return { reason: "'Base URL' may not contain a user name or password" };
	}
	const path = url.pathname.replace(/\/+$/, '');
	const version = /\/api\/(v\d+)$/i.exec(path)?.[1];
	if (version !== undefined && version !== 'v1') {
		return { reason: `'Base URL' ends in ${version}, and this node speaks version v1` };
	}
	return { baseUrl: url.origin + path.replace(/(\/api(\/v1)?)?$/, VERSION_SEGMENT) };
}
