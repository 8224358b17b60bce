import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { tokenAccessOf } from '../transport/access';
import { KNOWN_EVENTS } from './events';
import { eventNames } from './requests';

async function namesOfService(this: ILoadOptionsFunctions): Promise<string[]> {
	try {
		const access = await tokenAccessOf.call(this);
		return await eventNames.call(this, access, { attempts: 1, timeoutMs: 10_000 });
	} catch {
		// The panel is of use without the service too; activating says what is wrong.
		return KNOWN_EVENTS.map(({ name }) => name);
	}
}

/** The events to choose from: those of the service, or the known ones while it does not answer. */
export async function getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const known = new Map(KNOWN_EVENTS.map((event) => [event.name, event]));
	const names = await namesOfService.call(this);
	return names
		.map((name): INodePropertyOptions => {
			const event = known.get(name);
			return event === undefined
				? { name, value: name }
				: { name: event.displayName, value: name, description: event.description };
		})
		.sort((left, right) => left.name.localeCompare(right.name));
}
