import fc from 'fast-check';
import { DescribedResponses } from '../description/describedResponses.ts';
import type { CheckedResponse, Described } from '../description/describedResponses.ts';
import { Connection } from './connection.ts';
import { objections } from './objections.ts';
import { nameOfPathParameter, ownerOf, Pool } from './pool.ts';
import { addressName, Requests, shown, toWire } from './requests.ts';
import type { Credentials, FileSamples, RequestPlan } from './requests.ts';
import { Values } from './values.ts';

export interface FuzzOptions {
	siteUrl: string;
	credentials: Credentials;
	seed: number;
	/** How many requests at least. */
	requests: number;
	/** What has to stay: `METHOD path` of requests that are not sent. */
	kept?: ReadonlySet<string>;
	/** Values for members that no schema can tell, by their name. */
	hints?: Record<string, readonly unknown[]>;
	files?: FileSamples;
	/** What takes longer hangs. */
	answersWithinMs?: number;
	/** Answers to learn ids from before anything is sent. */
	pool?: Pool;
}

export interface FuzzReport {
	requests: number;
	milliseconds: number;
	/** By `METHOD path`: how often each status was answered. */
	statuses: Map<string, Map<number, number>>;
	/** In words, with the request, made as small as possible; null where everything fitted. */
	counterexample: string | null;
	/** Operations that describe a success and were never answered with one. */
	neverSucceeded: string[];
}

/** Requests that are under way at the same time. */
const AT_ONCE = 8;
const LANES = 2;
/** After this the smallest case so far is good enough. */
const SMALLEST_CASE_WITHIN_MS = 60_000;
/** Longer than the slowest operation, also on a busy machine. */
const ANSWERS_WITHIN_MS = 30_000;
/** So many more fitting requests go to an operation that was never answered with success. */
const MORE_TRIES = 4000;
/** Some rounds are smaller, and some requests are not sent. */
const MORE_RUNS = 1.05;

/**
 * Sends requests that are made from the document which a service serves, and holds every answer against
 * that document. The same seed makes the same requests; the ids in them are those of the service.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
	const described = await DescribedResponses.of(options.siteUrl);
	const run = new FuzzRun(described, options);
	const begin = performance.now();
	try {
		const perLane = Math.ceil((options.requests * MORE_RUNS) / LANES / AT_ONCE);
		const lanes = Array.from({ length: LANES }, (_unused, lane) =>
			run.lane(options.seed + lane, perLane),
		);
		const found = (await Promise.all(lanes)).filter((one) => one !== null);
		if (found.length === 0) {
			const unlucky = await run.tryUntilSuccess(options.seed);
			if (unlucky !== null) found.push(unlucky);
		}
		return {
			requests: run.sent,
			milliseconds: performance.now() - begin,
			statuses: run.statuses,
			counterexample: found[0] ?? null,
			neverSucceeded: run.neverSucceeded().map(nameOf),
		};
	} finally {
		await run.close();
	}
}

function nameOf({ method, path }: Described): string {
	return `${method} ${path}`;
}

class FuzzRun {
	readonly statuses = new Map<string, Map<number, number>>();
	sent = 0;
	readonly #described: DescribedResponses;
	/** Bodies may have members that the document does not name, and they are ignored. */
	readonly #open: DescribedResponses;
	readonly #options: FuzzOptions;
	readonly #connection: Connection;
	readonly #pool: Pool;
	/** The seed of the lane that looks for the smallest case; the other one ends. */
	#failed: number | null = null;
	#failedAt = 0;

	constructor(described: DescribedResponses, options: FuzzOptions) {
		this.#described = described;
		this.#open = new DescribedResponses(described.document, { closed: false });
		this.#options = options;
		this.#pool = options.pool ?? new Pool();
		this.#connection = new Connection(
			options.siteUrl,
			AT_ONCE * LANES,
			options.answersWithinMs ?? ANSWERS_WITHIN_MS,
		);
	}

	async close(): Promise<void> {
		await this.#connection.close();
	}

	/** Operations that describe a success and were not answered with one so far. */
	neverSucceeded(): Described[] {
		const isSuccess = (status: number | string): boolean => /^2/.test(String(status));
		return this.#described.operations
			.filter(({ operation }) => Object.keys(operation.responses).some(isSuccess))
			.filter((one) => ![...(this.statuses.get(nameOf(one))?.keys() ?? [])].some(isSuccess));
	}

	/**
	 * Gives operations that need several lucky choices more of them. What is never answered with success
	 * even then is broken, or its description is.
	 */
	async tryUntilSuccess(seed: number): Promise<string | null> {
		const requests = this.#requests();
		for (const described of this.neverSucceeded()) {
			const plans = fc.sample(requests.fitting(described), { seed, numRuns: MORE_TRIES });
			for (let first = 0; first < plans.length; first += AT_ONCE) {
				const batch = plans.slice(first, first + AT_ONCE);
				const problems = await Promise.all(batch.map((plan) => this.#send(plan)));
				const problem = problems.find((one) => one !== null);
				if (problem !== undefined) return problem;
				if (!this.neverSucceeded().includes(described)) break;
			}
		}
		return null;
	}

	#requests(): Requests {
		const { hints = {}, files = {} } = this.#options;
		return new Requests(new Values(this.#described.document, this.#pool, hints), files);
	}

	/** One of the lanes that run beside each other; gives its smallest counterexample. */
	async lane(seed: number, runs: number): Promise<string | null> {
		const requests = this.#requests();
		const one = fc.oneof(...this.#described.operations.map((each) => requests.to(each)));
		const several = fc.array(one, { minLength: 1, maxLength: AT_ONCE, size: 'max' });
		const full = fc.array(one, { minLength: AT_ONCE, maxLength: AT_ONCE });
		const property = fc.asyncProperty(
			fc.oneof({ weight: 50, arbitrary: full }, several),
			async (plans) => {
				if (this.#failed !== null && (this.#failed !== seed || this.#hasLookedEnough())) return;
				const found = await Promise.all(plans.map((plan) => this.#send(plan)));
				const problems = found.filter((problem) => problem !== null);
				if (problems.length > 0) {
					this.#noteFailure(seed);
					throw new Error(problems.join('\n\n'));
				}
			},
		);
		const details = await fc.check(property, {
			seed,
			numRuns: runs,
		});
		if (!details.failed) return null;
		const reason = details.errorInstance instanceof Error ? details.errorInstance.message : '';
		return `${reason}\n\nseed ${details.seed}, path ${details.counterexamplePath}, after ${details.numShrinks} steps to make it smaller`;
	}

	#noteFailure(seed: number): void {
		if (this.#failed !== null) return;
		this.#failed = seed;
		this.#failedAt = performance.now();
	}

	/** What hangs takes long, and so would a search for the smallest case to its end. */
	#hasLookedEnough(): boolean {
		return performance.now() - this.#failedAt > SMALLEST_CASE_WITHIN_MS;
	}

	/** Sends one request; gives what is wrong with its answer, with the request. */
	async #send(plan: RequestPlan): Promise<string | null> {
		const { siteUrl, credentials, kept } = this.#options;
		const request = toWire(plan, this.#pool, credentials);
		if (kept?.has(`${request.method} ${pathOf(request.url)}`)) return null;
		this.sent += 1;
		let response: CheckedResponse;
		try {
			response = await this.#connection.send(request);
		} catch (error) {
			return `There was no answer (${String(error)}) to\n  ${shown(request)}`;
		}
		const asked = this.#described.operationFor(request);
		if (asked !== undefined) this.#count(asked, response.status);
		const problems = objections(this.#described, this.#open, plan, request, response);
		if (problems.length > 0) return `${problems.join('\n')}\n  ${shown(request)}`;
		if (asked !== undefined) this.#learn(asked, request.url, response, siteUrl);
		return null;
	}

	#count(described: Described, status: number): void {
		// What is sent to make a counterexample smaller says nothing about the whole.
		if (this.#failed !== null) return;
		const name = nameOf(described);
		const counts = this.statuses.get(name) ?? new Map<number, number>();
		counts.set(status, (counts.get(status) ?? 0) + 1);
		this.statuses.set(name, counts);
	}

	#learn(described: Described, url: string, response: CheckedResponse, siteUrl: string): void {
		learn(this.#pool, this.#described, described, url, response, siteUrl);
	}
}

function pathOf(url: string): string {
	return decodeURIComponent(url.split('?')[0] ?? '');
}

/** Puts what an answer shows into the pool, and takes out what it says is gone. */
export function learn(
	pool: Pool,
	responses: DescribedResponses,
	{ method, path, operation }: Described,
	url: string,
	{ status, headers, body }: CheckedResponse,
	siteUrl: string,
): void {
	if (status < 200 || status > 299) return;
	if (method === 'DELETE') {
		const last = decodeURIComponent(pathOf(url).split('/').at(-1) ?? '');
		const parameter = /\{([^}]+)\}$/.exec(path)?.[1];
		if (parameter !== undefined) pool.remove(nameOfPathParameter(path, parameter), last);
		return;
	}
	// The description itself has names and no ids.
	if (!(headers.get('content-type') ?? '').startsWith('application/json')) return;
	const schema = operation.responses[String(status)]?.content?.['application/json']?.schema;
	const reference = schema?.['$ref'];
	const value: unknown = JSON.parse(new TextDecoder().decode(body));
	if (typeof value === 'object' && value !== null && 'openapi' in value) return;
	const schemaName = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
	pool.harvest(value, ownerOf(path, schemaName));
	for (const address of addressesIn(value, siteUrl)) {
		for (const method of ['GET', 'PUT']) {
			const found = responses.operationFor({ method, url: address });
			if (found?.path.startsWith('/storage/')) pool.add(addressName(found.path), address);
		}
	}
}

/** Addresses of the service itself that an answer gives out with a query, without the site. */
function addressesIn(value: unknown, siteUrl: string): string[] {
	if (typeof value === 'string') {
		return value.startsWith(`${siteUrl}/`) && value.includes('?')
			? [value.slice(siteUrl.length)]
			: [];
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap((member) => addressesIn(member, siteUrl));
}
