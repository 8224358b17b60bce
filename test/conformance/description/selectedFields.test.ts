import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Client } from '../../../service/test/client.ts';
import { startService } from '../../../service/test/runningService.ts';
import { generateStatement } from '../../documents/index.ts';
import { DescribedResponses } from './describedResponses.ts';

it('exports of certain fields fit the description', async () => {
	const service = await startService();
	try {
		const client = new Client(service);
		const described = await DescribedResponses.of(service.site);
		const { pdf } = await generateStatement('usChecking', { seed: 4, transactions: 3 });
		const { jobId } = await client.extract(pdf);
		const path = `/job/${jobId}/export`;
		for (const selectedFieldNames of [['period'], ['documentId'], ['bankMode'], []]) {
			const asked = { jobType: 'FieldsToExcel1', flattenTables: true, selectedFieldNames };
			const { status, headers, text } = await client.legacy('POST', path, asked);
			assert.equal(status, 200, text);
			const answer = { status, headers, body: Buffer.from(text) };
			const request = { method: 'POST', url: `/api/v1/protected${path}` };
			assert.deepEqual(described.check(request, answer), []);
		}
	} finally {
		await service.remove();
	}
});
