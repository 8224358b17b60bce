import type { INodeProperties } from 'n8n-workflow';

import { DocumentExtraction } from '../../nodes/DocumentExtraction/DocumentExtraction.node';
import { DocumentExtractionProjectTrigger } from '../../nodes/DocumentExtractionProjectTrigger/DocumentExtractionProjectTrigger.node';
import { DocumentExtractionTrigger } from '../../nodes/DocumentExtractionTrigger/DocumentExtractionTrigger.node';

/** The names of fields with a pattern that n8n would test before each execution. */
function withPattern(fields: readonly INodeProperties[]): string[] {
	return fields
		.filter(({ modes }) => modes?.some(({ validation }) => validation !== undefined))
		.map(({ name }) => name);
}

it.each([DocumentExtraction, DocumentExtractionTrigger, DocumentExtractionProjectTrigger])(
	'no pattern in the panel can fail an execution before it begins: %p',
	(Node) => {
		const { properties } = new Node().description;
		expect(properties.some(({ type }) => type === 'resourceLocator')).toBe(
			Node !== DocumentExtractionTrigger,
		);
		expect(withPattern(properties)).toEqual([]);
	},
);
