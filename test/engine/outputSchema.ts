import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(__dirname, '../../nodes/DocumentExtraction/__schema__/v1.0.0');

/** The fields that n8n's editor offers of an operation before it has run, in alphabetical order. */
export function describedFields(resource: string, operation: string): string[] {
	const text = readFileSync(join(FOLDER, resource, `${operation}.json`), 'utf8');
	return Object.keys((JSON.parse(text) as { properties: object }).properties).sort();
}
