import type { DocumentRecord } from '../../shared/projects/records';
import type { ProjectState } from './state';

/**
 * True where the project at another address is the one that is remembered: a service that has moved
 * still has a document with the same id and the same arrival. Ids alone do not tell, since many
 * services count from 1.
 */
export function isSameProject(state: ProjectState, listing: readonly DocumentRecord[]): boolean {
	const known = new Map(state.known);
	return listing.some(
		({ id, arrivedAt }) => arrivedAt !== undefined && known.get(id) === arrivedAt,
	);
}
