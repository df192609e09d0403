// Where in the world an address is: by the operator's own database, the operator's own service, or the database that comes along.
// The database is a file, opened when it is first needed and again when there is another file.

import ipaddr from 'ipaddr.js';
import { Reader } from 'maxmind';
import { defineError } from '#kernel/problem.ts';
import { isPublicIp } from '#lib/ip-address.ts';
import { Lru } from '#lib/lru.ts';
import { day } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import { addressOf, written } from '../../addresses/block.ts';
import { inParts, type Location, locationOf, membersOf, plainly } from './location.ts';

export const geolocationErrors = {
  invalidIp: defineError(400, 'secsuite_geolocate_invalid_ip', '`ip` must be a valid IP address.'),
  privateIp: defineError(400, 'secsuite_geolocate_private_ip', 'Private IP addresses have no location.'),
  unknownLocation: defineError(404, 'secsuite_geolocation_not_found', 'The location of this IP address is not known.'),
};

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
      if (address === undefined) throw geolocationErrors.invalidIp();
      if (inside.includes(ipaddr.parse(address).range())) throw geolocationErrors.privateIp();
      const location = await find(address);
      if (location !== undefined) return location;
      throw geolocationErrors.unknownLocation();
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

/** Where the file comes from. */
export interface Source {
  /** Another whenever the file is another; nothing where there is none. */
  stamp(): Promise<string | undefined>;
  bytes(): Promise<Buffer>;
}

export interface Database {
  find(address: string): Promise<Location | undefined>;
}

interface Opened {
  readonly stamp: string;
  readonly reader: Promise<Reader<object> | undefined>;
}

export function createDatabase(source: Source, log: Pick<Log, 'warn'>): Database {
  let opened: Opened | undefined;
  const open = async (before: Opened | undefined): Promise<Reader<object> | undefined> => {
    try {
      return new Reader<object>(await source.bytes());
    } catch (error) {
      log.warn({ err: error }, 'A location database could not be read.');
      return before?.reader;
    }
  };
  const readerNow = async (): Promise<Reader<object> | undefined> => {
    const stamp = await source.stamp();
    if (stamp === undefined) opened = undefined;
    else if (opened?.stamp !== stamp) opened = { stamp, reader: open(opened) };
    return opened?.reader;
  };
  return {
    async find(address) {
      const reader = await readerNow();
      return reader && locationIn(reader, address, log);
    },
  };
}

function locationIn(reader: Reader<object>, address: string, log: Pick<Log, 'warn'>): Location | undefined {
  try {
    const said = membersOf(reader.get(address));
    const known = typeof said.country_code === 'string' ? plainly(said) : inParts(said);
    return locationOf(known, credited(String(reader.metadata.databaseType)));
  } catch (error) {
    log.warn({ err: error }, 'A location database is damaged.');
    return undefined;
  }
}

/** Whom the makers of a database ask to be named. */
const credits: readonly (readonly [RegExp, string])[] = [
  [/^country ipv/i, 'Countries of addresses: ip-location-db, after the Number Resource Organization (CC BY 4.0).'],
  [/^GeoLite2/i, 'This product includes GeoLite2 data created by MaxMind, available from https://www.maxmind.com.'],
  [/^DBIP/i, 'IP geolocation by DB-IP, https://db-ip.com (CC BY 4.0).'],
];

const credited = (type: string): string => credits.find(([maker]) => maker.test(type))?.[1] ?? '';
