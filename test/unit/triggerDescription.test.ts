import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { DocumentExtractionTrigger } from '../../nodes/DocumentExtractionTrigger/DocumentExtractionTrigger.node';
import { KNOWN_EVENTS } from '../../nodes/shared/webhooks/events';
import { panelOf } from './panel';

const ROOT = resolve(__dirname, '..', '..');
const FOLDER = join(ROOT, 'nodes', 'DocumentExtractionTrigger');
const node = new DocumentExtractionTrigger();
const { description } = node;

function panel(choices: INodeParameters) {
	const { values, fields } = panelOf(description, choices);
	return { values, shown: fields.filter(({ type }) => type !== 'hidden').map(({ name }) => name) };
}

it('is a trigger and no tool', () => {
	expect(description).toMatchObject({ group: ['trigger'], inputs: [] });
	expect(description.displayName).toContain('Trigger');
	expect(description).not.toHaveProperty('usableAsTool');
});

it('suggests failures besides statements', () => {
	expect(panel({}).values.events).toEqual([
		'bank_statement.extraction.completed',
		'document.extraction.failed',
	]);
});

it('warns about the event that comes besides another', () => {
	const usual = ['events', 'output', 'filters', 'additionalOptions'];
	expect(panel({}).shown).toEqual(usual);
	const both = ['bank_statement.extraction.completed', 'document.extraction.completed'];
	expect(panel({ events: both }).shown).toEqual([
		'events',
		'genericEventNotice',
		...usual.slice(1),
	]);
});

it('asks n8n to leave the body alone, so that the signature comes first', () => {
	expect(panel({}).values.options).toEqual({ binaryData: true });
	expect(panel({ additionalOptions: { includeHeaders: true } }).values.options).toEqual({
		binaryData: true,
	});
});

it('answers with its own body', () => {
	expect(description.webhooks).toEqual([
		expect.objectContaining({ httpMethod: 'POST', responseMode: 'onReceived', responseData: '' }),
	]);
});

it('loads its events with a method that it has', () => {
	const field = description.properties.find(({ name }) => name === 'events') as INodeProperties;
	const method = field.typeOptions?.loadOptionsMethod;
	expect(Object.keys(node.methods.loadOptions)).toEqual([method]);
});

it('has texts without a full stop where they are one sentence', () => {
	const texts = description.properties.flatMap((property) => [
		property,
		...((property.options ?? []) as Array<INodePropertyOptions | INodeProperties>),
	]);
	for (const { description: text } of texts) {
		if (text === undefined || text.includes('. ')) continue;
		expect(text).not.toMatch(/\.$/);
	}
	expect(KNOWN_EVENTS.map(({ name }) => name)).toEqual(
		expect.arrayContaining(panel({}).values.events as string[]),
	);
});

it('is registered, and its codex file names it', () => {
	const { n8n, name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		name: string;
		n8n: { nodes: string[] };
	};
	expect(n8n.nodes).toContain(
		'dist/nodes/DocumentExtractionTrigger/DocumentExtractionTrigger.node.js',
	);
	const file = join(FOLDER, 'DocumentExtractionTrigger.node.json');
	const codex = JSON.parse(readFileSync(file, 'utf8')) as { node: string; resources: object };
	expect(codex.node).toBe(`${name}.${description.name}`);
	expect(codex.resources).toHaveProperty('primaryDocumentation');
});
