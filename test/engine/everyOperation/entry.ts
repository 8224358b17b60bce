import type {
	ICredentialDataDecryptedObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import type { Offer } from './offered';
import type { World } from './world';

export type Item = INodeExecutionData;

/** What a user may do wrong with one item, or what the service may refuse. */
export interface Failure {
	name: string;
	/** The item as it must be to fail. */
	spoil: (item: Item, world: World) => Item;
	/** In the message of the error. */
	message: string | RegExp;
	/** In its description: what to do. */
	description: string | RegExp;
}

/** How one operation is executed with three items, and what must come out. */
export interface Entry extends Offer {
	/** Which settings are tried, where an operation has several entries. */
	variant?: string;
	/** Besides authentication, resource and operation. With expressions over the items. */
	parameters: INodeParameters;
	/** Three items that succeed; made anew for each execution. */
	items: (world: World) => Promise<Item[]> | Item[];
	/** Compares what came out for one item with what is known of it. */
	check: (results: Item[], item: Item, world: World) => Promise<void> | void;
	/**
	 * How the fields of each result stand to the committed schema: they are the described ones, some of
	 * them, or also others. Those that are described have their types in each case.
	 */
	outputSchema: 'asDescribed' | 'partOfIt' | 'other';
	/** Each is tried with the item in the middle. */
	failures: Failure[];
	/** Fields of the credential that are not those of the service. May be expressions. */
	credential?: ICredentialDataDecryptedObject;
}

/** A resource locator with an id. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** An item with other fields. */
export const withJson = (fields: Item['json']) => (item: Item) => ({
	...item,
	json: { ...item.json, ...fields },
});

/** The item without its file. */
export const withoutFile: Failure = {
	name: 'an item without a file',
	spoil: ({ json }) => ({ json }),
	message: "no file in the field 'data'",
	description: 'no files',
};

export const NOWHERE = '999999';

/** An id of nothing, in a field that is the id's. */
export function unknownId(field: string, what: string, displayName: string): Failure {
	return {
		name: 'an id that does not exist',
		spoil: withJson({ [field]: NOWHERE }),
		message: `The ${what} ${NOWHERE} was not found`,
		description: `Check '${displayName}'`,
	};
}

export function emptyId(field: string, displayName: string): Failure {
	return {
		name: 'no id',
		spoil: withJson({ [field]: '' }),
		message: `No ID is given in '${displayName}'`,
		description: `Enter the ID in '${displayName}'`,
	};
}

export const wrongLimit: Failure = {
	name: 'a limit that is none',
	spoil: withJson({ limit: 'many' }),
	message: "The value in 'Limit' is not a number of results",
	description: "switch on 'Return All'",
};
