/** What a delivery is made of; all of it is stored, so every attempt makes the same bytes. */
export interface DeliveredEvent {
	id: string;
	name: string;
	version: string;
	isTest: boolean;
	createdAt: Date;
	userId: number;
	/** JSON text. */
	job: string;
	/** JSON text. */
	data: string;
}

/**
 * The bytes of a delivery (section 6 and docs/interface-choices.md, "Events"). Pure: the same event and
 * webhook give the same bytes. Amounts keep the digits that `data` has.
 */
export function deliveryBody(event: DeliveredEvent, webhookId: number): Uint8Array {
	const head = JSON.stringify({
		id: event.id,
		name: event.name,
		version: event.version,
		createdAt: event.createdAt.toISOString(),
		...(event.isTest ? { test: true } : {}),
	});
	const user = JSON.stringify({ id: String(event.userId) });
	const webhook = JSON.stringify({ id: String(webhookId) });
	return Buffer.from(
		`{"event":${head},"job":${event.job},"user":${user},"webhook":${webhook},"data":${event.data}}`,
	);
}

/** The delivery headers of section 6. */
export function deliveryHeaders(
	event: Pick<DeliveredEvent, 'id' | 'name' | 'version'>,
	signature: string,
): Record<string, string> {
	return {
		'Content-Type': 'application/json',
		'X-Service-Event': event.name,
		'X-Service-Event-Id': event.id,
		'X-Service-Version': event.version,
		'X-Service-Signature': signature,
	};
}
