import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlainError } from '../processes/plainError.ts';

const answersWithinMs = 15_000;

/** An access token as the service lists it. */
export interface ListedToken {
	id: number;
	name: string;
	createdAt: string;
	revokedAt: string | null;
}

/**
 * The access tokens of the contract that `credentials.json` belongs to, over HTTP: the embedded database
 * belongs to the running service alone. Every failure is a PlainError that says what to do.
 */
export class OwnedTokens {
	private readonly baseUrl: string;
	private readonly jwt: string;
	private readonly file: string;

	private constructor(baseUrl: string, jwt: string, file: string) {
		this.baseUrl = baseUrl;
		this.jwt = jwt;
		this.file = file;
	}

	/** @param dataFolder the DATA_DIR of the service */
	static async of(dataFolder: string): Promise<OwnedTokens> {
		const file = join(dataFolder, 'credentials.json');
		const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
			throw new PlainError(
				error.code === 'ENOENT'
					? `There is no ${file}. The service writes it when it starts: npm start, or npm run service. If the service keeps its data elsewhere, set DATA_DIR to that folder here too.`
					: `${file} cannot be read (${error.code ?? error.message}). Only the user who runs the service may read it.`,
			);
		});
		const { baseUrl, jwt } = membersOf(text);
		if (typeof baseUrl !== 'string' || typeof jwt !== 'string' || !URL.canParse(baseUrl)) {
			throw new PlainError(
				`${file} is damaged. Start the service again: it then writes a new one.`,
			);
		}
		return new OwnedTokens(baseUrl, jwt, file);
	}

	/** All of them, oldest first. */
	async list(): Promise<ListedToken[]> {
		const { accessTokens } = (await this.ask('GET', '')) as { accessTokens?: ListedToken[] };
		if (!Array.isArray(accessTokens)) throw this.strangeAnswer();
		return accessTokens;
	}

	/** The only time that the token can be had. */
	async create(name: string): Promise<{ id: number; token: string }> {
		const { id, token } = (await this.ask('POST', '', { name })) as { id: number; token?: string };
		if (typeof token !== 'string') throw this.strangeAnswer();
		return { id, token };
	}

	async revoke(id: string): Promise<void> {
		await this.ask('DELETE', `/${id}`);
	}

	private async ask(method: string, path: string, body?: object): Promise<object> {
		const response = await fetch(`${this.baseUrl}/protected/accessTokens${path}`, {
			method,
			redirect: 'manual',
			headers: {
				authorization: `Bearer ${this.jwt}`,
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(answersWithinMs),
		}).catch((error: unknown) => {
			throw new PlainError(
				`The service does not answer at ${this.baseUrl} (${reasonOf(error)}). Start it with npm start, or npm run service, and run this again.`,
			);
		});
		const text = await response.text();
		if (response.status === 204) return {};
		if (response.status === 401) {
			throw new PlainError(
				`The service at ${this.baseUrl} does not take the JWT of ${this.file}: it has expired, or it belongs to another service. Start the service again: it then writes a new one.`,
			);
		}
		const answer = membersOf(text);
		if (response.ok) return answer;
		const message = (answer.error as { message?: unknown } | undefined)?.message;
		if (typeof message !== 'string') throw this.strangeAnswer();
		if (response.status === 404) {
			throw new PlainError(`${message} npm run token -- list shows which there are.`);
		}
		throw new PlainError(message);
	}

	private strangeAnswer(): PlainError {
		return new PlainError(
			`What answers at ${this.baseUrl} is not the service. Another program may use its port: look at the address in ${this.file}.`,
		);
	}
}

function membersOf(text: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? { ...value } : {};
	} catch {
		return {};
	}
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
	return code || error.message;
}
