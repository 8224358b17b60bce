import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
	NodeHelpers,
	type ICredentialType,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { DocumentExtractionApi } from '../../credentials/DocumentExtractionApi.credentials';
import { DocumentExtractionJwtApi } from '../../credentials/DocumentExtractionJwtApi.credentials';
import { DocumentExtraction } from '../../nodes/DocumentExtraction/DocumentExtraction.node';
import { panelOf } from './panel';

const ROOT = resolve(__dirname, '..', '..');
const NODE_FOLDER = join(ROOT, 'nodes', 'DocumentExtraction');
const { description, methods } = new DocumentExtraction();
const version = { typeVersion: 1 };

const panel = (choices: INodeParameters) => panelOf(description, choices);

function valuesOf(field: INodeProperties | undefined): string[] {
	return (field?.options ?? []).map((option) => String((option as INodePropertyOptions).value));
}

const EXPECTED: Record<string, Record<string, Record<string, string[]>>> = {
	accessToken: {
		document: {
			extract: ['fileFrom', 'inputDataFieldName', 'documentKind', 'jobMode', 'output', 'options'],
			get: ['documentId'],
			getData: ['documentId', 'output'],
			getTransactions: ['documentId', 'format'],
			upload: ['fileFrom', 'inputDataFieldName', 'options'],
		},
		job: {
			create: ['documentIds', 'documentKind'],
			get: ['jobId'],
			getData: ['jobId', 'output'],
			getTransactions: ['jobId', 'includeRaw'],
			wait: ['jobId', 'waitLimit'],
		},
		project: {
			getDocuments: ['projectId', 'returnAll', 'limit'],
			getMany: ['returnAll', 'limit'],
		},
		tool: {
			getMany: ['returnAll', 'limit'],
			run: ['toolName', 'parametersFrom', 'toolFields', 'toolOutput'],
		},
		webhook: {
			create: ['url', 'events', 'secretNotice'],
			delete: ['webhookId'],
			get: ['webhookId'],
			getDeliveries: ['webhookId', 'returnAll', 'limit', 'filters'],
			getEventNames: [],
			getMany: ['returnAll', 'limit'],
			recoverMissedDeliveries: ['webhookId', 'since'],
			regenerateSecret: ['webhookId', 'secretNotice'],
			retryDelivery: ['deliveryId'],
			sendTest: ['webhookId', 'options'],
			update: ['webhookId', 'updateFields'],
		},
	},
	jwt: {
		document: {
			download: ['documentId', 'downloadAs', 'outputDataFieldName', 'options'],
			upload: ['uploadMethod', 'fileFrom', 'inputDataFieldName', 'options'],
		},
		fraud: {
			getManySignals: ['documentId', 'returnAll', 'limit', 'filters'],
			getScore: ['documentId'],
		},
		job: {
			create: ['documentIds', 'documentKind', 'options'],
			export: ['jobId', 'documentKind', 'output', 'options'],
			get: ['jobId'],
			wait: ['jobId', 'waitLimit'],
		},
	},
};

const cases = Object.entries(EXPECTED).flatMap(([authentication, resources]) =>
	Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(
			([operation, fields]) => [authentication, resource, operation, fields] as const,
		),
	),
);

describe('panel of the node', () => {
	it('starts with authentication, and with Document: Extract', () => {
		expect(description.properties[0]?.name).toBe('authentication');
		expect(panel({}).values).toMatchObject({
			authentication: 'accessToken',
			resource: 'document',
			operation: 'extract',
			inputDataFieldName: 'data',
			documentKind: 'bankStatement',
			jobMode: 'jobPerFile',
			output: 'transactions',
		});
	});

	it.each(cases)(
		'%s, %s: %s shows its fields and no others',
		(authentication, resource, operation, names) => {
			const { fields } = panel({ authentication, resource, operation });
			const chosen = ['authentication', 'resource', 'operation'];
			expect(fields.map(({ name }) => name)).toEqual([...chosen, ...names]);
			expect(valuesOf(fields[1])).toContain(resource);
			expect(valuesOf(fields[2])).toContain(operation);
		},
	);

	it.each(['accessToken', 'jwt'])(
		'with %s every operation on offer is one of these',
		(authentication) => {
			const resources = EXPECTED[authentication]!;
			const start = panel({ authentication }).fields.find(({ name }) => name === 'resource');
			expect(valuesOf(start)).toEqual(Object.keys(resources));
			for (const resource of Object.keys(resources)) {
				const { fields } = panel({ authentication, resource });
				const operations = valuesOf(fields.find(({ name }) => name === 'operation'));
				expect(operations).toEqual(Object.keys(resources[resource]!));
			}
		},
	);

	it('asks for the name of the output field only for CSV', () => {
		const { fields } = panel({ operation: 'getTransactions', format: 'csv' });
		expect(fields.at(-1)?.name).toBe('outputDataFieldName');
	});

	it('asks for the address of the file only when it comes from one', () => {
		const names = panel({ operation: 'upload', fileFrom: 'url' }).fields.map(({ name }) => name);
		expect(names).toContain('fileUrl');
		expect(names).not.toContain('inputDataFieldName');
	});

	it('offers a password for a presigned address only, as a password field', () => {
		const optionsOf = (uploadMethod: string) => {
			const choices = { authentication: 'jwt', resource: 'document', operation: 'upload' };
			const { fields } = panel({ ...choices, uploadMethod });
			const options = fields.filter(({ name }) => name === 'options');
			expect(options).toHaveLength(1);
			return options[0]!.options as INodeProperties[];
		};
		expect(optionsOf('form').map(({ name }) => name)).not.toContain('password');
		const password = optionsOf('presigned').find(({ name }) => name === 'password');
		expect(password).toMatchObject({ typeOptions: { password: true }, default: '' });
	});

	it('asks for a template only for other kinds', () => {
		const choices = { authentication: 'jwt', resource: 'job', operation: 'create' };
		const namesFor = (documentKind: string) =>
			panel({ ...choices, documentKind }).fields.map(({ name }) => name);
		expect(namesFor('other')).toContain('templateId');
		expect(namesFor('invoice')).not.toContain('templateId');
	});

	it('asks for no limit where all are wanted', () => {
		const choices = { resource: 'webhook', operation: 'getMany', returnAll: true };
		expect(panel(choices).fields.map(({ name }) => name)).not.toContain('limit');
	});

	it('asks for exactly one credential', () => {
		for (const [authentication, name] of [
			['accessToken', 'documentExtractionApi'],
			['jwt', 'documentExtractionJwtApi'],
		] as const) {
			const values = panel({ authentication }).values;
			const shown = description.credentials?.filter((credential) =>
				NodeHelpers.displayParameter(values, credential, version, description),
			);
			expect(shown?.map((credential) => credential.name)).toEqual([name]);
		}
	});
});

/** Every property, also those inside collections. */
function allProperties(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.type === 'collection' ? allProperties(property.options as INodeProperties[]) : []),
	]);
}

const SMALL_WORDS = new Set([
	'for',
	'of',
	'or',
	'per',
	'and',
	'to',
	'in',
	'a',
	'the',
	'with',
	'by',
]);

function isTitleCase(text: string): boolean {
	return text.split(' ').every((word, position) => {
		return (position > 0 && SMALL_WORDS.has(word)) || /^[A-Z0-9]/.test(word);
	});
}

describe('texts', () => {
	const properties = allProperties(description.properties);
	const fields = properties.filter(({ type }) => type !== 'notice');

	it('names are in Title Case', () => {
		const names = fields.flatMap(({ displayName, options, type }) => [
			displayName,
			...(type === 'options' ? (options ?? []).map((option) => option.name) : []),
		]);
		expect(names.filter((name) => !isTitleCase(name))).toEqual([]);
	});

	it('one sentence has no period, several have', () => {
		const texts = properties.flatMap((property) => [
			property.description,
			property.hint,
			...(property.type === 'options'
				? ((property.options ?? []) as INodePropertyOptions[]).map((option) => option.description)
				: []),
		]);
		const given = texts.filter((text) => text !== undefined);
		const wrong = given.filter((text) => /[.!?] [A-Z]/.test(text) !== text.endsWith('.'));
		expect(wrong).toEqual([]);
		expect(given.filter((text) => !/^[A-Z0-9]/.test(text))).toEqual([]);
	});

	it('every operation has an action, in sentence case', () => {
		const operations = description.properties.filter(({ name }) => name === 'operation');
		const actions = operations.flatMap(({ options }) =>
			(options as INodePropertyOptions[]).map(({ action }) => action),
		);
		expect(actions.filter((action) => !/^[A-Z][a-z]+( [a-z]+)*$/.test(action ?? ''))).toEqual([]);
	});

	it('resource and operation take no expressions, every field has a default', () => {
		for (const { name, noDataExpression, default: value } of properties) {
			expect(value).toBeDefined();
			if (name === 'resource' || name === 'operation') expect(noDataExpression).toBe(true);
		}
	});

	it('no drop-down offers a list that cannot be filled', () => {
		const locators = properties.filter(({ type }) => type === 'resourceLocator');
		const lists = locators.flatMap(({ name, modes }) =>
			(modes ?? [])
				.filter((mode) => mode.type === 'list')
				.map(({ typeOptions }) => [name, typeOptions?.searchListMethod ?? '']),
		);
		expect(new Set(lists.map(([name]) => name))).toEqual(
			new Set(['documentId', 'projectId', 'toolName', 'webhookId']),
		);
		for (const [, method] of lists) expect(methods.listSearch).toHaveProperty([method!]);
		for (const { modes } of locators) expect(modes?.map(({ name }) => name)).toContain('id');
		const loaded = properties.map(({ typeOptions }) => typeOptions?.loadOptionsMethod);
		const loaders = loaded.filter((loader) => loader !== undefined);
		expect(loaders.length).toBeGreaterThan(0);
		for (const loader of loaders) expect(methods.loadOptions).toHaveProperty([loader]);
	});

	it('an ID is refused for what is wrong with it, an empty one only because it is required', () => {
		for (const { name, modes, required } of properties) {
			const rules = (modes ?? []).flatMap(({ validation }) => validation ?? []);
			for (const rule of rules) {
				const { regex = 'none' } = ('properties' in rule ? rule.properties : {}) as {
					regex?: string;
				};
				const refused = (text: string) => !new RegExp(regex).test(text);
				expect([name, required, refused(''), refused('42')]).toEqual([name, true, false, false]);
				expect(['a b', 'a/b', 'a?b', 'a#b'].every(refused)).toBe(true);
			}
		}
	});
});

describe('files beside the node', () => {
	const icons = (icon: unknown, folder: string) => {
		const { light, dark } = icon as { light: string; dark: string };
		return [light, dark].map((path) => resolve(folder, path.replace('file:', '')));
	};

	it('icons are there, square, and differ for light and dark', () => {
		const credentials: ICredentialType[] = [
			new DocumentExtractionApi(),
			new DocumentExtractionJwtApi(),
		];
		const paths = [
			...icons(description.icon, NODE_FOLDER),
			...credentials.flatMap(({ icon }) => icons(icon, join(ROOT, 'credentials'))),
		];
		expect(new Set(paths).size).toBe(2);
		for (const path of paths) {
			expect(existsSync(path)).toBe(true);
			expect(readFileSync(path, 'utf8')).toMatch(/viewBox="0 0 (\d+) \1"/);
		}
		const [light, dark] = [...new Set(paths)].map((path) => readFileSync(path, 'utf8'));
		expect(light).not.toBe(dark);
	});

	it('the codex file names this node, with categories that n8n has', () => {
		const codex = JSON.parse(
			readFileSync(join(NODE_FOLDER, 'DocumentExtraction.node.json'), 'utf8'),
		) as { node: string; categories: string[]; alias: string[]; resources: object };
		const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
			name: string;
		};
		expect(codex.node).toBe(`${name}.${description.name}`);
		expect(codex.categories).toEqual(['Finance & Accounting', 'Data & Storage']);
		expect(codex.alias).toEqual(expect.arrayContaining(['ocr', 'bank statement', 'invoice', 'w2']));
		expect(codex.resources).toHaveProperty('primaryDocumentation');
	});
});

describe('credentials', () => {
	it.each([
		[new DocumentExtractionApi(), 'accessToken'],
		[new DocumentExtractionJwtApi(), 'jwtToken'],
	])('%p', (credential: ICredentialType, secret) => {
		const [address, token] = credential.properties;
		expect(address).toMatchObject({ name: 'baseUrl', default: 'http://127.0.0.1:8787/api/v1' });
		expect(token).toMatchObject({ name: secret, default: '', typeOptions: { password: true } });
		expect(credential.documentationUrl).toMatch(/^https:\/\//);
		expect(JSON.stringify(credential.authenticate)).toContain(`$credentials.${secret}`);
	});
});
