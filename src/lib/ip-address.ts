// IP addresses: the network that one belongs to, and whether the internet can reach it.
import ipaddr from 'ipaddr.js';

/** The network of one customer, as far as an address tells: with IPv6 a customer has up to a whole /48. */
export const networkOf = (address: string): string => prefixOf(address, 3);

/** The network that one machine has for certain: with IPv6 a /64, in which it takes any address it likes. */
export const subnetOf = (address: string): string => prefixOf(address, 4);

/** An IPv4 address as it is always written: most addresses are one, and this is asked of each request. */
const plain4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;

/** `groups`: how many groups of an IPv6 address stay. */
function prefixOf(address: string, groups: number): string {
  if (plain4.test(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toNormalizedString().split(':').slice(0, groups).join(':');
}

/** All other IPv4 addresses are public. The list is IANA's registry of special purposes, and one range that a cloud took for itself. */
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

/** With IPv6 only this range is public at all, */
const global6 = ['2000::', 3] as const;
/** except for these parts of it. */
const notPublic6 = [
  ['2001::', 23, 'for protocols: Teredo, benchmarks, identifiers'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4, which carries an IPv4 address'],
  ['3fff::', 20, 'documentation'],
] as const;

/** These addresses stand for an IPv4 address and are as public as that: mapped ones, and those of translators (NAT64). */
const carriers6 = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
] as const;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const within = (address: Address, [range, bits]: readonly [string, number, ...unknown[]]): boolean =>
  address.match(ipaddr.parse(range), bits);

/** Whether a machine on the internet can have this IP address. A text that is not one is not public. */
export function isPublicIp(text: string): boolean {
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

const private4 = /^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const private6 = /^(?:::1$|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/;

/** Whether an IP address, in its canonical form, is of a private network, a link or this machine. It is asked of every request. */
export const isPrivateIp = (address: string): boolean => private4.test(address) || private6.test(address);

// Trusted proxies, as the operator lists them.

/** In the list of trusted proxies: every peer on the loopback interface. */
export const loopbackProxies = 'loopback';

/** The proxies of the list that stand there with their IP address or range. */
export const namedProxies = (proxies: readonly string[]): readonly string[] =>
  proxies.filter((one) => one !== loopbackProxies);

// Requests of this machine to itself.

/** Whether a host name, as a URL spells it, means this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Headers by which proxies say that they hand a request on. */
const proxyHeaders = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'],
  ...['cf-connecting-ip', 'x-client-ip', 'client-ip', 'x-cluster-client-ip'],
];

/**
 * Whether a request was meant for this machine, and is not one that a proxy on this machine passes on. A proxy that adds no header of
 * its own still asks for the public host name, so `Host` has to be loopback as well.
 */
export const isLocalRequest = (headers: Headers): boolean =>
  isForLoopback(headers) && proxyHeaders.every((name) => headers[name] === undefined);

/** The host name of the header `Host`, in lower case and without the port and brackets. */
export const requestedHost = ({ host }: Headers): string => hostnameOf(String(host ?? '').toLowerCase());

/** Whether a request asks for this machine by a loopback name. */
export function isForLoopback({ host }: Headers): boolean {
  const header = String(host ?? '');
  if (last.header !== header) last = { header, isLoopback: isLoopback(hostnameOf(header.toLowerCase())) };
  return last.isLoopback;
}

/** The last answer is kept, because nearly every request asks for the same host. */
let last = { header: '', isLoopback: false };

const hostnameOf = (header: string): string => header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
