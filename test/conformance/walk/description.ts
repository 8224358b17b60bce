import { DescribedResponses } from '../description/describedResponses.ts';
import type { Validate } from './http.ts';
import { siteOf } from './stage.ts';
import type { Stage } from './stage.ts';

/** How answers are held against the OpenAPI document. */
export interface Description {
	validate: Validate;
	/** Answers that were held against it so far. */
	held(): number;
	/** Why there is none; null where there is one. */
	missing: string | null;
}

/**
 * The local service is held to the document that it serves, in every answer. What another service
 * describes, and how fully, is its own affair: there the rows of section 4.5 ask for the document
 * and nothing more.
 */
export async function descriptionOf(stage: Stage): Promise<Description> {
	const none = { validate: () => [], held: () => 0 };
	if (!stage.isLocal) return { ...none, missing: 'that of another service is its own affair' };
	let described: DescribedResponses;
	try {
		described = await DescribedResponses.of(siteOf(stage.access));
	} catch (error) {
		// Its row in section 4.5 fails.
		return { ...none, missing: error instanceof Error ? error.message : String(error) };
	}
	let count = 0;
	return {
		validate: ({ method, url, status, headers, bytes }) => {
			count++;
			return described.check({ method, url }, { status, headers, body: bytes });
		},
		held: () => count,
		missing: null,
	};
}

/** A sentence about it for the report. */
export function sentence({ held, missing }: Description): string {
	return missing === null
		? `${held()} answers were held against the OpenAPI document of the service.`
		: `No answer was held against an OpenAPI document: ${missing}`;
}
