/**
 * Milliseconds that a `Retry-After` header asks to wait: a number of seconds, or an HTTP date.
 * Undefined where there is no such header or it cannot be read. Never negative.
 */
export function retryAfterMs(
	headers: Record<string, unknown> | undefined,
	now: number,
): number | undefined {
	const name = Object.keys(headers ?? {}).find((key) => key.toLowerCase() === 'retry-after');
	const value = name === undefined ? undefined : headers?.[name];
	const text = String(Array.isArray(value) ? value[0] : (value ?? '')).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	// An HTTP date starts with the name of the day; Date.parse alone would read almost anything.
	if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
