// The IP address of the client: that of the peer, or, behind trusted proxies, the one that they saw. Nothing else is ever believed of
// a forwarding header.
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { loopbackProxies, namedProxies } from '#lib/ip-address.ts';

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;
export type ClientOf = (message: Came) => string;

/** What is looked at of a message. */
export interface Came {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Path and query. */
  readonly url?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const loopbackRanges = ['127.0.0.0/8', '::1'] as const;

const rangesOf = (proxies: readonly string[]): readonly string[] =>
  proxies.flatMap((one) => (one === loopbackProxies ? loopbackRanges : [one]));

/**
 * `proxies`: IP addresses and ranges, checked when the configuration was read, and `loopback`. `believesLoopback` is asked about a peer
 * that only `loopback` trusts.
 */
export function clientAddresses(
  proxies: readonly string[],
  believesLoopback: (message: Came) => boolean = () => true,
): ClientOf {
  if (proxies.length === 0) return peerOf;
  const isTrusted = within(rangesOf(proxies));
  const isNamed = within(namedProxies(proxies));
  return (message) => {
    const peer = peerOf(message);
    if (message.headers['x-forwarded-for'] === undefined) return peer;
    let client = parsed(peer);
    if (client === undefined || !isTrusted(client) || (!isNamed(client) && !believesLoopback(message))) return peer;
    for (const hop of hopsOf(message).reverse()) {
      if (!isTrusted(client)) break;
      const seen = parsed(hostIn(hop));
      if (seen === undefined) break;
      client = seen;
    }
    return client.toString();
  };
}

/** Whether an IP address is among them. */
export function trusting(proxies: readonly string[]): (address: string) => boolean {
  const isTrusted = within(rangesOf(proxies));
  return (address) => {
    const one = parsed(address);
    return one !== undefined && isTrusted(one);
  };
}

function within(trusted: readonly string[]): (address: Parsed) => boolean {
  const ranges = trusted.map(rangeOf);
  return (address) =>
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network as ipaddr.IPv4, bits));
}

export function peerOf(message: Came): string {
  const address = message.socket.remoteAddress ?? '';
  // What a socket says of an IPv4 peer is in its one form already; this is asked on every request.
  return isIPv4(address) ? address : (parsed(address)?.toString() ?? '');
}

/** The IP addresses that X-Forwarded-For names, the client first. */
export const hopsOf = (message: Pick<Came, 'headers'>): string[] =>
  [message.headers['x-forwarded-for'] ?? '']
    .flat()
    .join(',')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean);

/** Some proxies add the port of the client: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const hostIn = (hop: string): string =>
  /^"?\[([^\]]*)\](?::\d{1,5})?"?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;

/** An IPv4 address inside an IPv6 one is the IPv4 address. By which cable somebody came is no part of who it is. */
function parsed(text: string): Parsed | undefined {
  const bare = text.split('%', 1)[0]!;
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}

function rangeOf(text: string): [Parsed, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
