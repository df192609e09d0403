// Where in the world an address is: by the operator's own database, the operator's own service, or the database that comes along.
import ipaddr from 'ipaddr.js';
import { Problem } from '#kernel/problem.ts';
import { isPublicIp } from '#lib/ip-address.ts';
import { Lru } from '#lib/lru.ts';
import { day } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import { addressOf, written } from '../../addresses/block.ts';
import type { Database } from './database.ts';
import type { Location } from './location.ts';

export interface Geolocation {
  /** Nothing where nobody knows it, or while it is switched off. */
  find(address: string): Promise<Location | undefined>;
  /** Refuses what is no public address, and what nobody knows. */
  get(address: string): Promise<Location>;
}

interface Needs {
  readonly clock: Clock;
  readonly isRunning: () => boolean;
  /** In the data folder. */
  readonly own: Database;
  /** That comes with the program. */
  readonly bundled: Database;
  readonly provider?: ((address: string) => Promise<Location | undefined>) | undefined;
}

/** What a service said is so for a while; a database is as quick as memory. */
const kept = { most: 5000, days: 14 };

export function createGeolocation({ clock, isRunning, own, bundled, provider }: Needs): Geolocation {
  const remembered = new Lru<string, { readonly location: Location; readonly until: number }>(kept.most);
  const underWay = new Map<string, Promise<Location | undefined>>();
  const elsewhere = async (address: string): Promise<Location | undefined> => {
    if (provider === undefined) return undefined;
    const now = clock().getTime();
    const known = remembered.get(address);
    if (known !== undefined && known.until > now) return known.location;
    const asking = underWay.get(address) ?? provider(address).finally(() => underWay.delete(address));
    underWay.set(address, asking); // a page of entries asks for the same address many times at once
    const location = await asking;
    if (location !== undefined) remembered.set(address, { location, until: now + kept.days * day });
    return location;
  };
  const find = async (text: string): Promise<Location | undefined> => {
    const address = known(text);
    if (!isRunning() || address === undefined || !isPublicIp(address)) return undefined;
    return (await own.find(address)) ?? (await elsewhere(address)) ?? bundled.find(address);
  };
  return {
    find,
    async get(text) {
      const address = known(text);
      if (address === undefined) throw new Problem(400, 'secsuite_geolocate_invalid_ip', 'This is no address.');
      if (inside.includes(ipaddr.parse(address).range()))
        throw new Problem(400, 'secsuite_geolocate_private_ip', 'A private address is nowhere in particular.');
      const location = await find(address);
      if (location !== undefined) return location;
      throw new Problem(404, 'secsuite_geolocation_not_found', 'Nobody knows where this address is.');
    },
  };
}

/** Of one's own network, of one's own machine, or of none. Others that are nobody's, as those for examples, are merely nowhere. */
const inside: readonly string[] = [
  'private',
  'uniqueLocal',
  'loopback',
  'linkLocal',
  'deprecatedSiteLocal',
  'unspecified',
  'carrierGradeNat',
  'broadcast',
  'multicast',
];

/** As the databases know it: an IPv4 address inside an IPv6 one is the IPv4 address. */
function known(text: string): string | undefined {
  const address = addressOf(text);
  return address && written(address);
}
