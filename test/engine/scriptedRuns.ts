import type { INodeParameters } from 'n8n-workflow';

import { runNode, type NodeResult, type NodeRun } from './engine';
import { shortenPauses } from './fastClock';
import { ScriptedService } from './scriptedService';

/** A scripted service that starts empty in each test of the file, with short pauses in the node. */
export function serviceForEachTest(): ScriptedService {
	const service = new ScriptedService();
	beforeEach(async () => {
		service.clear();
		await service.start();
		shortenPauses(100);
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await service.stop();
	});
	return service;
}

/** A value of a resource locator. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** As a JWT looks; it says nothing. */
export const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

/** Credentials for the service, of both kinds. */
export function credentialsFor({ baseUrl }: ScriptedService) {
	return {
		documentExtractionApi: { baseUrl, accessToken: 'dex_pat_right' },
		documentExtractionJwtApi: { baseUrl, jwtToken: JWT },
	};
}

/** Runs of the node against the service, with one empty item unless there are others. */
export function runsAgainst(service: ScriptedService, fixed: INodeParameters) {
	return async (parameters: INodeParameters, options: Partial<NodeRun> = {}): Promise<NodeResult> =>
		await runNode({
			parameters: { ...fixed, ...parameters },
			items: [{ json: {} }],
			credentials: credentialsFor(service),
			...options,
		});
}
