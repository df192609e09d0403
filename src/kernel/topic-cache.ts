// A bounded cache. What it holds is true until a topic it rests on is written, by whichever process; the least used go first.

/** How a cache hears of what was written. */
export interface TopicNews {
  /** Whether word of writes arrives just now; without it nothing cached may be taken for true. */
  readonly isCurrent: boolean;
  /** Tells what was written, once it is committed. */
  watch(listener: (topics: ReadonlySet<string>) => void): unknown;
}

export interface Cached {
  readonly topics: ReadonlySet<string>;
  /** In bytes; may grow through `grow`. */
  size: number;
}

export interface CacheFigures {
  /** Now. */
  readonly kept: number;
  readonly bytes: number;
  /** Dropped until now, because something they depend on was written. */
  readonly outdated: number;
  /** Dropped until now to make room. */
  readonly displaced: number;
}

interface CacheOptions<T> {
  readonly maxBytes: number;
  /** Called with every word of a write, and the entries that it dropped. */
  onNews?(topics: ReadonlySet<string>, dropped: ReadonlyMap<string, T>): void;
}

export class TopicCache<T extends Cached> {
  readonly #news: TopicNews;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, T>();
  readonly #byTopic = new Map<string, Set<string>>();
  /** By topic, the moment of the last word of it. */
  readonly #written = new Map<string, number>();
  #moment = 0;
  #bytes = 0;
  #outdated = 0;
  #displaced = 0;

  constructor(news: TopicNews, { maxBytes, onNews }: CacheOptions<T>) {
    this.#news = news;
    this.#maxBytes = maxBytes;
    news.watch((topics) => {
      this.#moment += 1;
      for (const topic of topics) this.#written.set(topic, this.#moment);
      const dropped = this.#dropTopics(topics);
      onNews?.(topics, dropped);
    });
  }

  get figures(): CacheFigures {
    return { kept: this.#entries.size, bytes: this.#bytes, outdated: this.#outdated, displaced: this.#displaced };
  }

  /** A moment to hand to `put`, taken before anything that the entry is made from was looked up. */
  get moment(): number {
    return this.#moment;
  }

  get(key: string): T | undefined {
    return this.#news.isCurrent ? this.#entries.get(key) : undefined;
  }

  /** Marks it as the last used. */
  touch(key: string, entry: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  /** Keeps nothing that rests on what was written since. */
  put(key: string, entry: T, since: number): boolean {
    if (!this.#news.isCurrent || !this.#isUnwritten(entry.topics, since)) return false;
    this.drop(key);
    this.#entries.set(key, entry);
    for (const topic of entry.topics) this.#byTopic.getOrInsertComputed(topic, () => new Set()).add(key);
    this.#fill(entry.size);
    return true;
  }

  /** Something was added to an entry; one that is gone by now does not count any more. */
  grow(key: string, entry: T, bytes: number): void {
    if (this.#entries.get(key) !== entry) return;
    entry.size += bytes;
    this.#fill(bytes);
  }

  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.size;
    for (const topic of entry.topics) this.#byTopic.get(topic)?.delete(key);
  }

  #isUnwritten(topics: ReadonlySet<string>, since: number): boolean {
    for (const topic of topics) if ((this.#written.get(topic) ?? 0) > since) return false;
    return true;
  }

  #dropTopics(topics: ReadonlySet<string>): Map<string, T> {
    const dropped = new Map<string, T>();
    for (const topic of topics)
      for (const key of this.#byTopic.get(topic) ?? []) {
        dropped.set(key, this.#entries.get(key)!);
        this.drop(key);
      }
    this.#outdated += dropped.size;
    return dropped;
  }

  #fill(bytes: number): void {
    this.#bytes += bytes;
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.drop(key);
      this.#displaced += 1;
    }
  }
}
