interface Held<V> {
  readonly value: V;
  /** By the count of entries that were put last. */
  since: number;
}

/**
 * A map that holds so many entries and lets go of the one not asked for longest. One that is asked for is only moved where many others
 * were put behind it, because deleting from a `Map` and adding to it makes it copy itself again and again.
 */
export class Lru<K, V> {
  readonly #limit: number;
  readonly #many: number;
  readonly #entries = new Map<K, Held<V>>();
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#many = Math.floor(limit / 8);
  }

  get(key: K): V | undefined {
    const held = this.#entries.get(key);
    if (held !== undefined && this.#count - held.since > this.#many) this.#putLast(key, held);
    return held?.value;
  }

  set(key: K, value: V): void {
    this.#putLast(key, { value, since: 0 });
    if (this.#entries.size <= this.#limit) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  clear(): void {
    this.#entries.clear();
  }

  #putLast(key: K, held: Held<V>): void {
    held.since = ++this.#count;
    this.#entries.delete(key);
    this.#entries.set(key, held);
  }
}
