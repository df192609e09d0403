// Records as anybody gets them, remembered once they were written out. One is known by its number and its version, which moves
// with all that is its own; what else it shows, it shares with others, and a word of a change to that forgets them all.
import type { Face } from '#kernel/faces.ts';
import { Telling, type Told } from '#kernel/told.ts';
import { type Cached, TopicCache } from '#kernel/topic-cache.ts';
import { Lru } from '#lib/lru.ts';
import type { AnyStore } from '#store/store.ts';

// What was looked up lately, by a text: true until a table it came from is written, by whichever process.

interface CacheOptions<V> {
  /** The tables it comes from. */
  readonly tables: readonly string[];
  readonly most: number;
  /** What is not there is looked for again each time, so that strangers fill nothing. */
  load(key: string): Promise<V | undefined>;
}

/** At once when it is known, else when it is found. */
type Lookup<V> = (key: string) => V | undefined | Promise<V | undefined>;

export function cachedByTable<V>(
  { changes, readBefore }: Pick<AnyStore, 'changes' | 'readBefore'>,
  { tables, most, load }: CacheOptions<V>,
): Lookup<V> {
  const known = new Lru<string, V>(most);
  let writes = 0;
  changes.watch((written) => {
    if (!tables.some((table) => written.has(table))) return;
    writes += 1;
    known.clear();
  });
  const find = async (key: string): Promise<V | undefined> => {
    const before = writes;
    const found = await load(key);
    if (found !== undefined && before === writes && changes.isCurrent) known.set(key, found);
    return found;
  };
  return (key) => {
    const value = changes.isCurrent ? known.get(key) : undefined;
    if (value === undefined) return find(key);
    // What is answered from memory rests on these tables no less.
    readBefore(tables);
    return value;
  };
}

/** Said inside a process when its set of extensions changed, because cached values may come from the former set. */
export const membersTopic = 'members';

export interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** `rests`: topics besides those that all records rest on. */
interface Typed extends Versioned {
  readonly type: string;
  readonly rests: readonly string[];
}

/** What one record can differ in without a new version. */
export interface RecordForm {
  readonly face: Face;
  /** The names of the fields that extensions add: a request that began before one was turned off still has its field. */
  readonly added: string;
}

export interface ToldRecords {
  /** As they were told before in this form, where they are known. */
  known(form: RecordForm, records: readonly Versioned[]): (Told | undefined)[];
  /** What these records are made from must be looked up after this was asked. */
  telling(form: RecordForm): <Row extends Typed>(row: Row) => Telling<Row>;
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
    known(form, records) {
      if (!changes.isCurrent) return records.map(() => undefined);
      // What is answered from memory rests on these tables no less.
      readBefore(tables);
      return records.map((record) => {
        const key = keyOf(form, record);
        const known = cache.get(key);
        if (known === undefined) return undefined;
        cache.touch(key, known);
        readBefore(known.rests);
        return known.told;
      });
    },
    telling: (form) => {
      const since = cache.moment;
      return (row) =>
        new Telling(row, (told) => {
          const { rests } = row;
          const all = rests.length === 0 ? topics : new Set([...shared, ...rests]);
          const entry = { told, topics: all, rests, size: told.json.length + overhead };
          if (cache.put(keyOf(form, row), entry, since))
            read.getOrInsertComputed(row.type, () => new Set()).add(form.face);
        });
    },
    facesOf: (type) => [...(read.get(type) ?? [])],
  };
}

const keyOf = ({ face, added }: RecordForm, { id, version }: Versioned): string => `${face} ${id} ${version} ${added}`;
