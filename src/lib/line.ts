interface LineOptions {
  /** How many are served at a time. */
  readonly together: number;
  /** How many may wait to be served. */
  readonly waiting: number;
  /** What whoever finds no place in the line is refused with. */
  full(): Error;
}

interface Waiting {
  come(): void;
  leave(reason: Error): void;
}

/**
 * A queue as at a counter: so many are served at a time, so many wait, nobody else is let in. Those who come together (`who`)
 * are one party, and the parties take turns. When the line is full, the last of the largest party makes room for a smaller
 * one: a crowd keeps itself waiting, and nobody else out.
 */
export class Line {
  readonly #options: LineOptions;
  /** By party, the next to be served first. None is empty. */
  readonly #parties = new Map<string, Waiting[]>();
  #waiting = 0;
  #served = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  async serve<T>(who: string, work: () => Promise<T>): Promise<T> {
    if (this.#served < this.#options.together) this.#served += 1;
    else await this.#turn(who);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(who: string): Promise<void> {
    const party = this.#parties.get(who) ?? [];
    if (this.#waiting >= this.#options.waiting) this.#makeRoom(party.length + 1);
    this.#waiting += 1;
    this.#parties.set(who, party);
    return new Promise((come, leave) => party.push({ come, leave }));
  }

  /** For one who makes their party so large; throws when no other is larger. */
  #makeRoom(size: number): void {
    let largest: Waiting[] = [];
    for (const party of this.#parties.values()) if (party.length > largest.length) largest = party;
    if (largest.length <= size) throw this.#options.full();
    largest.pop()!.leave(this.#options.full());
    this.#waiting -= 1;
  }

  /** A place that is left goes to the next in line, so that nobody slips in between. */
  #next(): void {
    const next = this.#parties.entries().next().value;
    if (next === undefined) {
      this.#served -= 1;
      return;
    }
    const [who, party] = next;
    const { come } = party.shift()!;
    this.#waiting -= 1;
    this.#parties.delete(who);
    if (party.length > 0) this.#parties.set(who, party); // behind the others
    come();
  }
}
