import { Pool } from 'undici';
import type { CheckedResponse } from '../description/describedResponses.ts';
import type { WireRequest } from './requests.ts';

/** Keeps a few connections to a service open and sends requests over them. */
export class Connection {
	readonly #pool: Pool;

	constructor(siteUrl: string, connections: number, answersWithinMs: number) {
		this.#pool = new Pool(new URL(siteUrl).origin, {
			connections,
			headersTimeout: answersWithinMs,
			bodyTimeout: answersWithinMs,
		});
	}

	/** @throws what the client throws when no answer comes */
	async send({ method, url, headers, body }: WireRequest): Promise<CheckedResponse> {
		const answer = await this.#pool.request({ method, path: url, headers, body });
		const given = new Headers();
		for (const [name, value] of Object.entries(answer.headers)) {
			if (value !== undefined) given.set(name, Array.isArray(value) ? value.join(', ') : value);
		}
		const bytes = new Uint8Array(await answer.body.arrayBuffer());
		return { status: answer.statusCode, headers: given, body: bytes };
	}

	async close(): Promise<void> {
		await this.#pool.destroy();
	}
}
