import type { Validate } from './http.ts';
import type { Stage } from './stage.ts';

/** How answers are held against the OpenAPI document, and a sentence about it for the report. */
export interface Description {
	validate: Validate;
	note: string;
}

export async function describedResponses(_stage: Stage): Promise<Description> {
	return { validate: () => [], note: 'Answers were not held against an OpenAPI document.' };
}
