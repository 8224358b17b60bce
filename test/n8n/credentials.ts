import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../scripts/processes/ports.ts';
import type { RealN8n } from './realN8n.ts';

/** The "Test" of the credentials, as the editor runs it. */
export const testCredentials = (running: () => RealN8n): void => {
	const outcome = async (
		which: 'accessToken' | 'jwt',
		changes: Record<string, string> = {},
	): Promise<{ status: string; message: string }> => {
		const { credentials, n8n, service } = running();
		const { baseUrl, accessToken, jwt } = service.credentials;
		const { id, name, type } = credentials[which];
		const data: Record<string, string> =
			which === 'accessToken' ? { baseUrl, accessToken } : { baseUrl, jwtToken: jwt };
		return await n8n.testCredential({ id, name, type, data: { ...data, ...changes } });
	};

	for (const which of ['accessToken', 'jwt'] as const) {
		const secretField = which === 'accessToken' ? 'accessToken' : 'jwtToken';

		test(`${which}: the service's own credential passes`, async () => {
			const { status, message } = await outcome(which);
			assert.equal(status, 'OK', message);
		});

		test(`${which}: a wrong one is refused`, async () => {
			const wrong = `${running().service.credentials[which].slice(0, -4)}AAAA`;
			assert.equal((await outcome(which, { [secretField]: wrong })).status, 'Error');
		});

		test(`${which}: a wrong address is refused`, async () => {
			const nowhere = `http://127.0.0.1:${await freePort()}/api/v1`;
			assert.equal((await outcome(which, { baseUrl: nowhere })).status, 'Error');
		});

		test(`${which}: a server that is not this service is refused`, async () => {
			const baseUrl = `${running().n8n.address}/api/v1`;
			assert.equal((await outcome(which, { baseUrl })).status, 'Error');
		});

		test(`${which}: the address is understood with a slash at its end and without the version`, async () => {
			const { baseUrl } = running().service.credentials;
			for (const variant of [`${baseUrl}/`, baseUrl.replace(/\/api\/v1$/, '')]) {
				const { status, message } = await outcome(which, { baseUrl: variant });
				assert.equal(status, 'OK', `${variant}: ${message}`);
			}
		});
	}
};
