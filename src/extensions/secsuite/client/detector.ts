// Whose request it is, as managers set it: by the connection, or by a header of a proxy. It is asked of every request.
import { day, minute } from '#lib/spans.ts';
import type { Arrived, Clients, Detector } from '#site/identity/clients.ts';
import { derived } from '#site/platform/cache/snapshot.ts';
import type { Clock } from '#site/platform/clock.ts';
import { addressOf, type Block, blockOf, covers, type Family, written } from '../addresses/block.ts';
import type { Settings } from '../settings/types.ts';

/** By the name under which settings know it. */
export const headers = {
  HTTP_CF_CONNECTING_IP: 'cf-connecting-ip',
  HTTP_X_FORWARDED_FOR: 'x-forwarded-for',
  HTTP_X_REAL_IP: 'x-real-ip',
  HTTP_X_CLIENT_IP: 'x-client-ip',
  HTTP_CLIENT_IP: 'client-ip',
  HTTP_X_CLUSTER_CLIENT_IP: 'x-cluster-client-ip',
} as const;

const forwarded = { HTTP_FORWARDED: 'forwarded' } as const;

/** In the order in which they are believed. */
const everyHeader: Readonly<Record<string, string>> = { ...forwarded, ...headers };

export type Sent = Readonly<Record<string, string | string[] | undefined>>;

/** Of one of the six, as settings spell it or as it is sent. */
export function headerName(text: string): string | undefined {
  const name = text.toUpperCase().replaceAll('-', '_');
  const known: Readonly<Record<string, string>> = headers;
  return [name, `HTTP_${name}`].map((one) => (Object.hasOwn(known, one) ? known[one] : undefined)).find(Boolean);
}

/** Nobody stands behind more proxies. */
const mostHops = 50;

/** What the header says, the furthest from here first. Where it says nothing, the list is empty. */
function hopsIn(sent: Sent, name: string, separator: RegExp | ',' = /[,\s]+/): string[] {
  const value = [sent[name] ?? []].flat().join(',');
  if (value === '') return [];
  if (name === forwarded.HTTP_FORWARDED)
    return [...value.matchAll(forwardedFor)].map(([, hop = '']) => hop).slice(-mostHops);
  return value.split(separator).slice(-mostHops);
}

const forwardedFor = /(?:^|[;,\s])for=("[^"]{0,100}"|[^;,\s]{1,100})/gi;

/** The address that a hop names. Quotes, brackets and a port are left out. */
function addressIn(hop: string): Block | undefined {
  const text = hop.trim();
  return addressOf(text) ?? addressOf(hostIn(text));
}

function hostIn(text: string): string {
  const bare = text.replace(/^"(.*)"$/, '$1');
  return /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? '';
}

const blocks = (...texts: readonly string[]): Block[] => texts.map((text) => blockOf(text) as Block);

const within: Readonly<Record<Family, readonly Block[]>> = {
  4: blocks(
    ...['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12', '127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'],
    ...['0.0.0.0/8', '224.0.0.0/3'],
  ),
  6: blocks('::/127', 'fc00::/7', 'fe80::/10', 'ff00::/8'),
};

/** Whether an IP address is public: not of an internal network, and not reserved. */
export const isOutside = (address: Block | undefined): boolean =>
  address !== undefined && !within[address.family].some((block) => covers(block, address));

/** A header, and which of its IP addresses: so many from its end. Without a position, the last that fits. */
interface Place {
  readonly name: string;
  readonly position?: number;
  /** A check found the header in a request from a private IP address, so nobody else is believed. */
  readonly isFound?: true;
}

/** Where the address is looked for: in a header, where the house looks, or at the other end of the connection alone. */
export type Source = Place | 'house' | 'peer';

export const modes = ['automatic', 'security-check', 'manual', 'disabled'] as const;
export type Mode = (typeof modes)[number];

/** As the check of proxies found it, and keeps it. */
export interface Found {
  readonly name: string;
  readonly position_from_end: number;
}

type Trust = Pick<Clients, 'hasNamedProxies' | 'isTrusted'>;

interface Needs {
  readonly settings: Pick<Settings, 'of' | 'isReady'>;
  readonly clients: Trust;
  /** Told where a header is looked for, to see whether one comes that nobody believes. */
  readonly stray?: Pick<Stray, 'look'>;
}

export function createDetector({ settings, clients, stray }: Needs): Detector {
  /** Undefined until the settings are read. Before that the site answers nobody. */
  const sourceNow = derived(() => {
    if (!settings.isReady) return undefined;
    return sourceOf(settings.of('global'), settings.of('security-check-pro').ip_header);
  });
  const detect = (arrived: Arrived): string => {
    const source = sourceNow();
    if (source === undefined) return arrived.own();
    const address = addressBy(source, arrived, clients);
    stray?.look(arrived, source, address);
    return address;
  };
  return Object.assign(detect, { believesHeaders: () => typeof sourceNow() === 'object' });
}

export function sourceOf(
  { proxy, proxy_header: header }: { readonly proxy: Mode; readonly proxy_header: string },
  found: Found,
): Source {
  if (proxy === 'disabled') return 'peer';
  if (proxy === 'manual') return manual(header);
  return proxy === 'security-check' ? placeOf(found) : 'house';
}

function manual(header: string): Source {
  const name = headerName(header);
  return name === undefined ? 'house' : { name };
}

/** Nothing was found where it has no name. */
export function placeOf({ name, position_from_end: position }: Found): Source {
  if (!Object.hasOwn(everyHeader, name)) return 'house';
  return { name: everyHeader[name]!, ...(position >= 0 && { position }), isFound: true };
}

/** If the operator lists IP addresses of proxies, only they are believed. */
export const isBelieved = (peer: string, { hasNamedProxies, isTrusted }: Trust): boolean =>
  !hasNamedProxies || isTrusted(peer);

const isBelievedAt = ({ isFound }: Place, peer: string, trust: Trust): boolean =>
  isBelieved(peer, trust) && (!isFound || trust.isTrusted(peer) || !isOutside(addressOf(peer)));

export function addressBy(source: Source, { peer, headers, own }: Arrived, trust: Trust): string {
  if (source === 'house') return own();
  if (source === 'peer' || !isBelievedAt(source, peer, trust)) return peer;
  const named = namedBy(source, headers).filter((one) => !trust.hasNamedProxies || !trust.isTrusted(written(one)));
  // Somebody outside, wherever they are named; else whoever is named at all.
  const outside = named.find(isOutside);
  if (outside !== undefined) return written(outside);
  const [first] = named;
  return first === undefined || isOutside(addressOf(peer)) ? peer || nobodys : written(first);
}

/** Whose it is where nobody says so. */
const nobodys = '127.0.0.1';

/** Those that may be meant, the likeliest first. */
function namedBy({ name, position }: Place, headers: Sent): Block[] {
  const hops =
    position === undefined ? hopsIn(headers, name, ',').reverse() : [hopsIn(headers, name).at(-1 - position) ?? ''];
  return hops.flatMap((hop) => addressIn(hop) ?? []);
}

/** There is no proxy: the other end of the connection is the visitor. */
export const none: Found = { name: '', position_from_end: -1 };

/** Nothing, where there are such headers and none of them tells. */
export function foundIn(
  peer: string,
  sent: Sent,
  trust: Pick<Clients, 'hasNamedProxies' | 'isTrusted'>,
): Found | undefined {
  const isProxy = trust.hasNamedProxies && trust.isTrusted(peer);
  if (!isProxy && (isOutside(addressOf(peer)) || !isBelieved(peer, trust))) return none;
  const present = Object.entries(everyHeader).filter(([, name]) => sent[name] !== undefined);
  for (const [name, header] of present) {
    const places = hopsIn(sent, header)
      .reverse()
      .flatMap((hop, at) => (isVisitor(addressIn(hop), trust) ? [at] : []));
    if (places.length === 1) return { name, position_from_end: places[0]! };
  }
  return present.length === 0 ? none : undefined;
}

const isVisitor = (address: Block | undefined, { isTrusted }: Pick<Clients, 'isTrusted'>): boolean =>
  address !== undefined && isOutside(address) && !isTrusted(written(address));

/** Headers of proxies that nobody believes: the operator should name the proxy, or all visitors have its address. */
interface Seen {
  /** As it is sent. */
  readonly header: string;
  readonly peer: string;
  readonly at: number;
}

export interface Stray {
  /** `address`: the IP address that the site takes for the client's. */
  look(arrived: Pick<Arrived, 'peer' | 'headers'>, source: Source, address: string): void;
  /** The last one that came to this process within a day. */
  last(): Seen | undefined;
}

interface StrayDeps {
  readonly clock: Clock;
  readonly clients: Pick<Clients, 'hasNamedProxies' | 'isTrusted'>;
}

const names = Object.values(everyHeader);

export function createStray({ clock, clients }: StrayDeps): Stray {
  let seen: Seen | undefined;
  const isFresh = (span: number): boolean => seen !== undefined && clock().getTime() - seen.at < span;
  return {
    look({ peer, headers }, source, address) {
      const header = names.find((name) => headers[name] !== undefined);
      if (header === undefined || isFresh(minute)) return;
      const isByHeader = clients.hasNamedProxies ? clients.isTrusted(peer) : typeof source === 'object';
      const isBelieved = isByHeader || address !== peer;
      // Anybody outside sends what they like: that says nothing of a proxy.
      if (!isBelieved && !isOutside(addressOf(peer))) seen = { header, peer, at: clock().getTime() };
    },
    last: () => (isFresh(day) ? seen : undefined),
  };
}
