import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { runNode } from './engine';
import { shortenPauses } from './fastClock';
import { usualService, type ScriptedService } from './scriptedService';

const PDF = Buffer.alloc(2_500_000, 3);

let service: ScriptedService;
let files: Server;
let seen: IncomingMessage[];
let reply: (response: ServerResponse) => void;

beforeEach(async () => {
	seen = [];
	service = await usualService().start();
	files = createServer((request, response) => {
		seen.push(request);
		reply(response);
	});
	await new Promise<void>((done) => files.listen(0, '127.0.0.1', done));
	shortenPauses(100);
});

afterEach(async () => {
	jest.restoreAllMocks();
	files.closeAllConnections();
	await new Promise((done) => files.close(done));
	await service.stop();
});

async function extract(path: string, options = {}) {
	const { port } = files.address() as AddressInfo;
	return await runNode({
		parameters: {
			resource: 'document',
			operation: 'extract',
			fileFrom: 'url',
			fileUrl: path.startsWith('/') ? `http://127.0.0.1:${port}${path}` : path,
			output: 'documents',
			options,
		},
		items: [{ json: {} }],
		credentials: {
			documentExtractionApi: { baseUrl: service.baseUrl, accessToken: 'dex_pat_right' },
		},
	});
}

const whole = (type: string) => (response: ServerResponse) => {
	response.writeHead(200, { 'Content-Type': type, 'Content-Length': PDF.length });
	response.end(PDF);
};

describe('a file from an address', () => {
	it('goes from there to the storage, without the token', async () => {
		reply = whole('application/pdf');
		const result = await extract('/statements/march%202026.pdf?key=1');
		expect(result.error).toBeUndefined();
		const [put] = service.requests('PUT', /storage/);
		expect(put?.body.equals(PDF)).toBe(true);
		expect(put?.headers['content-length']).toBe(String(PDF.length));
		expect(put?.headers['transfer-encoding']).toBeUndefined();
		const [asked] = service.requests('POST', /upload-url/);
		expect(JSON.parse(asked!.body.toString()).filename).toBe('march 2026.pdf');
		expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
	});

	it('is fetched again for every try of the upload', async () => {
		reply = whole('application/pdf');
		let tries = 0;
		service.on('PUT', /storage/, () => (++tries === 1 ? { reset: true } : { status: 200 }));
		const result = await extract('/a.pdf');
		expect(result.error).toBeUndefined();
		expect(service.requests('PUT', /storage/).every(({ body }) => body.equals(PDF))).toBe(true);
		expect(service.requests('POST', /upload-url/)).toHaveLength(1);
	});

	it('works where the server does not tell the length', async () => {
		reply = (response) => {
			response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
			response.write(PDF.subarray(0, 1_000_000));
			response.end(PDF.subarray(1_000_000));
		};
		const result = await extract('/a.pdf');
		expect(result.error).toBeUndefined();
		const [put] = service.requests('PUT', /storage/);
		expect(put?.body.equals(PDF)).toBe(true);
		expect(put?.headers['content-length']).toBe(String(PDF.length));
	});

	it('is refused where it is large and its length is not told', async () => {
		const piece = Buffer.alloc(1024 * 1024);
		reply = (response) => {
			response.writeHead(200, { 'Content-Type': 'application/pdf' });
			let left = 80;
			const more = () => {
				while (left-- > 0) if (!response.write(piece)) return response.once('drain', more);
				return response.end();
			};
			more();
		};
		const result = await extract('/a.pdf');
		expect(result.error?.message).toContain('larger than 64 MB');
		expect(result.error?.description).toContain('HTTP Request');
		expect(service.seen).toEqual([]);
	});

	it.each<[string, (response: ServerResponse) => void, string]>([
		['is not there', (response) => response.writeHead(404).end(), 'the status 404'],
		['breaks off', (response) => response.destroy(), 'could not be downloaded'],
		['is a web page', whole('text/html'), "of type 'text/html'"],
		[
			'is empty',
			(response) =>
				response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': 0 }).end(),
			'is empty',
		],
	])('is refused where it %s', async (_name, answer, message) => {
		reply = answer;
		const result = await extract('/a.pdf');
		expect(result.error?.message).toContain(message);
		expect(service.seen).toEqual([]);
	});

	it.each(['={{ "" }}', 'statement.pdf', 'file:///etc/passwd'])(
		'"%s" is no address',
		async (address) => {
			const result = await extract(address);
			expect(result.error).toBeDefined();
			expect(seen).toEqual([]);
			expect(service.seen).toEqual([]);
		},
	);
});
