import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../../src/config.ts';
import { addressKind } from '../../src/webhooks/receiver/addressRanges.ts';
import { parseAllowedHost } from '../../src/webhooks/receiver/allowedHosts.ts';
import { checkReceiver } from '../../src/webhooks/receiver/checkReceiver.ts';
import { receiverPolicy } from '../../src/webhooks/receiver/receiverPolicy.ts';
import type { ReceiverPolicy } from '../../src/webhooks/receiver/receiverPolicy.ts';
import { NameNotFound } from '../../src/webhooks/receiver/resolveName.ts';
import type { ResolveName } from '../../src/webhooks/receiver/resolveName.ts';

const HOSTED: ReceiverPolicy = { ownMachine: false, allowedHosts: [] };
const OWN: ReceiverPolicy = { ownMachine: true, allowedHosts: [] };

/** A name server for tests. A name that it does not know has no address. */
function names(table: Record<string, string[]>): ResolveName {
	return async (name) => {
		const addresses = table[name];
		if (addresses === undefined) throw new NameNotFound();
		return addresses;
	};
}

const PUBLIC = names({
	'example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
});

async function refusal(url: string, policy = HOSTED, resolve = PUBLIC): Promise<string | null> {
	return await checkReceiver(url, policy, resolve);
}

describe('which addresses are delivered to', () => {
	for (const url of [
		'https://example.com',
		'https://example.com/webhook/1?a=b#part',
		'https://EXAMPLE.com:8443/',
		'https://example.com./',
		'https://93.184.215.14/',
		'https://[2606:2800:21f:cb07::1]:5678/',
		// The host of this one is example.com.
		'https://example.com/@127.0.0.1/',
		'https://example.com\\@127.0.0.1/',
		'https://example.com#@127.0.0.1/',
	]) {
		it(`takes ${url}`, async () => assert.equal(await refusal(url), null));
	}

	const THIS_MACHINE = [
		'127.0.0.1',
		'127.0.0.1.',
		'127.1',
		'127.0.1',
		'127.255.255.254',
		'2130706433',
		'0x7f000001',
		'0x7f.0x0.0x0.0x1',
		'0X7F.1',
		'017700000001',
		'0177.0.0.1',
		'00000000000177.0.0.01',
		'127.0x0.0.1',
		'１２７.０.０.１',
		'①②⑦.⓪.⓪.①',
		'127。0。0。1',
		'127．0．0．1',
		'%31%32%37.0.0.1',
		'[::1]',
		'[0:0:0:0:0:0:0:1]',
		'[0000::0001]',
		'localhost',
		'LOCALHOST',
		'localhost.',
		'lo\tcalhost',
		'ⓛocalhost',
		'hook.localhost',
	];
	const ELSEWHERE = [
		'0.0.0.0',
		'0',
		'0x0',
		'[::]',
		'[::ffff:127.0.0.1]',
		'[::ffff:7f00:1]',
		'[0:0:0:0:0:ffff:7f00:0001]',
		'[::FFFF:10.0.0.1]',
		'[::127.0.0.1]',
		'[::ffff:0:127.0.0.1]',
		'[64:ff9b::7f00:1]',
		'[64:ff9b::10.0.0.1]',
		'[64:ff9b:1::a00:1]',
		'[2002:7f00:1::]',
		'[2002:a00:1::1]',
		'[2001:0:7f00:1::]',
		'[2001:db8::1]',
		'[2001:2::1]',
		'[3fff::1]',
		'[fe80::1]',
		'[fec0::1]',
		'[fc00::1]',
		'[fd00:ec2::254]',
		'[ff02::1]',
		'[100::1]',
		'10.0.0.1',
		'167772161',
		'0xa.1',
		'012.0.0.1',
		'172.16.0.1',
		'172.31.255.255',
		'192.168.1.1',
		'192.168.257',
		'169.254.169.254',
		'2852039166',
		'0xA9FEA9FE',
		'169.254.43518',
		'100.100.100.200',
		'168.63.129.16',
		'192.0.0.192',
		'192.0.2.1',
		'192.88.99.1',
		'198.18.0.1',
		'198.51.100.7',
		'203.0.113.7',
		'224.0.0.1',
		'240.0.0.1',
		'255.255.255.255',
	];
	for (const host of [...THIS_MACHINE, ...ELSEWHERE]) {
		it(`refuses ${JSON.stringify(host)}`, async () => {
			assert.match((await refusal(`https://${host}/hook`)) ?? '', /this machine|private/);
			assert.match((await refusal(`http://${host}:8080/hook`)) ?? '', /this machine|private/);
		});
	}
	for (const host of THIS_MACHINE) {
		it(`takes ${JSON.stringify(host)} when only this machine can reach the service`, async () => {
			assert.equal(await refusal(`http://${host}:5678/hook`, OWN), null);
			assert.equal(await refusal(`https://${host}:5678/hook`, OWN), null);
		});
	}
	for (const host of ELSEWHERE) {
		it(`refuses ${host} even then`, async () => {
			assert.match((await refusal(`https://${host}/hook`, OWN)) ?? '', /private/);
			assert.match((await refusal(`http://${host}/hook`, OWN)) ?? '', /private/);
		});
	}

	it('refuses plain http to the internet', async () => {
		for (const policy of [HOSTED, OWN]) {
			for (const url of [
				'http://example.com/',
				'http://example.com:443/',
				'http://93.184.215.14/',
				'HTTP://example.com/',
			]) {
				assert.match((await refusal(url, policy)) ?? '', /must begin with https:\/\//);
			}
		}
	});

	it('refuses what is no address of the web', async () => {
		for (const [url, text] of [
			['', /not a complete address/],
			['example.com', /not a complete address/],
			['//example.com', /not a complete address/],
			['https://', /not a complete address/],
			['https://exa mple.com', /not a complete address/],
			['https://example.com:65536/', /not a complete address/],
			['https://example.com:-1/', /not a complete address/],
			['https://1.2.3.4.5/', /not a complete address/],
			['https://256.1.1.1/', /not a complete address/],
			['https://0x100000000/', /not a complete address/],
			['https://[::1', /not a complete address/],
			['https://[fe80::1%25eth0]/', /not a complete address/],
			['https://exa%00mple.com/', /not a complete address/],
			['ftp://example.com/', /https/],
			['file:///etc/passwd', /https/],
			['gopher://127.0.0.1:70/', /https/],
			['unix:/run/docker.sock', /https/],
			['https://example.com:0/', /Port 0/],
			[`https://example.com/${'a'.repeat(1981)}`, /2001 characters; at most 2000/],
		] as const) {
			assert.match((await refusal(url)) ?? '', text, url.slice(0, 60));
		}
		assert.equal(await refusal(`https://example.com/${'a'.repeat(1980)}`), null);
	});

	it('refuses a user name or a password in it, and does not repeat them', async () => {
		for (const url of [
			'https://user:geheim@example.com/',
			'https://geheim@example.com/',
			'https://:geheim@example.com/',
			'https://example.com:geheim@127.0.0.1/',
			'https://example.com%2F:geheim@127.0.0.1/',
		]) {
			const text = (await refusal(url)) ?? '';
			assert.match(text, /user name or a password/);
			assert.doesNotMatch(text, /geheim/);
		}
	});

	it('refuses a name with one public and one private address', async () => {
		const resolve = names({
			'both.example': ['93.184.215.14', '10.0.0.1'],
			'six.example': ['93.184.215.14', '::ffff:10.0.0.1'],
			'zone.example': ['fe80::1%eth0'],
			'loop.example': ['127.0.0.1'],
			'half.example': ['93.184.215.14', '127.0.0.1'],
			'none.example': [],
		});
		for (const name of ['both', 'six', 'zone', 'loop', 'half']) {
			const text = (await refusal(`https://${name}.example/`, HOSTED, resolve)) ?? '';
			assert.match(text, /private/);
			// What an internal name means is not told to who asks.
			assert.doesNotMatch(text, /\d+\.\d+/);
		}
		assert.match((await refusal('https://none.example', HOSTED, resolve)) ?? '', /no address/);
		assert.match((await refusal('https://both.example', OWN, resolve)) ?? '', /private/);
		assert.equal(await refusal('http://loop.example', OWN, resolve), null);
		assert.equal(await refusal('https://half.example', OWN, resolve), null);
		assert.match((await refusal('http://half.example', OWN, resolve)) ?? '', /https/);
	});

	it('refuses a name that has no address (yet)', async () => {
		assert.match((await refusal('https://not-there.example/')) ?? '', /has no address/);
		// Asks the name servers of this machine, if it has any.
		const asked = await checkReceiver('https://nothing.invalid/', HOSTED);
		assert.match(asked ?? '', /has no address|could not be looked up/);
	});

	it('takes the hosts that the operator names, with http or https, wherever they are', async () => {
		const resolve = names({
			n8n: ['172.18.0.3'],
			'n8n.internal': ['10.0.0.9'],
			other: ['10.0.0.8'],
		});
		const policy: ReceiverPolicy = {
			ownMachine: false,
			allowedHosts: ['n8n', 'n8n.internal:5678', '10.0.0.5', '[fd00::5]:5678', 'plain.example:80'],
		};
		for (const url of [
			'http://n8n:5678/webhook/1',
			'https://N8N./webhook/1',
			'http://n8n.internal:5678/',
			'http://10.0.0.5:1234/',
			'http://0xa.5/',
			'http://[fd00:0::5]:5678/',
		]) {
			assert.equal(await refusal(url, policy, resolve), null, url);
		}
		for (const url of [
			'http://n8n.internal/',
			'http://n8n.internal:5679/',
			'http://other:5678/',
			'http://xn8n:5678/',
			'http://n8n.other:5678/',
			'http://10.0.0.6/',
			'http://[fd00::5]/',
			'http://user:secret@n8n:5678/',
			'ftp://n8n/',
		]) {
			assert.notEqual(await refusal(url, policy, resolve), null, url);
		}
		const web = names({ 'plain.example': ['93.184.215.14'] });
		assert.equal(await refusal('http://plain.example/', policy, web), null);
		assert.match((await refusal('http://plain.example:81/', policy, web)) ?? '', /https/);
	});

	it('reads the entries of the operator', () => {
		assert.deepEqual(parseAllowedHost('n8n'), { hostname: 'n8n', port: null });
		assert.deepEqual(parseAllowedHost('n8n:80'), { hostname: 'n8n', port: 80 });
		assert.deepEqual(parseAllowedHost('[::1]:443'), { hostname: '[::1]', port: 443 });
		for (const entry of [
			'',
			':80',
			'http://n8n',
			'n8n/x',
			'a@b',
			'n8n:0',
			'n8n:65536',
			'::1',
			'a b',
		])
			assert.equal(parseAllowedHost(entry), null, entry);
		// A slip in the setting is told at the start, and not when deliveries fail.
		assert.throws(
			() => readConfig({ WEBHOOK_ALLOWED_HOSTS: 'n8n, http://n8n:5678' }),
			/WEBHOOK_ALLOWED_HOSTS must be hosts such as n8n .* one is "http:\/\/n8n:5678"/,
		);
		assert.deepEqual(readConfig({ WEBHOOK_ALLOWED_HOSTS: 'N8N:5678, [::1]' }).webhookAllowedHosts, [
			'n8n:5678',
			'[::1]',
		]);
	});

	it('is for this machine alone only if nothing else can reach the service', () => {
		const own = (env: Record<string, string>): boolean =>
			receiverPolicy(readConfig(env)).ownMachine;
		assert.equal(own({}), true);
		for (const host of ['localhost', '::1', '127.0.0.2']) assert.equal(own({ HOST: host }), true);
		for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.com'])
			assert.equal(own({ HOST: host }), false);
		// A proxy on this machine lets others in.
		assert.equal(own({ PUBLIC_URL: 'https://extraction.example.com' }), false);
		assert.equal(own({ PUBLIC_URL: 'http://localhost:9000' }), true);
	});

	it('refuses any private IPv4 address in any spelling', async () => {
		const part = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
		const privateAddress = fc.oneof(
			part(24).map((rest) => 10 * 2 ** 24 + rest),
			part(20).map((rest) => 0xac100000 + rest),
			part(16).map((rest) => 0xc0a80000 + rest),
			part(16).map((rest) => 0xa9fe0000 + rest),
			part(24).map((rest) => 127 * 2 ** 24 + rest),
			part(22).map((rest) => 0x64400000 + rest),
			part(24),
			part(28).map((rest) => 0xe0000000 + rest),
			part(28).map((rest) => 0xf0000000 + rest),
		);
		await fc.assert(
			fc.asyncProperty(
				privateAddress,
				fc.integer({ min: 1, max: 4 }),
				fc.array(fc.constantFrom('decimal', 'octal', 'hex', 'HEX'), { minLength: 4, maxLength: 4 }),
				fc.nat({ max: 6 }),
				fc.constantFrom('.', '。', '．', '｡'),
				fc.boolean(),
				async (address, count, bases, zeros, dot, isWide) => {
					const parts = Array.from({ length: count }, (_, index) => {
						const isLast = index === count - 1;
						const shift = 2 ** (24 - 8 * index);
						const value = isLast
							? address % 2 ** (32 - 8 * index)
							: Math.floor(address / shift) % 256;
						return spelled(value, bases[index] ?? 'decimal', zeros);
					});
					const text = parts.join(dot);
					const host = isWide ? text.replaceAll(/[0-9]/g, wideDigit) : text;
					assert.match((await refusal(`https://${host}/`)) ?? '', /private/, host);
					const mapped = `[::ffff:${dotted(address)}]`;
					assert.match((await refusal(`https://${mapped}/`)) ?? '', /private/, mapped);
				},
			),
			{ numRuns: 500 },
		);
	});

	it('tells public IPv4 addresses from the others as the list of ranges does', () => {
		fc.assert(
			fc.property(fc.nat({ max: 2 ** 32 - 1 }), (address) => {
				const kind = addressKind(dotted(address));
				const isSpecial = SPECIAL.some(
					([from, bits]) =>
						Math.floor(address / 2 ** (32 - bits)) === Math.floor(number(from) / 2 ** (32 - bits)),
				);
				assert.equal(kind !== 'public', isSpecial, dotted(address));
			}),
			{ numRuns: 2000 },
		);
	});
});

const SPECIAL: ReadonlyArray<[string, number]> = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['168.63.129.16', 32],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 3],
];

function spelled(value: number, base: string, zeros: number): string {
	const padding = '0'.repeat(zeros);
	if (base === 'octal') return `0${padding}${value.toString(8)}`;
	if (base === 'hex') return `0x${padding}${value.toString(16)}`;
	if (base === 'HEX') return `0X${padding}${value.toString(16).toUpperCase()}`;
	return String(value);
}

function wideDigit(digit: string): string {
	return String.fromCodePoint(0xff10 + Number(digit));
}

function dotted(address: number): string {
	return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

function number(address: string): number {
	return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
