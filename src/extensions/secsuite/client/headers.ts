// Headers in which proxies write whose request they pass on: what they are called, and which addresses stand in them.
import { addressOf, type Block } from '../addresses/block.ts';

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
export const everyHeader: Readonly<Record<string, string>> = { ...forwarded, ...headers };

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
export function hopsIn(sent: Sent, name: string, separator: RegExp | ',' = /[,\s]+/): string[] {
  const value = [sent[name] ?? []].flat().join(',');
  if (value === '') return [];
  if (name === forwarded.HTTP_FORWARDED)
    return [...value.matchAll(forwardedFor)].map(([, hop = '']) => hop).slice(-mostHops);
  return value.split(separator).slice(-mostHops);
}

const forwardedFor = /(?:^|[;,\s])for=("[^"]{0,100}"|[^;,\s]{1,100})/gi;

/** The address that a hop names. Quotes, brackets and a port are left out. */
export function addressIn(hop: string): Block | undefined {
  const text = hop.trim();
  return addressOf(text) ?? addressOf(hostIn(text));
}

function hostIn(text: string): string {
  const bare = text.replace(/^"(.*)"$/, '$1');
  return /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? '';
}
