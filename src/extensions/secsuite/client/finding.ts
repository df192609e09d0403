// In which header the address of a visitor stands, by one request of somebody who is not within.
import type { Clients } from '#site/identity/clients.ts';
import { addressOf, type Block, written } from '../addresses/block.ts';
import { type Found, isBelieved } from './detector.ts';
import { addressIn, everyHeader, hopsIn, type Sent } from './headers.ts';
import { isOutside } from './source.ts';

/** There is no proxy: the other end of the connection is the visitor. */
export const none: Found = { name: '', position_from_end: -1 };

/** Nothing, where there are such headers and none of them tells. */
export function foundIn(peer: string, sent: Sent, trust: Pick<Clients, 'hasTrusted' | 'isTrusted'>): Found | undefined {
  const isProxy = trust.hasTrusted && trust.isTrusted(peer);
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
