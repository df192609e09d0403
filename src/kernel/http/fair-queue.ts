/** Entries of many clients: each client is served in turn, however many entries it has. */
export class FairQueue<T extends { readonly client: string }> {
  readonly #clients = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(entry: T): void {
    const own = this.#clients.get(entry.client) ?? new Set();
    this.#clients.set(entry.client, own.add(entry));
    this.#size += 1;
  }

  remove(entry: T): void {
    const own = this.#clients.get(entry.client);
    if (own?.delete(entry) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#clients.delete(entry.client);
  }

  /** Takes the oldest entry of the client whose turn it is. */
  take(): T | undefined {
    const [client, own] = this.#clients.entries().next().value ?? [];
    const [entry] = own ?? [];
    if (client === undefined || own === undefined || entry === undefined) return undefined;
    this.remove(entry);
    if (own.size > 0) {
      this.#clients.delete(client);
      this.#clients.set(client, own);
    }
    return entry;
  }

  /** Takes the newest entry of the client that has the most. */
  takeFromLongest(): T | undefined {
    const longest = [...this.#clients.values()].reduce<Set<T> | undefined>(
      (most, own) => (most === undefined || own.size >= most.size ? own : most),
      undefined,
    );
    const entry = [...(longest ?? [])].at(-1);
    if (entry !== undefined) this.remove(entry);
    return entry;
  }
}
