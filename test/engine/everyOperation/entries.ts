import { documentEntries } from './documentEntries';
import type { Entry } from './entry';
import { fraudEntries } from './fraudEntries';
import { jobEntries } from './jobEntries';
import { projectEntries } from './projectEntries';
import { toolEntries } from './toolEntries';
import { webhookEntries } from './webhookEntries';

/** How every operation of the action node is executed. */
export const ENTRIES: Entry[] = [
	...documentEntries,
	...fraudEntries,
	...jobEntries,
	...projectEntries,
	...toolEntries,
	...webhookEntries,
];
