import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that signs itself, and its key, both as PEM. Valid for an hour around now. */
export interface TestCertificate {
	cert: string;
	key: string;
}

const HOUR_MS = 3_600_000;
const OID = {
	commonName: [0x55, 0x04, 0x03],
	subjectAltName: [0x55, 0x1d, 0x11],
	ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
};

/** Node cannot make certificates, so the few fields are written here (X.509 as DER). */
export function testCertificate(
	names: string[],
	{
		addresses = [],
		validUntil = Date.now() + HOUR_MS,
	}: { addresses?: string[]; validUntil?: number } = {},
): TestCertificate {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = sequence(oid(OID.ecdsaWithSha256));
	const name = sequence(
		der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from('test receiver')))),
	);
	const alternatives = sequence(
		...names.map((text) => der(0x82, Buffer.from(text))),
		...addresses.map((text) => der(0x87, Buffer.from(text.split('.').map(Number)))),
	);
	const signed = sequence(
		der(0xa0, integer(2)),
		integer(1),
		algorithm,
		name,
		sequence(time(validUntil - 2 * HOUR_MS), time(validUntil)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(sequence(oid(OID.subjectAltName), der(0x04, alternatives)))),
	);
	const signature = sign('sha256', signed, privateKey);
	const whole = sequence(signed, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
	const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
	};
}

function der(tag: number, content: Uint8Array): Buffer {
	const { length } = content;
	const size =
		length < 0x80
			? [length]
			: length < 0x100
				? [0x81, length]
				: [0x82, Math.floor(length / 0x100), length % 0x100];
	return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...members: Uint8Array[]): Buffer {
	return der(0x30, Buffer.concat(members));
}

function integer(value: number): Buffer {
	return der(0x02, Buffer.of(value));
}

function oid(bytes: number[]): Buffer {
	return der(0x06, Buffer.from(bytes));
}

function time(at: number): Buffer {
	const text = new Date(at)
		.toISOString()
		.replace(/[-:T]|\.\d+/g, '')
		.slice(2);
	return der(0x17, Buffer.from(text));
}
