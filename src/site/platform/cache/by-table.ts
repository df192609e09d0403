// What was looked up lately, by a text: true until a table it came from is written, by whichever process.
import { Lru } from '#lib/lru.ts';
import type { AnyStore } from '#store/store.ts';

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
