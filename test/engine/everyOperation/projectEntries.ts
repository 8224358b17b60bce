import type { IDataObject } from 'n8n-workflow';

import { byId, unknownId, withJson, wrongLimit, type Entry } from './entry';

export const projectEntries: Entry[] = [
	{
		resource: 'project',
		operation: 'getDocuments',
		authentication: 'accessToken',
		parameters: {
			projectId: byId('={{ $json.projectId }}'),
			returnAll: false,
			limit: '={{ $json.limit }}',
		},
		items: ({ projects }) => projects.map(({ projectId }) => ({ json: { projectId, limit: 5 } })),
		check: async (results, { json: { projectId } }, { direct, projects }) => {
			const answer = await direct.get(`/agent/projects/${String(projectId)}/documents`);
			const records = answer.documents as IDataObject[];
			expect(results.map(({ json }) => json)).toEqual(
				records.map((record) => ({ ...record, documentId: String(record.id), projectId })),
			);
			const { name, statement } = projects.find((one) => one.projectId === projectId)!;
			expect(results.map(({ json }) => [json.originalname, json.transactionCount])).toEqual([
				[`${name}.pdf`, statement.truth.accounts[0]?.transactions.length],
			]);
		},
		outputSchema: 'asDescribed',
		failures: [unknownId('projectId', 'project', 'Project'), wrongLimit],
	},
	{
		resource: 'project',
		operation: 'getMany',
		authentication: 'accessToken',
		parameters: { returnAll: false, limit: '={{ $json.limit }}' },
		items: () => [3, 1, 2].map((limit) => ({ json: { limit } })),
		check: (results, { json: { limit } }, { projects }) => {
			expect(results.map(({ json }) => [json.projectId, json.name, json.documentCount])).toEqual(
				projects.slice(0, Number(limit)).map(({ projectId, name }) => [projectId, name, 1]),
			);
		},
		outputSchema: 'asDescribed',
		failures: [wrongLimit, { ...wrongLimit, name: 'a limit of 0', spoil: withJson({ limit: 0 }) }],
	},
];
