import type { IDataObject } from 'n8n-workflow';

import { checkRows } from './content';
import { byId, NOWHERE, withJson, withoutFile, wrongLimit, type Entry } from './entry';

const resource = 'tool';
const authentication = 'accessToken';

export const toolEntries: Entry[] = [
	{
		resource,
		operation: 'getMany',
		authentication,
		parameters: { returnAll: false, limit: '={{ $json.limit }}' },
		items: () => [10, 1, 2].map((limit) => ({ json: { limit } })),
		check: async (results, { json: { limit } }, { direct }) => {
			const tools = (await direct.get('/agent/mcp/tools')).tools as IDataObject[];
			expect(tools).toHaveLength(10);
			expect(results.map(({ json }) => json)).toEqual(
				tools
					.slice(0, Number(limit))
					.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
			);
		},
		outputSchema: 'asDescribed',
		failures: [wrongLimit],
	},
	{
		resource,
		operation: 'run',
		authentication,
		variant: 'JSON',
		parameters: {
			toolName: byId('={{ $json.tool ?? "get_document_transactions" }}'),
			parametersFrom: 'json',
			toolJson: '={{ { documentId: $json.documentId } }}',
			toolOutput: 'rows',
		},
		items: (world) => world.statementItems(),
		check: (results, item, world) => checkRows(results, world.statementOf(item)),
		outputSchema: 'other',
		failures: [
			{
				name: 'a document that does not exist',
				spoil: withJson({ documentId: NOWHERE }),
				message: `The document ${NOWHERE} was not found`,
				description: 'credential',
			},
			{
				name: 'a tool that does not exist',
				spoil: withJson({ tool: 'make_coffee' }),
				message: "The tool 'make_coffee' was not found",
				description: "'Tool Name'",
			},
		],
	},
	{
		resource,
		operation: 'run',
		authentication,
		variant: 'file',
		parameters: {
			toolName: byId('convert_bank_statement'),
			parametersFrom: 'json',
			toolJson:
				'={{ { filename: $json.fileName, mimetype: "application/pdf", fileBase64: "data" } }}',
			toolOutput: 'rows',
		},
		items: async (world) => await world.fileItems(),
		check: (results, item, world) => checkRows(results, world.statementOf(item)),
		outputSchema: 'other',
		failures: [
			{
				...withoutFile,
				message: "The parameter 'fileBase64' wants a file, and there is none in the field 'data'",
				description: 'This item has no files',
			},
		],
	},
];
