// A database of addresses in a file: opened when somebody first asks, and anew when there is another file.
import { Reader } from 'maxmind';
import type { Log } from '#store/engine.ts';
import { inParts, type Location, locationOf, membersOf, plainly } from './location.ts';

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
      log.warn({ err: error }, 'A database of addresses cannot be read, so none is taken from it.');
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
    log.warn({ err: error }, 'A database of addresses is broken.');
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
