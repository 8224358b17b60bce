/** The event names of section 6, in its order. */
export const EVENT_NAMES = [
	'document.uploaded',
	'document.extraction.completed',
	'bank_statement.extraction.completed',
	'invoice.extraction.completed',
	'form.extraction.completed',
	'document.extraction.failed',
	'account.limit.approaching',
	'fraud.detected',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** The schema version of every event and webhook (section 9.3). */
export const EVENT_VERSION = '2024-01-01';

export function isEventName(text: string): text is EventName {
	return EVENT_NAMES.some((name) => name === text);
}
