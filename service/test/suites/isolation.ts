import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, member, request } from '../client.ts';
import type { Answer } from '../client.ts';
import { ContractParty, NOBODY } from '../contractParty.ts';
import type { Kind } from '../contractParty.ts';
import type { RunningService } from '../runningService.ts';
import { addSecondContract } from '../secondContract.ts';
import { parametersOf, serviceRoutes } from '../serviceRoutes.ts';
import type { ServiceRoute } from '../serviceRoutes.ts';
import type { Start } from './start.ts';

const AGENT = '/api/v1/agent';
const LEGACY = '/api/v1/protected';
/** Ids that no contract has. */
const NEVER = 777_777;

/** What stands in a parameter of a path. An endpoint with a parameter that is not here fails. */
const PARAMETERS: Record<string, Kind | 'storage key' | 'no id'> = {
	[`${AGENT}/documents/:documentId`]: 'document',
	[`${AGENT}/jobs/:id`]: 'job',
	[`${AGENT}/projects/:projectId`]: 'project',
	[`${AGENT}/webhooks/:id`]: 'webhook',
	[`${AGENT}/webhooks/deliveries/:id`]: 'delivery',
	[`${AGENT}/mcp/tools/:toolName`]: 'no id',
	[`${LEGACY}/document/:id`]: 'document',
	[`${LEGACY}/document/:documentId`]: 'document',
	[`${LEGACY}/job/:id`]: 'job',
	[`${LEGACY}/accessTokens/:id`]: 'access token',
	'/storage/documents/:contract': 'storage key',
	'/storage/documents/:contract/:file': 'storage key',
};

/** What stands in a member of a body or of a query: ids, one id, or none. Others fail. */
const MEMBERS: Record<string, { kind: Kind; many: boolean } | 'no id'> = {
	documents: { kind: 'document', many: true },
	documentIds: { kind: 'document', many: true },
	documentId: { kind: 'document', many: false },
	jobId: { kind: 'job', many: false },
	projectId: { kind: 'project', many: false },
	...Object.fromEntries(
		[
			...['filename', 'mimetype', 'fileBase64', 'customerId', 'password', 's3ETag', 'expiresIn'],
			...['jobName', 'enableBankMode', 'jobType', 'subType', 'templateId', 'format', 'includeRaw'],
			...['flattenTables', 'selectedFieldNames', 'metadata', 'asyncProcessing', 'name'],
			...['url', 'events', 'enabled', 'event', 'status', 'since', 'limit', 'offset'],
			...['type', 'minConfidence', 'maxConfidence', 'expires', 'signature'],
		].map((member) => [member, 'no id'] as const),
	),
};

/** The rest of a body that is right, for endpoints whose path or body has an id. */
const BODIES: Record<string, Record<string, unknown>> = {
	[`POST ${AGENT}/jobs`]: {},
	[`PUT ${AGENT}/webhooks/:id`]: { enabled: false, events: ['document.extraction.failed'] },
	[`POST ${AGENT}/webhooks/:id/test`]: { event: 'document.uploaded' },
	[`POST ${LEGACY}/job`]: { jobName: 'foreign' },
	[`POST ${LEGACY}/job/:id/export`]: { jobType: 'FieldsToExcel1', flattenTables: false },
};

/** Takes messages instead of members; its tools are tried one by one. */
const MCP = `${AGENT}/mcp`;

interface Place {
	name: string;
	kind: Kind;
	/** The request with this in the place, and what belongs to the caller everywhere else. */
	ask: (caller: ContractParty, id: number | string) => Promise<Answer>;
}

/** Done-when: two contracts, every endpoint, each id of the other. */
export function isolationSuite(start: Start): void {
	describe('two contracts', () => {
		let service: RunningService;
		let routes: ServiceRoute[];
		let parties: [ContractParty, ContractParty];

		before(async () => {
			service = await start({
				env: {
					WEBHOOK_ALLOWED_HOSTS: NOBODY,
					DELIVERY_BACKOFF_MS: '1',
					JOB_POLLS_PER_MINUTE: '1000000',
				},
			});
			await service.stop();
			const second = await addSecondContract(service.dataDir, service.databaseUrl);
			routes = await serviceRoutes();
			const { accessToken, jwt } = service.credentials;
			parties = [
				new ContractParty(service, { accessToken, jwt }, 'first-marker-6471'),
				new ContractParty(service, second, 'second-marker-9352'),
			];
			for (const party of parties) await party.addProject();
			await service.start();
			await Promise.all(parties.map((party) => party.populate()));
		});
		after(() => service.remove());

		const pairs = (): Array<{ caller: ContractParty; owner: ContractParty }> => [
			{ caller: parties[0], owner: parties[1] },
			{ caller: parties[1], owner: parties[0] },
		];

		function kindOfParameter(path: string, name: string): Kind | 'storage key' | 'no id' {
			const known = PARAMETERS[path.slice(0, path.indexOf(`:${name}`) + name.length + 1)];
			assert.ok(known, `${path}: say in PARAMETERS what :${name} is`);
			return known;
		}

		function kindOfMember(route: ServiceRoute, name: string) {
			const known = MEMBERS[name];
			assert.ok(known, `${route.method} ${route.path}: say in MEMBERS what ${name} is`);
			return known;
		}

		/** The path with the caller's own ids, but for one parameter. */
		function pathFor(
			path: string,
			caller: ContractParty,
			parameter: string | null,
			value: number | string,
		): string {
			return parametersOf(path).reduce((address, name) => {
				const kind = kindOfParameter(path, name);
				if (kind === 'storage key' || kind === 'no id') return address;
				const id = name === parameter ? value : caller.id(kind);
				return address.replace(`:${name}`, encodeURIComponent(String(id)));
			}, path);
		}

		async function send(
			caller: ContractParty,
			method: string,
			path: string,
			body?: unknown,
			headers: Record<string, string> = {},
		): Promise<Answer> {
			const { accessToken, jwt } = caller.client.credentials;
			const bearer = path.startsWith(LEGACY) ? jwt : accessToken;
			return await request(service.site + path, {
				method,
				headers: {
					...(path.startsWith('/api/v1/') ? { authorization: `Bearer ${bearer}` } : {}),
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
					...headers,
				},
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
		}

		/** The body of a request that only lacks the member `without`. */
		function bodyFor(
			route: ServiceRoute,
			caller: ContractParty,
			without: string | null = null,
		): Record<string, unknown> | undefined {
			if (route.body !== 'json' || route.bodyFields === null) return undefined;
			const rest = BODIES[`${route.method} ${route.path}`] ?? {};
			const ids = route.bodyFields.flatMap((name) => {
				const known = kindOfMember(route, name);
				if (known === 'no id' || name === without) return [];
				const id = caller.id(known.kind);
				return [[name, known.many ? [id] : id] as const];
			});
			return { ...rest, ...Object.fromEntries(ids) };
		}

		/** All places of an endpoint in which an id stands. */
		function placesOf(route: ServiceRoute): Place[] {
			const { method, path } = route;
			const places: Place[] = [];
			for (const parameter of parametersOf(path)) {
				const kind = kindOfParameter(path, parameter);
				if (kind === 'storage key' || kind === 'no id') continue;
				places.push({
					name: `${method} ${path}: ${parameter}`,
					kind,
					ask: async (caller, id) =>
						await send(
							caller,
							method,
							pathFor(path, caller, parameter, id),
							bodyFor(route, caller),
						),
				});
			}
			for (const name of route.queryFields) {
				assert.equal(kindOfMember(route, name), 'no id', 'no query takes ids yet');
			}
			if (route.body !== 'json' || path === MCP) return places;
			assert.ok(route.bodyFields, `${method} ${path}: its body has no members`);
			for (const member of route.bodyFields) {
				const known = kindOfMember(route, member);
				if (known === 'no id') continue;
				const { kind, many } = known;
				const place = (
					what: string,
					value: (caller: ContractParty, id: number | string) => unknown,
				) =>
					places.push({
						name: `${method} ${path}: ${member}${what}`,
						kind,
						ask: async (caller, id) =>
							await send(caller, method, pathFor(path, caller, null, 0), {
								...bodyFor(route, caller, member),
								[member]: value(caller, id),
							}),
					});
				if (!many) {
					place('', (_caller, id) => id);
					continue;
				}
				place('[0]', (_caller, id) => [id]);
				place('[1]', (caller, id) => [caller.id(kind), id]);
			}
			return places;
		}

		/** The same places in the tools, called over the Model Context Protocol. */
		function protocolPlaces(): Place[] {
			const prefix = `${AGENT}/mcp/tools/`;
			return routes
				.filter(({ method, path }) => method === 'POST' && path.startsWith(prefix))
				.filter(({ body }) => body === 'json')
				.flatMap((route) =>
					(route.bodyFields ?? []).flatMap((member) => {
						const known = kindOfMember(route, member);
						if (known === 'no id') return [];
						const tool = route.path.slice(prefix.length);
						return [
							{
								name: `MCP ${tool}: ${member}`,
								kind: known.kind,
								ask: async (caller: ContractParty, id: number | string) =>
									await callTool(caller, tool, {
										...bodyFor(route, caller, member),
										[member]: known.many ? [id] : id,
									}),
							},
						];
					}),
				);
		}

		async function callTool(
			caller: ContractParty,
			name: string,
			parameters: Record<string, unknown>,
		): Promise<Answer> {
			return await send(
				caller,
				'POST',
				MCP,
				{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } },
				{ accept: 'application/json, text/event-stream' },
			);
		}

		/** Everything that a contract can read of itself, by endpoint. */
		async function everythingOf(party: ContractParty): Promise<Map<string, string>> {
			const seen = new Map<string, string>();
			for (const { method, path } of routes) {
				if (method !== 'GET' || !/^\/api\/v1\//.test(path) || path === MCP) continue;
				const kinds = parametersOf(path).map((name) => kindOfParameter(path, name));
				const [kind] = kinds;
				const ids =
					kind === undefined || kind === 'storage key' || kind === 'no id' ? [0] : party.ids[kind];
				for (const [index, id] of ids.entries()) {
					const [parameter = null] = parametersOf(path);
					const answer = await send(party, 'GET', pathFor(path, party, parameter, id));
					const what = `${path} ${id}`;
					assert.ok(
						(answer.status < 500 && answer.status !== 404) || index > 0,
						what + answer.text,
					);
					if (index === 0) assert.equal(answer.status, 200, `${what}: ${answer.text}`);
					// A presigned address holds the time at which it was asked for.
					seen.set(what, path.endsWith('/downloads3') ? String(answer.status) : answer.text);
				}
			}
			return seen;
		}

		function assertNothingOf(owner: ContractParty, text: string, what: string): void {
			assert.ok(!text.includes(owner.marker), `${what} shows something of the other: ${text}`);
		}

		it('of every endpoint that has an id: the other has nothing there', async (t) => {
			const before = [await everythingOf(parties[0]), await everythingOf(parties[1])];
			const places = [...routes.flatMap((route) => placesOf(route)), ...protocolPlaces()];
			let tried = 0;
			for (const { caller, owner } of pairs()) {
				for (const { name, kind, ask } of places) {
					const foreign = owner.ids[kind].filter((id) => !caller.ids[kind].includes(id));
					assert.deepEqual(foreign, owner.ids[kind], 'ids are of one contract each');
					for (const id of foreign.flatMap((one) => [one, String(one)])) {
						const never = typeof id === 'number' ? NEVER : String(NEVER);
						const theirs = await ask(caller, id);
						const missing = await ask(caller, never);
						const what = `${name} = ${JSON.stringify(id)}`;
						if (name.startsWith('MCP')) {
							assert.equal(theirs.status, 200, `${what}: ${theirs.text}`);
							assert.match(theirs.text, /"isError":true/, what);
						} else {
							assert.equal(theirs.status, 404, `${what}: ${theirs.text}`);
							if (!name.startsWith('HEAD')) assert.match(errorOf(theirs), /^404 not_found/, what);
						}
						assert.equal(theirs.status, missing.status, what);
						assert.equal(theirs.text, missing.text, `${what}: the answer tells that it exists`);
						assert.deepEqual(shownHeaders(theirs), shownHeaders(missing), what);
						assertNothingOf(owner, theirs.text, what);
						tried++;
					}
				}
			}
			const endpoints = new Set(places.map(({ name }) => name.slice(0, name.lastIndexOf(': '))));
			t.diagnostic(
				`${routes.length} endpoints, ${endpoints.size} of them with ids in ${places.length} places, ` +
					`${tried} ids of the other tried`,
			);
			assert.ok(endpoints.size >= 40 && tried >= 400, 'the walk went everywhere');

			// What was asked to change, remove, send or renew has not changed.
			for (const [index, party] of parties.entries()) {
				assert.deepEqual(await everythingOf(party), before[index]);
			}
		});

		it('see in their own lists and records nothing of the other', async (t) => {
			let answers = 0;
			for (const { caller, owner } of pairs()) {
				let own = 0;
				for (const [what, text] of await everythingOf(caller)) {
					assertNothingOf(owner, text, what);
					if (text.includes(caller.marker)) own++;
					answers++;
				}
				assert.ok(own >= 10, 'what is their own is there');
				for (const { method, path, ...route } of routes) {
					if (method !== 'POST' || !path.startsWith(`${AGENT}/mcp/tools/`)) continue;
					if (route.body !== 'json') continue;
					const tool = path.slice(`${AGENT}/mcp/tools/`.length);
					const parameters = bodyFor({ method, path, ...route }, caller) ?? {};
					for (const answer of [
						await send(caller, method, path, parameters),
						await callTool(caller, tool, parameters),
					]) {
						assert.ok(answer.status < 500, `${tool}: ${answer.text}`);
						assertNothingOf(owner, answer.text, tool);
						answers++;
					}
				}
			}
			t.diagnostic(`${answers} answers looked through`);
		});

		it('cannot use an address of their own for a file of the other', async () => {
			for (const { caller, owner } of pairs()) {
				for (const [method, mine, theirs] of [
					['PUT', caller.uploadAddress, owner.uploadAddress],
					['PUT', caller.uploadAddress, owner.downloadAddress],
					['GET', caller.downloadAddress, owner.downloadAddress],
					['HEAD', caller.downloadAddress, owner.downloadAddress],
				] as const) {
					const [, query = ''] = mine.split('?');
					const [key = ''] = theirs.split('?');
					const ask = async (path: string): Promise<Answer> =>
						await request(service.site + path, {
							method,
							...(method === 'PUT'
								? { body: 'foreign', headers: { 'content-type': 'application/pdf' } }
								: {}),
						});
					const answer = await ask(`${key}?${query}`);
					const missing = await ask(`${key.replace(/[^/]+$/, 'never.pdf')}?${query}`);
					if (method === 'HEAD') assert.equal(answer.status, missing.status);
					else assert.equal(errorOf(answer), '403 signature_mismatch', `${method} ${key}`);
					assert.equal(answer.text, missing.text);
				}
				const own = await request(service.site + owner.downloadAddress);
				assert.match(own.text, /^%PDF/);
			}
		});

		it('have Idempotency-Keys of their own', async () => {
			const headers = { 'idempotency-key': 'the same for both' };
			const tool = (name: string) => `${AGENT}/mcp/tools/${name}`;
			const file = { filename: 'keyed.pdf', mimetype: 'application/pdf' };
			const created = async (party: ContractParty): Promise<string[]> => {
				const documents = [party.id('document')];
				const ids: string[] = [];
				for (const [path, body, ...id] of [
					[`${AGENT}/documents/upload-url`, file, 'document', 'id'],
					[tool('upload_url'), file, 'document', 'id'],
					[`${LEGACY}/document/uploads3`, file, 'document', 'id'],
					[`${AGENT}/jobs`, { documents }, 'jobId'],
					[`${LEGACY}/job`, { documents, jobName: '' }, 'id'],
					[tool('convert_document'), { documentIds: documents }, 'jobId'],
				] as Array<[string, unknown, ...string[]]>) {
					// The same operation with the same key; each endpoint has its own key here.
					const key = { 'idempotency-key': `${headers['idempotency-key']} ${path}` };
					const first = await send(party, 'POST', path, body, key);
					const again = await send(party, 'POST', path, body, key);
					assert.ok(first.status < 300, `${path}: ${first.text}`);
					assert.equal(member(again, ...id), member(first, ...id), `${path}: ${again.text}`);
					ids.push(`${id[0]} ${String(member(first, ...id))}`);
				}
				return ids;
			};
			const first = await created(parties[0]);
			const second = await created(parties[1]);
			assert.equal(first.length, 6);
			assert.deepEqual(
				first.filter((id) => second.includes(id)),
				[],
			);
		});

		it('are tested at every endpoint that the service describes', async () => {
			const { body } = await request(`${service.site}/api-docs/openapi.json`);
			const described = Object.entries((body as { paths: Record<string, object> }).paths).flatMap(
				([path, operations]) =>
					Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
			);
			const walked = routes.map(
				({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
			);
			assert.ok(described.length > 30);
			assert.deepEqual(
				described.filter((one) => !walked.includes(one)),
				[],
			);
		});
	});
}

/** Headers that could tell something; not those that tell the time or the request. */
function shownHeaders({ headers }: Answer): Array<[string, string]> {
	return [...headers].filter(([name]) => !['date', 'keep-alive'].includes(name));
}
