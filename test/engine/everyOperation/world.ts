import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { generateStatement, type GeneratedStatement, type LayoutName } from '../../documents';
import { storedFile } from '../engine';
import { LocalService } from '../localService';
import { DirectService, until } from './directService';
import type { Item } from './entry';
import { Receiver } from './receiver';

/** A statement that the service has read. */
export interface ReadStatement extends GeneratedStatement {
	fileName: string;
	documentId: string;
	jobId: string;
}

/** A folder of one statement, as the service has made a project of it. */
export interface FolderProject {
	projectId: string;
	name: string;
	statement: GeneratedStatement;
}

const CLEAN: LayoutName[] = ['usChecking', 'ukCurrent', 'germanGiro'];
const FOLDERS = ['Brown', 'Jones', 'Smith'];

async function read(
	direct: DirectService,
	layout: LayoutName,
	seed: number,
): Promise<ReadStatement> {
	const statement = await generateStatement(layout, { seed, transactions: 12 });
	const fileName = `${layout}-${seed}.pdf`;
	const documentId = await direct.upload(statement.pdf, fileName);
	return { ...statement, fileName, documentId, jobId: await direct.createJob(documentId) };
}

async function analysed(direct: DirectService, { documentId, jobId }: ReadStatement) {
	const { status } = await direct.endedJob(jobId);
	if (status !== 'Succeeded') throw new Error(`Job ${jobId} is ${String(status)}`);
	await until(`document ${documentId} is analysed`, async () => {
		const { score } = await direct.get(`/protected/document/${documentId}/fraudScore`);
		return score === null ? undefined : true;
	});
}

/** The service with everything that operations read, made without the node. */
export class World {
	private constructor(
		private readonly folder: string,
		readonly service: LocalService,
		readonly direct: DirectService,
		readonly receiver: Receiver,
		/** Three statements that add up. */
		readonly statements: ReadStatement[],
		/** Three statements with a printed balance that is wrong. */
		readonly accused: ReadStatement[],
		readonly projects: FolderProject[],
		/** Three documents that nobody has read. */
		readonly unread: string[],
		/** A job that could not read its document. */
		readonly failedJob: { jobId: string; documentId: string },
	) {}

	static async make(): Promise<World> {
		const folder = await mkdtemp(join(tmpdir(), 'watched-'));
		const inbox = join(folder, 'inbox');
		const folders = await Promise.all(
			FOLDERS.map(async (name, index) => {
				await mkdir(join(inbox, name), { recursive: true });
				const statement = await generateStatement('usChecking', {
					seed: 60 + index,
					transactions: 8 + index,
				});
				// As a program that syncs a folder does: written beside it, then moved in.
				await writeFile(join(folder, `${name}.pdf`), statement.pdf);
				await rename(join(folder, `${name}.pdf`), join(inbox, name, `${name}.pdf`));
				return { name, statement };
			}),
		);
		const receiver = await new Receiver().start();
		const service = await LocalService.start({
			INGEST_DIR: inbox,
			INGEST_INTERVAL_MS: '200',
			DELIVERY_BACKOFF_MS: '20',
		});
		const direct = new DirectService(service);
		const statements = await Promise.all(
			CLEAN.map(async (layout, index) => await read(direct, layout, 50 + index)),
		);
		const accused = await Promise.all(
			[70, 71, 72].map(async (seed) => await read(direct, 'doesNotAddUp', seed)),
		);
		const unread = await Promise.all(
			statements.map(async ({ pdf, fileName }) => await direct.upload(pdf, fileName)),
		);
		const damaged = await direct.upload(Buffer.from('%PDF-1.7 nothing of use'), 'damaged.pdf');
		const failedJob = { documentId: damaged, jobId: await direct.createJob(damaged) };
		await direct.endedJob(failedJob.jobId);
		await Promise.all([...statements, ...accused].map(async (one) => await analysed(direct, one)));
		const projects = await until('the folders are projects', async () => {
			const { projects: found } = (await direct.get('/agent/projects')) as {
				projects: IDataObject[];
			};
			return await Promise.all(
				folders.map(async ({ name, statement }) => {
					const projectId = String(found.find((one) => one.name === name)?.id);
					const { documents } = await direct.get(`/agent/projects/${projectId}/documents`);
					const read = (documents as IDataObject[]).some(({ status }) => status === 'extracted');
					if (!read) throw new Error(`${name} has not been read`);
					return { projectId, name, statement };
				}),
			).catch(() => undefined);
		});
		return new World(
			folder,
			service,
			direct,
			receiver,
			statements,
			accused,
			projects,
			unread,
			failedJob,
		);
	}

	async end(): Promise<void> {
		await this.service.stop();
		await this.receiver.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	/** The statement that belongs to an item. */
	statementOf({ json }: Item): ReadStatement {
		const own = [...this.statements, ...this.accused].find(({ fileName }) => {
			return fileName === json.fileName;
		});
		if (own === undefined) throw new Error(`The item has no statement: ${JSON.stringify(json)}`);
		return own;
	}

	/** Items that name the statements' documents and jobs. */
	statementItems(): Item[] {
		return this.statements.map(({ fileName, documentId, jobId }) => ({
			json: { fileName, documentId, jobId },
		}));
	}

	/** Items with the statements' files. */
	async fileItems(): Promise<Item[]> {
		return await Promise.all(
			this.statements.map(async ({ pdf, fileName }) => ({
				json: { fileName },
				binary: { data: await storedFile(pdf, fileName, 'application/pdf') },
			})),
		);
	}
}
