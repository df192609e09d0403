// Records as anybody gets them, remembered once they were written out. One is known by its number and its version, which moves
// with all that is its own; what else it shows, it shares with others, and a word of a change to that forgets them all.
import type { Face } from '#kernel/faces.ts';
import { Telling, type Told } from '#kernel/told.ts';
import { type Cached, TopicCache } from '#kernel/topic-cache.ts';
import type { AnyStore } from '#store/store.ts';

export interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** `shown`: what it rests on besides what all rest on. */
interface Typed extends Versioned {
  readonly type: string;
  readonly shown: { readonly rests: readonly string[] };
}

export interface ToldRecords {
  /** As they were told before, where they are known, on this face. */
  known(face: Face, records: readonly Versioned[]): (Told | undefined)[];
  /** What these records are made from must be looked up after this was asked. */
  telling(face: Face): <Row extends Typed>(row: Row) => Telling<Row>;
  /** The faces on which records of this type are read, and remembered. */
  facesOf(type: string): Face[];
}

export interface ToldFrom {
  /** All that a record may be made from. */
  readonly tables: readonly string[];
  /** What moves when something changes that a record shares with others. */
  readonly shared: readonly string[];
}

interface Remembered extends Cached {
  readonly told: Told;
  readonly rests: readonly string[];
}

const maxBytes = 32 * 1024 * 1024;
/** Besides its text. */
const overhead = 400;

export function createToldRecords(
  { changes, readBefore }: Pick<AnyStore, 'changes' | 'readBefore'>,
  { tables, shared }: ToldFrom,
): ToldRecords {
  const topics = new Set(shared);
  const read = new Map<string, Set<Face>>();
  const cache = new TopicCache<Remembered>(changes, {
    maxBytes,
    onNews(written) {
      if (!topics.isDisjointFrom(written)) read.clear();
    },
  });
  return {
    known(face, records) {
      if (!changes.isCurrent) return records.map(() => undefined);
      // What is answered from memory rests on these tables no less.
      readBefore(tables);
      return records.map((record) => {
        const key = keyOf(face, record);
        const known = cache.get(key);
        if (known === undefined) return undefined;
        cache.touch(key, known);
        readBefore(known.rests);
        return known.told;
      });
    },
    telling: (face) => {
      const since = cache.moment;
      return (row) =>
        new Telling(row, (told) => {
          const { rests } = row.shown;
          const all = rests.length === 0 ? topics : new Set([...shared, ...rests]);
          const entry = { told, topics: all, rests, size: told.json.length + overhead };
          if (cache.put(keyOf(face, row), entry, since)) read.getOrInsertComputed(row.type, () => new Set()).add(face);
        });
    },
    facesOf: (type) => [...(read.get(type) ?? [])],
  };
}

const keyOf = (face: Face, { id, version }: Versioned): string => `${face} ${id} ${version}`;
