import { createHash } from 'node:crypto';

import { idText, isJsonObject, type JsonObject } from '../../shared/extraction/model';
import { parseJsonExactly } from '../../shared/extraction/losslessJson';

/**
 * A delivery (section 6 of the interface), read from its signed bytes. The headers are not signed,
 * so nothing is read from them.
 */
export interface Delivery {
	/** The same for every delivery of one event: `event.id`, or a digest of the bytes. */
	key: string;
	eventId: string | null;
	eventName: string | null;
	jobId: string | null;
	/** A sample that somebody asked for. */
	isTest: boolean;
	/** The body with exact numbers. What is no JSON object is in `raw`, see `rawJson`. */
	body: JsonObject;
}

/** Text where the bytes are UTF-8, base64 besides where they are not, so that nothing is lost. */
function rawJson(bytes: Buffer): JsonObject {
	const raw = bytes.toString('utf8');
	return Buffer.from(raw).equals(bytes) ? { raw } : { raw, rawBase64: bytes.toString('base64') };
}

function bodyOf(bytes: Buffer): JsonObject {
	try {
		const body = parseJsonExactly(bytes.toString('utf8'));
		if (isJsonObject(body)) return body;
	} catch {
		// No JSON: passed on as it came.
	}
	return rawJson(bytes);
}

/** Reads the bytes of a delivery whose signature is right. Never throws, and drops nothing. */
export function readDelivery(bytes: Buffer): Delivery {
	const body = bodyOf(bytes);
	const event = isJsonObject(body.event) ? body.event : {};
	const job = isJsonObject(body.job) ? body.job : {};
	const eventId = idText(event.id);
	return {
		key: eventId ?? `body:${createHash('sha256').update(bytes).digest('hex')}`,
		eventId,
		eventName: typeof event.name === 'string' && event.name !== '' ? event.name : null,
		jobId: idText(job.id) ?? idText(job.jobId) ?? idText(body.jobId),
		isTest: event.test === true,
		body,
	};
}
