import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { member } from './client.ts';
import type { Client } from './client.ts';

/** A document as the lists of the interface show it. */
export interface ListedDocument {
	id: number;
	originalname: string;
	mimetype: string;
	size: number;
	status: string;
	source: string;
	pageCount: number | null;
	transactionCount: number | null;
	isReconciled: boolean | null;
	failureReason: { code: string } | null;
	project: { id: number; name: string; parentFolder: string | null };
}

export interface ListedProject {
	id: number;
	name: string;
	parentFolder: string | null;
	documentCount: number;
	createdAt: string;
}

const ARRIVES_WITHIN_MS = 120_000;

/** A folder for a service to watch, and what the service says about it. */
export class WatchedFolder {
	readonly path: string;

	private constructor(path: string) {
		this.path = path;
	}

	static async make(): Promise<WatchedFolder> {
		return new WatchedFolder(await mkdtemp(join(tmpdir(), 'watched-folder-')));
	}

	/** Settings of a service that watches it, without long pauses. */
	get env(): Record<string, string> {
		return { INGEST_DIR: this.path, INGEST_INTERVAL_MS: '100' };
	}

	/** Writes a file as a program does that copies: under its final name, in one go. */
	async write(name: string, bytes: Uint8Array): Promise<string> {
		const path = join(this.path, name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes);
		return path;
	}

	async rename(from: string, to: string): Promise<void> {
		await rename(join(this.path, from), join(this.path, to));
	}

	async remove(): Promise<void> {
		await rm(this.path, { recursive: true, force: true });
	}
}

export async function projectsOf(client: Client): Promise<ListedProject[]> {
	const answer = await client.agent('GET', '/projects');
	if (answer.status !== 200) throw new Error(`projects: ${answer.status} ${answer.text}`);
	return member(answer, 'projects') as ListedProject[];
}

/** All documents of all projects, newest first in each. */
export async function documentsOf(client: Client): Promise<ListedDocument[]> {
	const found: ListedDocument[] = [];
	for (const project of await projectsOf(client)) {
		for (let offset = 0; ; offset += 200) {
			const path = `/projects/${project.id}/documents?limit=200&offset=${offset}`;
			const answer = await client.agent('GET', path);
			if (answer.status !== 200) throw new Error(`documents: ${answer.status} ${answer.text}`);
			const documents = member(answer, 'documents') as ListedDocument[];
			found.push(...documents);
			if (documents.length < 200) break;
		}
	}
	return found;
}

/** Waits until there are `count` documents and none of them is still to be read. */
export async function arrived(client: Client, count: number): Promise<ListedDocument[]> {
	const until = Date.now() + ARRIVES_WITHIN_MS;
	for (;;) {
		const documents = await documentsOf(client);
		const ended = documents.filter(({ status }) => ['extracted', 'failed'].includes(status));
		if (documents.length >= count && ended.length === documents.length) return documents;
		if (Date.now() > until) {
			throw new Error(
				`${documents.length} of ${count} documents arrived, ${ended.length} of them were read.`,
			);
		}
		await sleep(100);
	}
}

/** Long enough for several looks at the folder. */
export async function severalLooks(): Promise<void> {
	await sleep(800);
}
