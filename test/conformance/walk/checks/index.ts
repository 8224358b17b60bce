import type { RowId, Section } from '../rows.ts';
import { service } from './1-service.ts';
import { exportRequest, extractedData } from './2-data.ts';
import { fraudRecords, projectRecords, webhookRecord } from './2-records.ts';
import {
	agentJobRequest,
	documentRecord,
	jobRecord,
	legacyJobRequest,
	presignedDownload,
	presignedUpload,
} from './2-uploads.ts';
import { states } from './3-states.ts';
import { agentDocuments, agentJobs } from './4-agent.ts';
import { legacySurface } from './4-legacy.ts';
import { toolDispatcher } from './4-tools.ts';
import { webhooks } from './4-webhooks.ts';
import { authentication } from './5-authentication.ts';
import { events } from './6-events.ts';
import { errors } from './7-errors.ts';
import { limits } from './8-limits.ts';
import { versioning } from './9-versioning.ts';
import type { Check, Checks } from './check.ts';

/** The checks of every section. The type does not let one be forgotten. */
const sections: { [S in Section]: Checks<S> } = {
	'1': service,
	'2.1': documentRecord,
	'2.2': presignedUpload,
	'2.3': presignedDownload,
	'2.4': jobRecord,
	'2.5': legacyJobRequest,
	'2.6': agentJobRequest,
	'2.7': exportRequest,
	'2.8': extractedData,
	'2.9': fraudRecords,
	'2.10': webhookRecord,
	'2.11': projectRecords,
	'3': states,
	'4.1': legacySurface,
	'4.2': agentJobs,
	'4.3': agentDocuments,
	'4.4': webhooks,
	'4.5': toolDispatcher,
	'5': authentication,
	'6': events,
	'7': errors,
	'8': limits,
	'9': versioning,
};

/** Every check by the id of its row. */
export const checks: ReadonlyMap<RowId, Check> = new Map(
	Object.entries(sections).flatMap(([section, names]) =>
		Object.entries(names).map(([name, check]): [RowId, Check] => [
			`${section} ${name}` as RowId,
			check,
		]),
	),
);
