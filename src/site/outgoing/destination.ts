// Which addresses may be asked, and at which machines they are found. What is returned here is all that is ever connected to.
import { isIP } from 'node:net';
import { envOf } from '#config/settings.ts';
import { isPublicIp } from '#lib/ip-address.ts';
import type { Lookup } from './look-up.ts';
import { Upstream, unsafe } from './upstream.ts';

const longest = 4096;
const ports = [80, 443, 8080];

export const portOf = ({ port, protocol }: URL): number => {
  const standard = protocol === 'https:' ? 443 : 80;
  return port === '' ? standard : Number(port);
};

/** Without the brackets of IPv6. `URL` has already read every spelling of an address: `0x7f.1`, `２１３０７０６４３３`, `%31`. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** One of the hosts that are allowed, as `URL` spells it. */
export function allowed(hostAndPort: string): string {
  const url = new URL(`http://${hostAndPort}`);
  return `${url.hostname}:${portOf(url)}`;
}

/** The line of the environment that lets a site ask this address. */
export function allowingLine(url: string): string {
  const address = new URL(url);
  return `${envOf('fetchAllowHosts')}=${address.hostname}:${portOf(address)}`;
}

const isAllowed = (url: URL, allowHosts: readonly string[]): boolean =>
  allowHosts.includes(`${url.hostname}:${portOf(url)}`);

/** The address, read. Refused when its form alone says that it may not be asked. */
export function destination(text: string, allowHosts: readonly string[], base?: URL): URL {
  if (text.length > longest || !URL.canParse(text, base?.href)) throw unsafe();
  const url = new URL(text, base);
  const plain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!plain || (base?.protocol === 'https:' && url.protocol !== 'https:')) throw unsafe();
  if (!ports.includes(portOf(url)) && !isAllowed(url, allowHosts)) throw unsafe();
  return url;
}

/** Names that lead nowhere on the public web, whoever is asked for them. */
const nowhere = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa|test|invalid|onion)$/i;

/** Whether its form alone says that it is not on the public web. Nothing is looked up, and nothing the operator allows is told. */
export function isPlainlyUnsafe(text: string): boolean {
  try {
    const host = hostOf(destination(text, [])).replace(/\.$/, '');
    return isIP(host) ? !isPublicIp(host) : nowhere.test(host);
  } catch {
    return true;
  }
}

/** Where to connect to, the best first. One address that is not public refuses the name whole. */
export async function addressesOf(
  url: URL,
  { allowHosts, lookup }: { readonly allowHosts: readonly string[]; readonly lookup: Lookup },
  signal: AbortSignal,
): Promise<string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await lookedUp(host, lookup, signal);
  if (addresses.length === 0) throw unsafe();
  if (!isAllowed(url, allowHosts) && !addresses.every(isPublicIp)) throw unsafe();
  return firstOfEach(addresses);
}

async function lookedUp(name: string, lookup: Lookup, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await lookup(name, signal);
  } catch (error) {
    // The same as for a name inside the house, or anybody could ask which of those there are.
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') throw unsafe(error);
    throw new Upstream('unreachable', 'The host name of the URL cannot be looked up at the moment.', undefined, {
      cause: error,
    });
  }
}

/** The first of either family: where one does not work, the other may. */
const firstOfEach = (addresses: readonly string[]): string[] =>
  addresses.filter((address, at) => addresses.findIndex((other) => isIP(other) === isIP(address)) === at);
