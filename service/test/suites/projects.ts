import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client, errorOf, member } from '../client.ts';
import { addSecondContract } from '../secondContract.ts';
import { arrived, projectsOf, WatchedFolder } from '../watchedFolder.ts';
import type { ListedDocument } from '../watchedFolder.ts';
import type { Start } from './start.ts';

/** Sections 2.11 and 4.3: projects and their documents. */
export function projectsSuite(start: Start): void {
	describe('projects', () => {
		it('are listed with pages of documents, to their own contract alone', async () => {
			const folder = await WatchedFolder.make();
			const service = await start({ env: folder.env });
			try {
				const client = new Client(service);
				for (let number = 0; number < 7; number++) {
					// Damaged files are documents too, and quickly read.
					await folder.write(`b/${number}.pdf`, Buffer.from(`%PDF-1.7 ${number} %%EOF`));
				}
				await folder.write('a/z/one.pdf', Buffer.from('%PDF-1.7 one %%EOF'));
				await arrived(client, 8);
				const projects = await projectsOf(client);
				assert.deepEqual(
					projects.map(({ parentFolder, name, documentCount }) => [
						parentFolder,
						name,
						documentCount,
					]),
					[
						[null, 'a', 0],
						[null, 'b', 7],
						[null, folder.path.split('/').at(-1), 0],
						['a', 'z', 1],
					],
				);
				assert.ok(projects.every(({ createdAt }) => !Number.isNaN(Date.parse(createdAt))));
				const project = projects.find(({ name }) => name === 'b');
				assert.ok(project);

				const pageOf = async (query: string) => {
					const answer = await client.agent('GET', `/projects/${project.id}/documents${query}`);
					assert.equal(answer.status, 200, answer.text);
					const documents = member(answer, 'documents') as ListedDocument[];
					return {
						ids: documents.map(({ id }) => id),
						rest: [member(answer, 'total'), member(answer, 'limit'), member(answer, 'offset')],
					};
				};
				const whole = await pageOf('');
				assert.deepEqual(whole.rest, [7, 50, 0]);
				assert.deepEqual(
					whole.ids,
					whole.ids.toSorted((left, right) => right - left),
				);
				assert.equal(new Set(whole.ids).size, 7);
				const pages = [
					await pageOf('?limit=3'),
					await pageOf('?limit=3&offset=3'),
					await pageOf('?limit=3&offset=6'),
				];
				assert.deepEqual(
					pages.flatMap(({ ids }) => ids),
					whole.ids,
				);
				assert.deepEqual(pages[2]?.rest, [7, 3, 6]);
				assert.deepEqual(await pageOf('?limit=200&offset=1000'), { ids: [], rest: [7, 200, 1000] });

				for (const [query, error] of [
					['limit=0', '400 invalid_request limit'],
					['limit=201', '400 invalid_request limit'],
					['limit=-1', '400 invalid_request limit'],
					['limit=many', '400 invalid_request limit'],
					['offset=-1', '400 invalid_request offset'],
					['offset=1e30', '400 invalid_request offset'],
				]) {
					const answer = await client.agent('GET', `/projects/${project.id}/documents?${query}`);
					assert.equal(errorOf(answer), error, query);
				}
				for (const id of ['0', '999999', 'abc', '-1', '99999999999']) {
					const answer = await client.agent('GET', `/projects/${id}/documents`);
					assert.equal(errorOf(answer), '404 not_found', id);
				}

				await service.stop();
				const second = await addSecondContract(service.dataDir, service.databaseUrl);
				await service.start();
				const other = { authorization: `Bearer ${second.accessToken}` };
				const list = await client.agent('GET', '/projects', undefined, other);
				assert.deepEqual(list.body, { projects: [] });
				const documents = `/projects/${project.id}/documents`;
				assert.equal(
					errorOf(await client.agent('GET', documents, undefined, other)),
					'404 not_found',
				);
				const one = `/documents/${whole.ids[0]}`;
				assert.equal(errorOf(await client.agent('GET', one, undefined, other)), '404 not_found');
				const nobody = { authorization: 'Bearer nothing' };
				for (const path of ['/projects', documents]) {
					const answer = await client.agent('GET', path, undefined, nobody);
					assert.equal(errorOf(answer), '401 unauthorized');
				}
			} finally {
				await service.remove();
				await folder.remove();
			}
		});
	});
}
