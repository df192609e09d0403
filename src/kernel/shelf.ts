// A bounded place for things that stay true until a topic they depend on moves. The least used go first.

export interface Kept {
  readonly topics: ReadonlySet<string>;
  /** In bytes; may grow through `grow`. */
  size: number;
}

export interface ShelfFigures {
  /** Now. */
  readonly kept: number;
  readonly bytes: number;
  /** Dropped until now, because something they depend on was written. */
  readonly outdated: number;
  /** Dropped until now to make room. */
  readonly displaced: number;
}

export class Shelf<T extends Kept> {
  readonly #most: number;
  readonly #things = new Map<string, T>();
  readonly #byTopic = new Map<string, Set<string>>();
  #bytes = 0;
  #outdated = 0;
  #displaced = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  get figures(): ShelfFigures {
    return { kept: this.#things.size, bytes: this.#bytes, outdated: this.#outdated, displaced: this.#displaced };
  }

  get(key: string): T | undefined {
    return this.#things.get(key);
  }

  /** Marks it as the last used. */
  touch(key: string, thing: T): void {
    this.#things.delete(key);
    this.#things.set(key, thing);
  }

  put(key: string, thing: T): void {
    this.drop(key);
    this.#things.set(key, thing);
    for (const topic of thing.topics) {
      const keys = this.#byTopic.get(topic) ?? new Set();
      this.#byTopic.set(topic, keys.add(key));
    }
    this.#fill(thing.size);
  }

  /** Something was added to a thing; one that is gone by now does not count any more. */
  grow(key: string, thing: T, bytes: number): void {
    if (this.#things.get(key) !== thing) return;
    thing.size += bytes;
    this.#fill(bytes);
  }

  drop(key: string): void {
    const thing = this.#things.get(key);
    if (thing === undefined) return;
    this.#things.delete(key);
    this.#bytes -= thing.size;
    for (const topic of thing.topics) this.#byTopic.get(topic)?.delete(key);
  }

  /** Answers what is gone. */
  dropTopics(topics: ReadonlySet<string>): Map<string, T> {
    const gone = new Map<string, T>();
    for (const topic of topics)
      for (const key of this.#byTopic.get(topic) ?? []) {
        gone.set(key, this.#things.get(key)!);
        this.drop(key);
      }
    this.#outdated += gone.size;
    return gone;
  }

  #fill(bytes: number): void {
    this.#bytes += bytes;
    for (const key of this.#things.keys()) {
      if (this.#bytes <= this.#most) return;
      this.drop(key);
      this.#displaced += 1;
    }
  }
}
