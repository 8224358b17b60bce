import { at, has, shown, succeeded, want } from '../expect.ts';
import { described } from './4-tools.ts';
import { NO_CLAIM } from './check.ts';
import type { Checks } from './check.ts';

const SCHEMA_VERSION = '2024-01-01';

/** Section 9. */
export const versioning: Checks<'9'> = {
	'1': async ({ main }) => {
		want(/\/api\/v1\/?$/.test(main.access.baseUrl), 'the base address does not end with /api/v1');
		return succeeded(await main.agent('GET', '/webhooks/events'));
	},
	'2': async (scene) => {
		const version = at(await described(scene, 'openapi.json'), 'info', 'version');
		want(version === '1.0.0', `info.version is ${shown(version)}`);
		return `info.version is ${shown(version)}`;
	},
	'3': async (scene) => {
		const { created } = await scene.everything();
		const delivery = await scene.bankDelivery();
		has(created.json, 'version', 'string', 'the registration');
		const versions = [
			delivery.headers['x-service-version'],
			at(delivery.json, 'event', 'version'),
			created.member('version'),
		];
		want(
			versions.every((version) => version === SCHEMA_VERSION),
			`header, event and registration say ${shown(versions)}, not ${SCHEMA_VERSION}`,
		);
		return `${SCHEMA_VERSION} in the header, in event.version and in the registration`;
	},
	'4': async (scene) => {
		const { jobId, documentId } = await scene.bankJob();
		const legacy = succeeded(await scene.main.legacy('GET', `/job/${jobId}`));
		const byJob = succeeded(await scene.main.agent('GET', `/jobs/${jobId}/data`));
		const byDocument = succeeded(await scene.main.agent('GET', `/documents/${documentId}/data`));
		return `${legacy} /protected/job, ${byJob} /agent/jobs, ${byDocument} /agent/documents`;
	},
	'5': NO_CLAIM,
	'6': NO_CLAIM,
};
