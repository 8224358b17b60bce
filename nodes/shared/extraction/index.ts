/**
 * From the service's answers to n8n items. Pure functions: no requests, no state, no error for
 * any input.
 */
export { flatRowsToItems, groupedDataToItems } from './extractionItems';
export { readPayload, recordToItem } from './item';
export { parseJsonExactly } from './losslessJson';
export {
	addDecimals,
	formatDecimal,
	parseDecimal,
	subtractDecimals,
	type Decimal,
} from './decimal';
export { toIsoDate } from './isoDate';
export { OUTPUT_OPTIONS } from './outputOptions';
export type { Verdict } from './balanceCheck';
export type {
	ExtractionOptions,
	ExtractionPayload,
	IdLike,
	JsonObject,
	OutputMode,
	PairedItem,
	PairedItemSource,
} from './model';
