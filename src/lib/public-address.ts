import ipaddr from 'ipaddr.js';

/** Everything else of IPv4 is public. From the registry of special purposes that IANA keeps, and one that a cloud took for itself. */
const notPublic4 = [
  ['0.0.0.0', 8, 'this network, the unspecified address'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by the customers of a carrier'],
  ['127.0.0.0', 8, 'the machine itself'],
  ['168.63.129.16', 32, 'the platform of Azure, which answers its machines there'],
  ['169.254.0.0', 16, 'link-local, where clouds tell secrets to their machines'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'for protocols'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'relays of 6to4, no longer in use'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved, and broadcast'],
] as const;

/** Of IPv6 the other way round: only this range is public at all, */
const global6 = ['2000::', 3] as const;
/** and of it not these. */
const notPublic6 = [
  ['2001::', 23, 'for protocols: Teredo, benchmarks, identifiers'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4, which carries an IPv4 address'],
  ['3fff::', 20, 'documentation'],
] as const;

/** What stands for an IPv4 address and is as public as that: mapped ones, and those of translators (NAT64). */
const carriers6 = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
] as const;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const within = (address: Address, [range, bits]: readonly [string, number, ...unknown[]]): boolean =>
  address.match(ipaddr.parse(range), bits);

/** Whether anybody on the internet may be found at an address; one that cannot be read is nobody's. */
export function isPublic(text: string): boolean {
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  // ipaddr.js takes `::8.8.8.8`, the old form compatible with IPv4, for a mapped one. It is nobody's, like all around it.
  if (!isWhole || text.includes('%') || /^::[\d.]+$/.test(text)) return false;
  const address = ipaddr.parse(text);
  return address.kind() === 'ipv4' ? isPublic4(address) : isPublic6(address);
}

const isPublic4 = (address: Address): boolean => !notPublic4.some((range) => within(address, range));

function isPublic6(address: Address): boolean {
  if (carriers6.some((range) => within(address, range))) {
    return isPublic4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return within(address, global6) && !notPublic6.some((range) => within(address, range));
}
