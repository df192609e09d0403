import type { CompiledQuery } from 'kysely';
import { Lru } from '#lib/lru.ts';
import type { Engine, Log, Look, Run } from './engine.ts';
import { readingHandle, writingHandle } from './handles.ts';

export interface ChangesTable {
  topic: string;
  counter: number;
}

export type Listener = (topics: ReadonlySet<string>) => void;

/** What was written, by topic (the name of the table). Whoever keeps answers drops them by this and never by time. */
export interface Changes {
  /** The topic's counter as this process knows it: behind another process by less than a second, never behind our own writes. */
  at(topic: string): number;

  /** Whether word of what other processes write arrives just now. While it does not, nothing may be taken for current. */
  readonly isCurrent: boolean;

  /** Calls the listener after each commit, ours or another process's, with the topics written. Returns how to stop. */
  watch(listener: Listener): () => void;
}

export class ChangeCounters implements Changes, Look {
  readonly #read: Run;
  readonly #engine: Engine;
  readonly #log: Log;
  readonly #listeners = new Set<Listener>();
  readonly #bumps = new Lru<string, CompiledQuery>(500);
  #heard = 0;
  #deaf = false;
  #known = new Map<string, number>();

  constructor(engine: Engine, log: Log) {
    this.#engine = engine;
    this.#read = engine.read;
    this.#log = log;
  }

  get isCurrent(): boolean {
    return !this.#deaf;
  }

  deaf(): void {
    this.#deaf = true;
  }

  at(topic: string): number {
    return this.#known.get(topic) ?? 0;
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async load(): Promise<void> {
    this.#known = await this.#stored();
  }

  /** The last statement of a write. Sorted, so that two writers take the rows in the same order and never wait for each other in a ring. */
  async bump(run: Run, topics: Iterable<string>): Promise<Map<string, number>> {
    const sorted = [...topics].sort();
    if (sorted.length === 0) return new Map();
    const { rows } = await run(this.#bumping(sorted));
    const counters = new Map((rows as ChangesTable[]).map(({ topic, counter }) => [topic, counter]));
    await this.#engine.tell(run, counters);
    return counters;
  }

  // Every write ends with it, so it is built once for each set of topics.
  #bumping(topics: string[]): CompiledQuery {
    const key = topics.join();
    const known = this.#bumps.get(key);
    if (known) return known;
    const query = writingHandle<{ changes: ChangesTable }>(this.#engine, this.#read)
      .insertInto('changes')
      .values(topics.map((topic) => ({ topic, counter: 1 })))
      .onConflict((on) => on.column('topic').doUpdateSet((row) => ({ counter: row('changes.counter', '+', 1) })))
      .returning(['topic', 'counter'])
      .compile();
    this.#bumps.set(key, query);
    return query;
  }

  /** Counters that moved, from our own commit or as another process told: those we knew already are no news. */
  heard(counters: ReadonlyMap<string, number>): void {
    const news = new Set<string>();
    for (const [topic, counter] of counters) {
      if (counter <= this.at(topic)) continue;
      this.#known.set(topic, counter);
      this.#heard += 1;
      news.add(topic);
    }
    this.#announce(news);
  }

  async again(): Promise<void> {
    try {
      let stored: Map<string, number>;
      let heard: number;
      do {
        heard = this.#heard;
        stored = await this.#stored();
      } while (heard !== this.#heard); // what was read may be older than what was heard meanwhile
      this.#differing(stored);
      this.#deaf = false;
    } catch (error) {
      this.#log.warn({ err: error }, 'The change counters could not be read; they will be at the next look.');
    }
  }

  // Here a lower counter is news too: the database may have been put back to an older state.
  #differing(stored: Map<string, number>): void {
    const news = new Set<string>();
    for (const topic of new Set([...stored.keys(), ...this.#known.keys()])) {
      if ((stored.get(topic) ?? 0) !== this.at(topic)) news.add(topic);
    }
    this.#known = stored;
    this.#announce(news);
  }

  async #stored(): Promise<Map<string, number>> {
    const db = readingHandle<{ changes: ChangesTable }>(this.#engine, this.#read);
    const rows = await db.selectFrom('changes').select(['topic', 'counter']).execute();
    return new Map(rows.map(({ topic, counter }) => [topic, counter]));
  }

  #announce(topics: ReadonlySet<string>): void {
    if (topics.size === 0) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(topics);
      } catch (error) {
        this.#log.error({ err: error }, 'Somebody who watches for changes failed.');
      }
    }
  }
}
