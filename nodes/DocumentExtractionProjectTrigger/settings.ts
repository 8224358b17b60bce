import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { OutputMode } from '../shared/extraction';
import { operationFailure } from '../shared/transport/failures';
import type { Wanted } from './documents/decide';
import type { ReadOptions } from './documents/readProject';

/** Values of the node's `output` parameter. */
export type Output = 'record' | Exclude<OutputMode, 'raw'>;

/** What is set in the panel. */
export interface Settings {
	projectId: string;
	wanted: Wanted;
	output: Output;
	start: ReadOptions['start'];
	limit: number;
}

const DAY_MS = 24 * 60 * 60_000;
const OUTPUTS: readonly string[] = ['record', 'accounts', 'documents', 'transactions'];

function projectIdOf(this: IPollFunctions): string {
	const value: unknown = this.getNodeParameter('projectId', '', { extractValue: true });
	const id = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	if (id !== '' && !/[\s/?#]/.test(id)) return id;
	throw operationFailure(
		this.getNode(),
		id === '' ? "No project is chosen in 'Project'" : "The ID in 'Project' is not valid",
		{ description: "Choose the project from the list in 'Project', or enter its ID" },
	);
}

function countOf(this: IPollFunctions, value: unknown, field: string): number {
	const number = Math.floor(Number(value));
	if (Number.isFinite(number) && number >= 1) return number;
	throw operationFailure(this.getNode(), `The value in '${field}' is not a number from 1`, {
		description: `Enter a number such as 7 in '${field}'`,
	});
}

function startOf(this: IPollFunctions, now: number): ReadOptions['start'] {
	const startWith = this.getNodeParameter('startWith', 'now');
	if (startWith === 'everything') return { kind: 'everything' };
	if (startWith !== 'days') return { kind: 'now' };
	const days = countOf.call(this, this.getNodeParameter('days', 7), 'Days');
	return { kind: 'from', from: now - days * DAY_MS };
}

/** Reads the panel. Throws NodeOperationError, with the name of the field, where it is incomplete. */
export function settingsOf(this: IPollFunctions, now: number): Settings {
	const projectId = projectIdOf.call(this);
	const chosen: unknown = this.getNodeParameter('triggerOn', []);
	const events: unknown[] = Array.isArray(chosen) ? chosen : String(chosen).split(/\s*,\s*/);
	const wanted: Wanted = {
		new: events.includes('new'),
		extracted: events.includes('extracted'),
		failed: events.includes('failed'),
	};
	if (!wanted.new && !wanted.extracted && !wanted.failed) {
		throw operationFailure(this.getNode(), "Nothing is chosen in 'Trigger On'", {
			description: "Choose at least one entry in 'Trigger On', for example 'Document Extracted'",
		});
	}
	const output = this.getNodeParameter('output', 'record') as string;
	const options = this.getNodeParameter('options', {}) as IDataObject;
	return {
		projectId,
		wanted,
		output: (OUTPUTS.includes(output) ? output : 'record') as Output,
		start: startOf.call(this, now),
		limit: countOf.call(this, options.documentsPerRun ?? 50, 'Documents per Run'),
	};
}
