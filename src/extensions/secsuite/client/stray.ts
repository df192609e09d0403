// Headers of proxies that nobody believes: whoever runs the site should say that there is a proxy, or everybody has its address.
import { day, minute } from '#lib/spans.ts';
import type { Arrived, Clients } from '#site/identity/clients.ts';
import type { Clock } from '#site/platform/clock.ts';
import { addressOf } from '../addresses/block.ts';
import { everyHeader } from './headers.ts';
import type { Source } from './source.ts';
import { isOutside } from './source.ts';

interface Seen {
  /** As it is sent. */
  readonly header: string;
  readonly peer: string;
  readonly at: number;
}

export interface Stray {
  look(arrived: Pick<Arrived, 'peer' | 'headers'>, source: Source): void;
  /** The last one that came to this process within a day. */
  last(): Seen | undefined;
}

interface Needs {
  readonly clock: Clock;
  readonly clients: Pick<Clients, 'hasTrusted' | 'isTrusted'>;
}

const names = Object.values(everyHeader);

export function createStray({ clock, clients }: Needs): Stray {
  let seen: Seen | undefined;
  const isFresh = (span: number): boolean => seen !== undefined && clock().getTime() - seen.at < span;
  return {
    look({ peer, headers }, source) {
      const header = names.find((name) => headers[name] !== undefined);
      if (header === undefined || isFresh(minute)) return;
      const isBelieved = clients.hasTrusted ? clients.isTrusted(peer) : typeof source === 'object';
      // Anybody outside sends what they like: that says nothing of a proxy.
      if (!isBelieved && !isOutside(addressOf(peer))) seen = { header, peer, at: clock().getTime() };
    },
    last: () => (isFresh(day) ? seen : undefined),
  };
}
