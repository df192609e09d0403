// Whose request it is: the peer, or, behind proxies that are trusted, the address they saw. Nothing else is ever believed of
// a forwarding header.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;
export type ClientOf = (message: Came) => string;

/** What is looked at of a message. */
export interface Came {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** `trusted`: addresses and ranges, checked when the configuration was read. */
export function clientAddresses(trusted: readonly string[]): ClientOf {
  if (trusted.length === 0) return peerOf;
  const isTrusted = within(trusted);
  return (message) => {
    let client = parsed(peerOf(message));
    for (const hop of hopsOf(message).reverse()) {
      if (client === undefined || !isTrusted(client)) break;
      const seen = parsed(hop);
      if (seen === undefined) break;
      client = seen;
    }
    return client?.toString() ?? '';
  };
}

/** Whether an address is among them. */
export function trusting(trusted: readonly string[]): (address: string) => boolean {
  const isTrusted = within(trusted);
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

const hopsOf = (message: Came): string[] =>
  [message.headers['x-forwarded-for'] ?? '']
    .flat()
    .join(',')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean);

/** An IPv4 address inside an IPv6 one is the IPv4 address. By which cable somebody came is no part of who it is. */
function parsed(text: string): Parsed | undefined {
  const bare = text.split('%', 1)[0]!;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

function rangeOf(text: string): [Parsed, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
