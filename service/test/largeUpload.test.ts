import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { Client, member, request } from './client.ts';
import { largePdf } from './largePdf.ts';
import { startService } from './runningService.ts';

const SIZE = 300_000_000;
/** What a large form may add to the memory of the process at its peak. */
const MOST_MORE_BYTES = 150_000_000;

/** Only here the system tells the peak of another process. */
const TELLS_MEMORY = process.platform === 'linux';

/** The resident memory of a process, bytes; 0 where the system does not tell. */
async function memoryOf(pid: number, name: 'VmHWM' | 'VmRSS'): Promise<number> {
	if (!TELLS_MEMORY) return 0;
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}

describe('a form with a large file', () => {
	it('goes to the storage and back in constant memory, and its pages are counted', async (test) => {
		const service = await startService();
		try {
			const client = new Client(service);
			const send = async (size: number): Promise<number> => {
				async function* form(): AsyncGenerator<Buffer> {
					yield Buffer.from(
						'--cut\r\nContent-Disposition: form-data; name="document"; filename="large.pdf"\r\n' +
							'Content-Type: application/pdf\r\n\r\n',
					);
					yield* largePdf(size);
					yield Buffer.from('\r\n--cut--\r\n');
				}
				const answer = await request(`${service.site}/api/v1/protected/document?metadata=1`, {
					method: 'POST',
					headers: {
						authorization: `Bearer ${service.credentials.jwt}`,
						'content-type': 'multipart/form-data; boundary=cut',
					},
					body: ReadableStream.from(form()),
					duplex: 'half',
				});
				assert.equal(answer.status, 201, answer.text);
				assert.equal(member(answer, 'pdfInfo', 'pageCount'), 2);
				return Number(member(answer, 'document', 'id'));
			};
			// The thread that counts is there from now on.
			await send(1_000_000);
			const before = await memoryOf(service.pid, 'VmRSS');
			if (TELLS_MEMORY) await writeFile(`/proc/${service.pid}/clear_refs`, '5');
			const begun = performance.now();
			const id = await send(SIZE);
			const sent = performance.now();
			const more = (await memoryOf(service.pid, 'VmHWM')) - before;

			const address = await client.legacy('GET', `/document/${id}/downloads3`);
			const digest = createHash('md5');
			const file = await fetch(String(member(address, 'url')));
			for await (const chunk of file.body ?? []) digest.update(chunk as Uint8Array);
			const expected = createHash('md5');
			for (const chunk of largePdf(SIZE)) expected.update(chunk);
			assert.equal(digest.digest('hex'), expected.digest('hex'));
			const moreAfter = (await memoryOf(service.pid, 'VmHWM')) - before;

			test.diagnostic(
				`${SIZE / 1e6} MB in ${((sent - begun) / 1000).toFixed(1)} s; memory before ` +
					`${Math.round(before / 1e6)} MB, at its peak ${Math.round(more / 1e6)} MB more, with the ` +
					`download ${Math.round(moreAfter / 1e6)} MB more`,
			);
			assert.ok(moreAfter < MOST_MORE_BYTES, `${moreAfter} bytes more`);
		} finally {
			await service.remove();
		}
	});
});
