import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { tokenAccessOf } from '../transport/access';
import type { ProjectRecord } from './records';
import { listProjects } from './requests';

/** True where every word of the filter is in one of the texts, in whatever case. */
export function matches(filter: string | undefined, texts: readonly string[]): boolean {
	const words = (filter ?? '').toLowerCase().split(/\s+/);
	const text = texts.join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

/** The name of a project, with the folder above it. */
export function projectName({ name, parentFolder }: ProjectRecord): string {
	return parentFolder === undefined ? name : `${parentFolder} / ${name}`;
}

/** Every project of the account, with its parent folder, for a list in the panel. */
export async function searchProjects(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const access = await tokenAccessOf.call(this);
	const projects = await listProjects.call(this, access, { attempts: 1 });
	const results = projects.map((project) => ({ name: projectName(project), value: project.id }));
	return { results: results.filter(({ name, value }) => matches(filter, [name, value])) };
}
