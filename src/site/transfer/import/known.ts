// What became of the records and files of the other site. It is kept in the database, for there may be more of them than anybody
// remembers; and what came another time is known, too.
import { createHash } from 'node:crypto';
import type { Reads } from '#store/handles.ts';
import { addressKey, pageBehind } from './addresses.ts';
import type { ArrivedKeysTable, MovingStore, Writing } from './tables.ts';
import type { TheirRecord } from './theirs.ts';

type Named = Pick<TheirRecord, 'id' | 'type' | 'file_url' | 'link' | 'guid'>;

/** One of theirs, and its number here. */
export interface Pair {
  readonly theirs: Named;
  readonly id: number;
}

export interface Known {
  /** In the write that makes them. The first that has a number or an address there keeps it until another move brings another. */
  keep(tx: Writing, pairs: readonly Pair[]): Promise<void>;
  /** Where nothing is written. */
  suppose(pairs: readonly Pair[]): void;
  /** Numbers there to those here. */
  records(theirs: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Addresses of files there, as `addressKey` makes them, to the numbers of their records here. */
  files(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Addresses of pages there, whatever their form, to the numbers of their records here. */
  pages(addresses: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** `source`: the address of the other site. Of sites that say none, nobody could tell one from the other: each move is one of its own. */
export function createKnown(db: Reads<MovingStore>, source: string, at: Date): Known {
  const run = at.getTime();
  const place = source || `#${run}`;
  const supposed = new Map<string, number>();

  const find = async (keys: readonly string[]): Promise<Map<string, number>> => {
    const found = new Map<string, number>();
    for (let from = 0; from < keys.length; from += atOnce) {
      const some = keys.slice(from, from + atOnce);
      const rows = db.selectFrom('arrived_keys').select(['key', 'post_id']).where('source', '=', place);
      for (const { key, post_id } of await rows.where('key', 'in', some).execute()) found.set(key, post_id);
    }
    for (const key of supposed.size === 0 ? [] : keys) if (supposed.has(key)) found.set(key, supposed.get(key)!);
    return found;
  };

  const lookUp = async <T>(asked: readonly T[], keyOf: (one: T) => string): Promise<Map<T, number>> => {
    const keys = new Map([...new Set(asked)].map((one) => [one, keyOf(one)]));
    const found = await find([...keys.values()].filter(Boolean));
    return new Map([...keys].flatMap(([one, key]) => (found.has(key) ? [[one, found.get(key)!]] : [])));
  };

  return {
    async keep(tx, pairs) {
      const rows: ArrivedKeysTable[] = [...keyed(pairs, source)].map(([key, post_id]) => ({
        source: place,
        key,
        post_id,
        run,
      }));
      // In one order, so that two who write the same ones never wait in a ring.
      rows.sort((one, other) => (one.key < other.key ? -1 : 1));
      for (let from = 0; from < rows.length; from += atOnce)
        await tx
          .insertInto('arrived_keys')
          .values(rows.slice(from, from + atOnce))
          .onConflict((on) =>
            on
              .columns(['source', 'key'])
              .doUpdateSet({ post_id: (row) => row.ref('excluded.post_id'), run })
              .where('arrived_keys.run', '<>', run),
          )
          .execute();
    },
    suppose: (pairs) => {
      for (const [key, id] of keyed(pairs, source))
        if (supposed.size < mostSupposed && !supposed.has(key)) supposed.set(key, id);
    },
    records: (theirs) => lookUp(theirs, numberKey),
    files: (keys) => lookUp(keys, fileKey),
    pages: (addresses) => lookUp(addresses, (address) => pageKey(pageBehind(address, source))),
  };
}

const atOnce = 400;
const mostSupposed = 100_000;

const numberKey = (id: number): string => (Number.isSafeInteger(id) && id > 0 ? `${id}` : '');

/** Addresses may be longer than an index takes. */
const hashed = (sign: string, key: string): string =>
  key === '' ? '' : `${sign}${createHash('sha256').update(key).digest('base64url')}`;

const fileKey = (key: string): string => hashed('f', key);

const pageKey = (page: number | string | undefined): string =>
  typeof page === 'number' ? numberKey(page) : hashed('p', page ?? '');

/** What it says of its own address counts for more than its name for all the world, which others may share. */
function keyed(pairs: readonly Pair[], source: string): Map<string, number> {
  const keys = new Map<string, number>();
  const add = (key: string, id: number): void => {
    if (key !== '' && !keys.has(key)) keys.set(key, id);
  };
  for (const { theirs, id } of pairs) {
    add(numberKey(theirs.id), id);
    add(fileKey(addressKey(theirs.file_url)), id);
    add(ownPage(theirs.link, source), id);
  }
  // That of a file is the address of the file.
  for (const { theirs, id } of pairs) if (theirs.type !== 'attachment') add(ownPage(theirs.guid, source), id);
  return keys;
}

/** Numbers are told by nothing but themselves. */
function ownPage(address: string, source: string): string {
  const page = pageBehind(address, source);
  return typeof page === 'number' ? '' : pageKey(page);
}
