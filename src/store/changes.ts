import type { CompiledQuery } from 'kysely';
import { Lru } from '#lib/lru.ts';
import type { Counter, Engine, Log, Look, Run } from './engine.ts';
import { readingHandle, writingHandle } from './handles.ts';

interface Tables {
  changes: Counter;
}

export type Listener = (topics: ReadonlySet<string>) => void;

/** What was written, by topic (the name of the table). Whoever keeps answers drops them by this and never by time. */
export interface Changes {
  /** How often the topic was written, as this process knows it: behind another process by less than a second, never behind our own writes. */
  at(topic: string): number;

  /** Whether word of what other processes write arrives just now. While it does not, nothing may be taken for current. */
  readonly isCurrent: boolean;

  /** Word that is no table's: what is remembered and rests on these topics is not true any more. Heard in this process alone. */
  say(topics: Iterable<string>): void;

  /** Calls the listener after each commit, ours or another process's, with the topics written. Returns how to stop. */
  watch(listener: Listener): () => void;
}

/**
 * A topic's counter is the sum over its slots. Each slot is known by itself: a sum could not tell our own commit, read before it was
 * acknowledged, from somebody else's.
 */
export class ChangeCounters implements Changes, Look {
  readonly #engine: Engine;
  readonly #log: Log;
  readonly #listeners = new Set<Listener>();
  readonly #bumps = new Lru<string, CompiledQuery>(500);
  readonly #known = new Known();
  #deaf = true;
  #deafness = 0;

  constructor(engine: Engine, log: Log) {
    this.#engine = engine;
    this.#log = log;
  }

  get isCurrent(): boolean {
    return !this.#deaf;
  }

  deaf(): void {
    this.#deaf = true;
    this.#deafness += 1;
  }

  at(topic: string): number {
    return this.#known.sumOf(topic);
  }

  say(topics: Iterable<string>): void {
    this.#tell(new Set(topics));
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The last statement of a write. Sorted, so that two writers take the rows in the same order and never wait for each other in a ring. */
  bump(topics: readonly string[]): CompiledQuery | undefined {
    if (topics.length === 0) return undefined;
    const sorted = [...topics].sort();
    const key = JSON.stringify(sorted);
    const known = this.#bumps.get(key);
    if (known) return known;
    const query = this.#bumping(sorted);
    this.#bumps.set(key, query); // every write ends with it, so it is built once for each set of topics
    return query;
  }

  #bumping(topics: readonly string[]): CompiledQuery {
    const { slot } = this.#engine;
    return writingHandle<Tables>(this.#engine, this.#engine.read)
      .insertInto('changes')
      .values(topics.map((topic) => ({ topic, slot, counter: 1 })))
      .onConflict((on) =>
        on.columns(['topic', 'slot']).doUpdateSet((row) => ({ counter: row('changes.counter', '+', 1) })),
      )
      .returning(['topic', 'slot', 'counter'])
      .compile();
  }

  /** A write of ours is durable: its news is out here before anybody can ask, and soon everywhere. */
  moved(counters: readonly Counter[]): void {
    if (counters.length === 0) return;
    this.heard(counters);
    this.#engine.tell(counters);
  }

  /** Counters that moved, from our own commit or as another process told: those we knew already are no news. */
  heard(counters: readonly Counter[]): void {
    this.#announce(counters.filter((one) => one.counter > this.#known.at(one)));
  }

  async again(run: Run = this.#engine.read): Promise<void> {
    const deafness = this.#deafness;
    const { total } = this.#known;
    // Every commit raises the total, so if it is what we knew before asking, nothing else needs reading.
    if ((await this.#total(run)) !== total) await this.#differing(run);
    if (deafness === this.#deafness) this.#deaf = false; // else it was too late
  }

  // A counter lower than it was before we read is news too: the database was put back to an older state. One lower only than it is
  // now was read before the commit that we heard of meanwhile.
  async #differing(run: Run): Promise<void> {
    const before = this.#known.all();
    const stored = await this.#stored(run);
    const read = new Known(stored);
    const fallen = before.filter((one) => read.at(one) < one.counter);
    const risen = stored.filter((one) => one.counter > this.#known.at(one));
    this.#announce([...risen, ...fallen.map((one) => ({ ...one, counter: read.at(one) }))]);
  }

  async #total(run: Run): Promise<number> {
    const db = readingHandle<Tables>(this.#engine, run);
    const { total } = await db
      .selectFrom('changes')
      .select((of) => of.fn.sum<number | null>('counter').as('total'))
      .executeTakeFirstOrThrow();
    return total ?? 0;
  }

  #stored(run: Run): Promise<Counter[]> {
    return readingHandle<Tables>(this.#engine, run)
      .selectFrom('changes')
      .select(['topic', 'slot', 'counter'])
      .execute();
  }

  #announce(news: readonly Counter[]): void {
    if (news.length === 0) return;
    for (const one of news) this.#known.set(one);
    this.#tell(new Set(news.map(({ topic }) => topic)));
  }

  #tell(topics: ReadonlySet<string>): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(topics);
      } catch (error) {
        this.#log.error({ err: error }, 'A listener for database changes failed.');
      }
    }
  }
}

class Known {
  readonly #topics = new Map<string, Map<number, number>>();

  constructor(counters: readonly Counter[] = []) {
    for (const one of counters) this.set(one);
  }

  at({ topic, slot }: Counter): number {
    return this.#topics.get(topic)?.get(slot) ?? 0;
  }

  set({ topic, slot, counter }: Counter): void {
    const slots = this.#topics.get(topic) ?? new Map<number, number>();
    this.#topics.set(topic, slots.set(slot, counter));
  }

  sumOf(topic: string): number {
    return (this.#topics.get(topic)?.values() ?? [].values()).reduce((sum, counter) => sum + counter, 0);
  }

  get total(): number {
    return [...this.#topics.keys()].reduce((sum, topic) => sum + this.sumOf(topic), 0);
  }

  all(): Counter[] {
    return [...this.#topics].flatMap(([topic, slots]) =>
      [...slots].map(([slot, counter]) => ({ topic, slot, counter })),
    );
  }
}
