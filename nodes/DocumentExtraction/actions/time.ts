import { tryToParseDateTime, type IExecuteFunctions } from 'n8n-workflow';

import { operationFailure } from '../../shared/transport/failures';

/**
 * A date and time of the panel in milliseconds since 1970: ISO text, or what an expression gives.
 * Without a time zone it is meant in the one of the workflow, as n8n shows it. Undefined where the
 * field is empty. Throws NodeOperationError where the value is no time.
 */
export function timeOf(
	this: IExecuteFunctions,
	value: unknown,
	{ field, itemIndex }: { field: string; itemIndex: number },
): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	try {
		const time = tryToParseDateTime(value, this.getTimezone()).toMillis();
		if (Number.isFinite(time)) return time;
	} catch {
		// Said below, in words that name the field.
	}
	throw operationFailure(this.getNode(), `The value in '${field}' is no date and time`, {
		itemIndex,
		description: `Enter a date such as 2026-03-31T08:00 in '${field}', or leave it empty`,
	});
}
