import { testCredential } from './credentialTester';
import { ScriptedService, type SeenRequest } from './scriptedService';

const TOKEN = 'dex_pat_right';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.right';

/** Answers as section 4 to 7 of the interface say, with the error shape that `errorBody` makes. */
async function documentService(errorBody: (message: string) => unknown): Promise<ScriptedService> {
	const refused = { status: 401, body: errorBody('not allowed') };
	const has = (request: SeenRequest, token: string) =>
		request.headers.authorization === `Bearer ${token}`;
	return await new ScriptedService()
		.on('POST', /^\/api\/v1\/agent\/documents\/upload-url$/, (request) =>
			has(request, TOKEN) ? { status: 400, body: errorBody('filename is missing') } : refused,
		)
		.on('POST', /^\/api\/v1\/protected\/job$/, (request) =>
			has(request, JWT) ? { status: 400, body: errorBody('jobName is missing') } : refused,
		)
		.start();
}

const CREDENTIALS = [
	['documentExtractionApi', 'accessToken', TOKEN],
	['documentExtractionJwtApi', 'jwtToken', JWT],
] as const;

const SHAPES: Array<[string, (message: string) => unknown]> = [
	['{error: {code, message}}', (message) => ({ error: { code: 'x', message } })],
	['{message}', (message) => ({ message })],
	['{error: "text"}', (message) => ({ error: message })],
];

describe.each(CREDENTIALS)('test of the credential %s', (type, field, right) => {
	describe.each(SHAPES)('against a service with errors as %s', (_shape, errorBody) => {
		let service: ScriptedService;
		beforeAll(async () => {
			service = await documentService(errorBody);
		});
		afterAll(async () => {
			await service.stop();
		});

		it('accepts the right token', async () => {
			const result = await testCredential(type, { baseUrl: service.baseUrl, [field]: right });
			expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
		});

		it.each(['/', '/api', '/api/', '/api/v1/', '', '/api/v1//'])(
			'understands the address with the ending "%s"',
			async (ending) => {
				const baseUrl = ` ${service.siteUrl}${ending} `;
				const result = await testCredential(type, { baseUrl, [field]: `${right}\n` });
				expect(result.status).toBe('OK');
			},
		);

		it('refuses a wrong token, and does not repeat it', async () => {
			const wrong = `${right}wrong`;
			const result = await testCredential(type, { baseUrl: service.baseUrl, [field]: wrong });
			expect(result.status).toBe('Error');
			expect(result.message).toContain('did not accept');
			expect(result.message).not.toContain(wrong);
		});

		it('refuses an empty token', async () => {
			const result = await testCredential(type, { baseUrl: service.baseUrl, [field]: '' });
			expect(result.status).toBe('Error');
		});
	});

	it.each<[string, { status: number; body: unknown }]>([
		['200 with a web page', { status: 200, body: '<!doctype html><p>Welcome</p>' }],
		['200 with other JSON', { status: 200, body: { ok: true } }],
		['200 with a list', { status: 200, body: [{ id: 1 }] }],
		['200 with an empty object', { status: 200, body: {} }],
		['201 with other JSON', { status: 201, body: { id: 1 } }],
		['204', { status: 204, body: undefined }],
		['404 with a web page', { status: 404, body: '<html><h1>Not Found</h1></html>' }],
		['400 with a web page', { status: 400, body: '<html><h1>Bad Request</h1></html>' }],
		['404 with no body', { status: 404, body: undefined }],
		['405', { status: 405, body: { message: 'method not allowed' } }],
		['500', { status: 500, body: { message: 'broken' } }],
		['503', { status: 503, body: { message: 'later' } }],
		['429', { status: 429, body: { message: 'slow down' } }],
	])('refuses a server that always answers %s', async (_name, reply) => {
		const other = await new ScriptedService()
			.on('GET', /.*/, reply)
			.on('POST', /.*/, reply)
			.start();
		try {
			const result = await testCredential(type, { baseUrl: other.baseUrl, [field]: right });
			expect(result.status).toBe('Error');
			expect(result.message).not.toBe('');
			expect(result.message).not.toContain(right);
			// The token reached the server that was entered, and only that one.
			expect(other.seen.length).toBe(1);
		} finally {
			await other.stop();
		}
	});

	it('does not follow a server that sends it on', async () => {
		const target = await documentService((message) => ({ message }));
		const mover = new ScriptedService();
		const reply = { status: 307, headers: { Location: `${target.siteUrl}/x` } };
		await mover.on('GET', /.*/, reply).on('POST', /.*/, reply).start();
		try {
			const result = await testCredential(type, { baseUrl: mover.baseUrl, [field]: right });
			expect(result.status).toBe('Error');
			expect(target.seen).toEqual([]);
		} finally {
			await mover.stop();
			await target.stop();
		}
	});

	it('refuses a port where nothing answers', async () => {
		const gone = await new ScriptedService().start();
		const { baseUrl } = gone;
		await gone.stop();
		const result = await testCredential(type, { baseUrl, [field]: right });
		expect(result.status).toBe('Error');
	});

	it.each(['', 'not an address', 'ftp://127.0.0.1/api/v1'])(
		'refuses the address "%s"',
		async (baseUrl) => {
			const result = await testCredential(type, { baseUrl, [field]: right });
			expect(result.status).toBe('Error');
		},
	);
});

it.each(CREDENTIALS)(
	'tells %s from a JSON server that knows no such path',
	async (type, field, right) => {
		const other = await new ScriptedService().start();
		try {
			const result = await testCredential(type, { baseUrl: other.baseUrl, [field]: right });
			expect(result.status).toBe('Error');
			expect(result.message).toContain('not a document extraction service');
		} finally {
			await other.stop();
		}
	},
);
