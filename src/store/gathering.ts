// What one answer looks up by number, for many records at the same time, is looked up together, and once.
import type { Ambient } from '#lib/ambient.ts';

type Found<V> = Map<number, V>;

/** Rows, or what is made of them, by number; what is not there is left out. The same for everybody who asks. */
export type LoadMany<V> = (ids: readonly number[]) => Promise<Found<V>>;

export interface GatheringFacts {
  readonly gathering: Gathering | undefined;
}

/** Gathers across all that the work awaits, and no longer than it lasts; work inside it gathers with it. */
export class Gatherings {
  readonly #ambient: Ambient<GatheringFacts>;
  readonly #underWay = new Set<Gathering>();

  constructor(ambient: Ambient<GatheringFacts>) {
    this.#ambient = ambient;
  }

  async around<R>(work: () => Promise<R>): Promise<R> {
    if (this.#now() !== undefined) return work();
    const gathering = new Gathering();
    this.#underWay.add(gathering);
    try {
      return await this.#ambient.with({ gathering }, work);
    } finally {
      this.#underWay.delete(gathering);
    }
  }

  /** What was begun by an answer and outlives it asks for itself. */
  #now(): Gathering | undefined {
    const { gathering } = this.#ambient.now;
    return gathering !== undefined && this.#underWay.has(gathering) ? gathering : undefined;
  }

  /** A write looks at what is there now. */
  apart<R>(work: () => Promise<R>): Promise<R> {
    return this.#ambient.with({ gathering: undefined }, work);
  }

  /** Something was written: from here on all of it is looked up again. */
  forget(): void {
    for (const gathering of this.#underWay) gathering.forget();
  }

  gathered<V>(load: LoadMany<V>): LoadMany<V> {
    const key = {};
    return async (ids) => {
      const gathering = this.#now();
      return gathering === undefined ? load(ids) : gathering.questions(key, load).ask(ids);
    };
  }
}

class Gathering {
  readonly #questions = new Map<object, Questions<unknown>>();

  questions<V>(key: object, load: LoadMany<V>): Questions<V> {
    const known = this.#questions.get(key) as Questions<V> | undefined;
    if (known !== undefined) return known;
    const questions = new Questions(load);
    this.#questions.set(key, questions as Questions<unknown>);
    return questions;
  }

  forget(): void {
    this.#questions.clear();
  }
}

interface Batch<V> {
  readonly ids: number[];
  readonly found: Promise<Found<V>>;
}

class Questions<V> {
  readonly #load: LoadMany<V>;
  readonly #batches = new Map<number, Batch<V>>();
  #next: Batch<V> | undefined;

  constructor(load: LoadMany<V>) {
    this.#load = load;
  }

  async ask(ids: readonly number[]): Promise<Found<V>> {
    const batches = ids.map((id) => this.#batchOf(id));
    const loaded = await Promise.all(batches.map(({ found }) => found));
    const found: Found<V> = new Map();
    for (const [at, id] of ids.entries()) if (loaded[at]!.has(id)) found.set(id, loaded[at]!.get(id)!);
    return found;
  }

  #batchOf(id: number): Batch<V> {
    const known = this.#batches.get(id);
    if (known !== undefined) return known;
    this.#next ??= this.#begin();
    this.#next.ids.push(id);
    this.#batches.set(id, this.#next);
    return this.#next;
  }

  /** Once all that can ask now has asked. */
  #begin(): Batch<V> {
    const ids: number[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    const found = promise.then(() => {
      this.#next = undefined;
      return this.#load(ids);
    });
    return { ids, found };
  }
}
