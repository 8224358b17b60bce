import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { DocumentExtractionProjectTrigger } from '../../nodes/DocumentExtractionProjectTrigger/DocumentExtractionProjectTrigger.node';
import { panelOf } from './panel';

const ROOT = resolve(__dirname, '..', '..');
const FOLDER = join(ROOT, 'nodes', 'DocumentExtractionProjectTrigger');
const node = new DocumentExtractionProjectTrigger();
const { description } = node;

function panel(choices: INodeParameters) {
	const { values, fields } = panelOf(description, choices);
	return { values, shown: fields.map(({ name }) => name) };
}

it('is a polling trigger and no tool', () => {
	expect(description).toMatchObject({ group: ['trigger'], inputs: [], polling: true });
	expect(description.displayName).toMatch(/Trigger$/);
	expect(description).not.toHaveProperty('usableAsTool');
});

it('begins without a flood, and with failures besides what was extracted', () => {
	expect(panel({}).values).toMatchObject({
		triggerOn: ['extracted', 'failed'],
		output: 'record',
		startWith: 'now',
	});
});

it('asks for days only where they count', () => {
	const usual = ['projectId', 'triggerOn', 'output', 'startWith', 'options'];
	expect(panel({}).shown).toEqual(usual);
	expect(panel({ startWith: 'days' }).shown).toEqual([
		...usual.slice(0, 4),
		'days',
		...usual.slice(4),
	]);
});

it('offers the project from a list that it has', () => {
	const project = description.properties.find(({ name }) => name === 'projectId');
	const methods = project?.modes?.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
	expect(methods).toEqual(Object.keys(node.methods.listSearch));
	expect(project?.modes?.map(({ name }) => name)).toEqual(['list', 'id']);
});

function allProperties(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.type === 'collection' ? allProperties(property.options as INodeProperties[]) : []),
	]);
}

it('has texts without a full stop where they are one sentence', () => {
	const texts = allProperties(description.properties).flatMap((property) => [
		property.description,
		...(property.type === 'options' || property.type === 'multiOptions'
			? (property.options as INodePropertyOptions[]).map((option) => option.description)
			: []),
	]);
	const given = texts.filter((text) => text !== undefined);
	expect(given.length).toBeGreaterThan(10);
	expect(given.filter((text) => /[.!?] [A-Z]/.test(text) !== text.endsWith('.'))).toEqual([]);
});

it('the codex file names this node', () => {
	const file = readFileSync(join(FOLDER, 'DocumentExtractionProjectTrigger.node.json'), 'utf8');
	const codex = JSON.parse(file) as { node: string; resources: object };
	const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');
	const { name, n8n } = JSON.parse(manifest) as { name: string; n8n: { nodes: string[] } };
	expect(codex.node).toBe(`${name}.${description.name}`);
	expect(codex.resources).toHaveProperty('primaryDocumentation');
	expect(n8n.nodes.join()).toContain('DocumentExtractionProjectTrigger.node.js');
});
