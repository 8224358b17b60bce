import { createHmac } from 'node:crypto';
import { isError, succeeded, want } from '../expect.ts';
import { WRONG_TOKEN, QUIET_EVENT } from '../scene.ts';
import type { Contract, Scene } from '../scene.ts';
import type { Checks } from './check.ts';

/** The signature of rule 5, computed here. */
export function signatureOf(secret: string, body: Buffer): string {
	return createHmac('sha256', secret).update(body).digest('hex');
}

/** Every endpoint of section 4, with an id where it wants one. */
export const ENDPOINTS: ReadonlyArray<readonly ['agent' | 'legacy', string, string]> = [
	['legacy', 'POST', '/document'],
	['legacy', 'POST', '/document/uploads3'],
	['legacy', 'POST', '/document/1/uploads3/complete'],
	['legacy', 'GET', '/document/1/downloads3'],
	['legacy', 'POST', '/job'],
	['legacy', 'GET', '/job/1'],
	['legacy', 'POST', '/job/1/export'],
	['legacy', 'GET', '/document/1/fraudSignals'],
	['legacy', 'GET', '/document/1/fraudScore'],
	['agent', 'POST', '/documents/upload-url'],
	['agent', 'POST', '/jobs'],
	['agent', 'GET', '/jobs/1'],
	['agent', 'GET', '/jobs/1/data'],
	['agent', 'GET', '/jobs/1/transactions'],
	['agent', 'GET', '/projects'],
	['agent', 'GET', '/projects/1/documents'],
	['agent', 'GET', '/documents/1'],
	['agent', 'GET', '/documents/1/transactions'],
	['agent', 'GET', '/documents/1/data'],
	['agent', 'GET', '/webhooks'],
	['agent', 'POST', '/webhooks'],
	['agent', 'GET', '/webhooks/1'],
	['agent', 'PUT', '/webhooks/1'],
	['agent', 'DELETE', '/webhooks/1'],
	['agent', 'POST', '/webhooks/1/test'],
	['agent', 'POST', '/webhooks/1/regenerate-secret'],
	['agent', 'GET', '/webhooks/1/deliveries'],
	['agent', 'POST', '/webhooks/deliveries/1/retry'],
	['agent', 'GET', '/webhooks/events'],
	['agent', 'GET', '/mcp/tools'],
	['agent', 'POST', '/mcp/tools/list_projects'],
];

/** 401 with a JSON object from every endpoint, without a credential and with wrong ones. */
export async function everyEndpointRefuses(main: Contract): Promise<string> {
	for (const [surface, method, path] of ENDPOINTS) {
		// The same length and form as the real one, with another last character.
		const own = surface === 'agent' ? main.access.token : main.access.jwt;
		const forged = own.slice(0, -2) + (own.at(-2) === 'A' ? 'B' : 'A') + own.slice(-1);
		for (const [credential, why] of [
			[null, 'without a credential'],
			[WRONG_TOKEN, 'with a wrong credential'],
			[forged, 'with a forged credential'],
		] as const) {
			isError(await main[surface](method, path, { credential }), 401, why);
		}
	}
	return `${ENDPOINTS.length} endpoints answer 401 with an object, without and with wrong ones`;
}

/** Section 5. */
export const authentication: Checks<'5'> = {
	'1': async ({ main }) => {
		const bare = await main.agent('GET', '/webhooks', {
			credential: null,
			headers: { authorization: main.access.token },
		});
		isError(bare, 401, 'with the token but without Bearer');
		return `${succeeded(await main.agent('GET', '/webhooks'))} with Authorization: Bearer`;
	},
	'2': async (scene) => {
		const { main } = scene;
		const part = '[A-Za-z0-9_-]+';
		want(
			new RegExp(`^${part}\\.${part}\\.${part}$`).test(main.access.jwt),
			'the JWT that was given has not the form of one',
		);
		const { jobId } = await scene.legacyJob();
		return `${succeeded(await main.legacy('GET', `/job/${jobId}`))} with a JWT`;
	},
	'3': async ({ main }) => {
		want(
			/^.+[A-Za-z0-9_-]{43}$/.test(main.access.token),
			'the token that was given has no prefix and 43 base64url characters',
		);
		return `${succeeded(await main.agent('GET', '/webhooks'))} with a prefix and 43 characters`;
	},
	'4': async ({ main }) => everyEndpointRefuses(main),
	'5': async (scene) => signed(scene),
	'6': async (scene: Scene) => {
		const { id, created } = await scene.everything();
		const secret = created.member('secret');
		want(typeof secret === 'string' && secret !== '', 'the creation response has no secret');
		for (const path of ['', `/${id}`, `/${id}/deliveries`]) {
			const answer = await scene.main.agent('GET', `/webhooks${path}`);
			want(!answer.text.includes(secret), `${answer.name} shows the secret again`);
		}
		const json = { events: ['document.uploaded'], url: scene.receiver.path().url };
		const other = await scene.webhook([QUIET_EVENT]);
		const put = await scene.main.agent('PUT', `/webhooks/${other.id}`, { json });
		want(!put.text.includes(other.secret), 'an update shows the secret again');
		return 'at creation and in no other answer';
	},
};

/** The header of a real delivery is the lowercase hex digest over its bytes. */
export async function signed(scene: Scene): Promise<string> {
	const { secret } = await scene.everything();
	const { headers, body } = await scene.bankDelivery();
	const signature = headers['x-service-signature'];
	want(signature !== undefined, 'the delivery has no X-Service-Signature');
	want(/^[0-9a-f]{64}$/.test(signature), 'X-Service-Signature is no lowercase hex of 64 digits');
	want(
		signature === signatureOf(secret, body),
		'X-Service-Signature is not the HMAC-SHA256 of the raw body with the secret',
	);
	return `the digest of ${body.length} raw bytes`;
}
