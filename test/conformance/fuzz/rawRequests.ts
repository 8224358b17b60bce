import { connect } from 'node:net';

/** Bytes on a connection that are no request, or only the beginning of one. */
export interface RawCase {
	what: string;
	bytes: string | Buffer;
	/** Ends the sending side after the bytes, as a client does that goes away. */
	ends: boolean;
}

/** What came back: the status, null where the connection was closed without an answer. */
export interface RawAnswer {
	status: number | null;
	text: string;
	/** False: the service still waited when the time was over. */
	closedOrAnswered: boolean;
}

/** Requests that no client library sends. `authorization` is a whole header value. */
export function rawCases(host: string, authorization: string): RawCase[] {
	const head = (line: string, ...headers: string[]): string =>
		[line, `Host: ${host}`, `Authorization: ${authorization}`, ...headers, '', ''].join('\r\n');
	const json = 'Content-Type: application/json';
	const jobs = 'POST /api/v1/agent/jobs HTTP/1.1';
	const form = 'Content-Type: multipart/form-data; boundary=x';
	const part = '--x\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n';
	return [
		{ what: 'nothing', bytes: '', ends: true },
		{ what: 'no HTTP', bytes: 'hello\r\n\r\n', ends: false },
		{ what: 'bytes', bytes: Buffer.from([0, 255, 254, 1, 13, 10, 13, 10]), ends: false },
		{ what: 'an unknown method', bytes: head('BREW /healthz HTTP/1.1'), ends: false },
		{ what: 'HTTP/9.9', bytes: head('GET /healthz HTTP/9.9'), ends: false },
		{ what: 'a path without a slash', bytes: head('GET healthz HTTP/1.1'), ends: false },
		{ what: 'NUL in the path', bytes: head('GET /a\u0000b HTTP/1.1'), ends: false },
		{
			what: 'a header without a colon',
			bytes: head('GET /healthz HTTP/1.1', 'nonsense'),
			ends: false,
		},
		{
			what: 'a head that is too large',
			bytes: head('GET /healthz HTTP/1.1', `X: ${'x'.repeat(40_000)}`),
			ends: false,
		},
		{
			what: 'a path that is too long',
			bytes: head(`GET /${'a'.repeat(40_000)} HTTP/1.1`),
			ends: false,
		},
		{ what: 'half a head', bytes: 'GET /healthz HTTP/1.1\r\nHos', ends: true },
		{
			what: 'two lengths',
			bytes: head(jobs, json, 'Content-Length: 2', 'Content-Length: 3') + '{}',
			ends: false,
		},
		{
			what: 'a length that is none',
			bytes: head(jobs, json, 'Content-Length: many') + '{}',
			ends: false,
		},
		{
			what: 'a length below zero',
			bytes: head(jobs, json, 'Content-Length: -1') + '{}',
			ends: false,
		},
		{
			what: 'a length and chunks',
			bytes:
				head(jobs, json, 'Content-Length: 2', 'Transfer-Encoding: chunked') +
				'2\r\n{}\r\n0\r\n\r\n',
			ends: false,
		},
		{
			what: 'chunks that are none',
			bytes: head(jobs, json, 'Transfer-Encoding: chunked') + 'zz\r\n',
			ends: false,
		},
		{
			what: 'half a chunk',
			bytes: head(jobs, json, 'Transfer-Encoding: chunked') + '5\r\n{',
			ends: true,
		},
		{
			what: 'a JSON body that ends early',
			bytes: head(jobs, json, 'Content-Length: 100') + '{"docu',
			ends: true,
		},
		{
			what: 'a form that ends early',
			bytes: head('POST /api/v1/protected/document HTTP/1.1', form, 'Content-Length: 900') + part,
			ends: true,
		},
		{
			what: 'an upload that ends early',
			bytes: head('PUT /storage/documents/1/a HTTP/1.1', 'Content-Length: 900') + 'abc',
			ends: true,
		},
		{
			what: 'an upgrade',
			bytes: head('GET /healthz HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'),
			ends: false,
		},
		{
			what: 'a body on GET',
			bytes: head('GET /healthz HTTP/1.1', 'Content-Length: 3') + 'abc',
			ends: false,
		},
		{
			what: 'two requests at once',
			bytes: head('GET /healthz HTTP/1.1') + head('GET /nothing HTTP/1.1', 'Connection: close'),
			ends: false,
		},
		{
			what: 'an expectation',
			bytes: head(jobs, json, 'Expect: 100-continue', 'Content-Length: 2') + '{}',
			ends: false,
		},
		{
			what: 'an expectation that nobody can meet',
			bytes: head(jobs, json, 'Expect: a miracle', 'Content-Length: 2') + '{}',
			ends: false,
		},
	];
}

/** Comes before an answer and is none. */
const CONTINUE = /^HTTP\/1\.1 100[^]*?\r\n\r\n/;

/** Sends bytes on a connection of their own and reads what comes back first. */
export async function sendRaw(
	port: number,
	{ bytes, ends }: RawCase,
	withinMs: number,
): Promise<RawAnswer> {
	return await new Promise((resolve) => {
		let text = '';
		const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
		const done = (closedOrAnswered: boolean): void => {
			clearTimeout(timer);
			socket.destroy();
			const answer = text.replace(CONTINUE, '');
			const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
			resolve({ status: status === undefined ? null : Number(status), text, closedOrAnswered });
		};
		const timer = setTimeout(() => done(false), withinMs);
		socket.on('connect', () => (ends ? socket.end(bytes) : socket.write(bytes)));
		socket.on('data', (piece) => {
			text += piece.toString('latin1');
			if (/^HTTP\/1\.1 \d{3}/.test(text.replace(CONTINUE, ''))) done(true);
		});
		socket.on('end', () => done(true));
		socket.on('error', () => done(true));
	});
}
