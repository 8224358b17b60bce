import { DescribedResponses } from '../description/describedResponses.ts';
import type { Validate } from './http.ts';
import { siteOf } from './stage.ts';
import type { Stage } from './stage.ts';

/** How answers are held against the OpenAPI document, and a sentence about it for the report. */
export interface Description {
	validate: Validate;
	note: string;
}

/**
 * The local service is held to the document that it serves, in every answer. What another service
 * describes, and how fully, is its own affair: there the rows of section 4.5 ask for the document
 * and nothing more.
 */
export async function descriptionOf(stage: Stage): Promise<Description> {
	const none = { validate: () => [] };
	if (!stage.isLocal) {
		return { ...none, note: 'Answers were not held against an OpenAPI document.' };
	}
	let described: DescribedResponses;
	try {
		described = await DescribedResponses.of(siteOf(stage.access));
	} catch (error) {
		// Its row in section 4.5 fails.
		const reason = error instanceof Error ? error.message : String(error);
		return { ...none, note: `There is no OpenAPI document to hold answers against: ${reason}` };
	}
	let count = 0;
	const description: Description = {
		validate: ({ method, url, status, headers, bytes }) => {
			count++;
			return described.check({ method, url }, { status, headers, body: bytes });
		},
		get note() {
			return `${count} answers were held against the OpenAPI document of the service.`;
		},
	};
	return description;
}
