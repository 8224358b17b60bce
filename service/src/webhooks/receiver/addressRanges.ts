import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * What an address is for deliveries: `public` can be reached from the whole internet, `loopback` is
 * this machine, and everything else is `refused`.
 */
export type AddressKind = 'public' | 'loopback' | 'refused';

/** From the IANA registry of special-purpose addresses, and what clouds keep for themselves. */
const REFUSED_IPV4: ReadonlyArray<[string, number]> = [
	['0.0.0.0', 8], // this network, unspecified
	['10.0.0.0', 8], // private
	['100.64.0.0', 10], // between a provider and its customers
	['127.0.0.0', 8], // loopback
	['168.63.129.16', 32], // Azure's own services for a machine
	['169.254.0.0', 16], // link-local, metadata of most clouds
	['172.16.0.0', 12], // private
	['192.0.0.0', 24], // protocol assignments, metadata of Oracle
	['192.0.2.0', 24], // documentation
	['192.88.99.0', 24], // 6to4 relays
	['192.168.0.0', 16], // private
	['198.18.0.0', 15], // benchmarks
	['198.51.100.0', 24], // documentation
	['203.0.113.0', 24], // documentation
	['224.0.0.0', 4], // multicast
	['240.0.0.0', 4], // reserved, broadcast
];

/**
 * Only this part of IPv6 is handed out to the internet. Loopback, unique local, link-local,
 * multicast, IPv4-mapped and NAT64 addresses all lie outside it.
 */
const GLOBAL_IPV6: [string, number] = ['2000::', 3];
const REFUSED_IPV6: ReadonlyArray<[string, number]> = [
	['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
	['2001:db8::', 32], // documentation
	['2002::', 16], // 6to4
	['3fff::', 20], // documentation
];

const refusedIpv4 = blockList('ipv4', REFUSED_IPV4);
const loopbackIpv4 = blockList('ipv4', [['127.0.0.0', 8]]);
const globalIpv6 = blockList('ipv6', [GLOBAL_IPV6]);
const refusedIpv6 = blockList('ipv6', REFUSED_IPV6);
const loopbackIpv6 = blockList('ipv6', [['::1', 128]]);

/** The kind of a literal address, without brackets. What is no address at all is refused. */
export function addressKind(address: string): AddressKind {
	if (isIPv4(address)) {
		if (loopbackIpv4.check(address, 'ipv4')) return 'loopback';
		return refusedIpv4.check(address, 'ipv4') ? 'refused' : 'public';
	}
	// An address with a zone (fe80::1%eth0) belongs to a network of this machine.
	if (!isIPv6(address) || address.includes('%')) return 'refused';
	if (loopbackIpv6.check(address, 'ipv6')) return 'loopback';
	if (!globalIpv6.check(address, 'ipv6')) return 'refused';
	return refusedIpv6.check(address, 'ipv6') ? 'refused' : 'public';
}

/** `localhost` and the names below it always mean this machine (RFC 6761). */
export function isLocalhostName(name: string): boolean {
	return /^(?:.+\.)?localhost\.?$/i.test(name);
}

/** Whether who listens on this host can be reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
	const literal = host.replace(/^\[(.*)\]$/, '$1');
	return isIP(literal) === 0 ? isLocalhostName(literal) : addressKind(literal) === 'loopback';
}

function blockList(
	family: 'ipv4' | 'ipv6',
	subnets: ReadonlyArray<readonly [string, number]>,
): BlockList {
	const list = new BlockList();
	for (const [network, bits] of subnets) list.addSubnet(network, bits, family);
	return list;
}
