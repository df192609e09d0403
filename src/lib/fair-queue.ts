interface QueueOptions {
  /** How much work runs at a time. */
  readonly together: number;
  /** How much work may wait. */
  readonly waiting: number;
  /** The error for work that finds no place in the queue. */
  full(): Error;
}

interface Waiting {
  come(): void;
  leave(reason: Error): void;
}

/**
 * Runs a limited amount of work at a time, and lets a limited amount wait. Work of one client (`who`) is one party, and the parties
 * take turns. When the queue is full, the last of the largest party makes room for a smaller party, so a crowd delays only itself.
 */
export class FairQueue {
  readonly #options: QueueOptions;
  /** The party that is next comes first. None is empty. */
  readonly #parties = new Map<string, Waiting[]>();
  #waiting = 0;
  #served = 0;

  constructor(options: QueueOptions) {
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

  /** `size`: of the party with the new work. Throws when no other party is larger. */
  #makeRoom(size: number): void {
    let largest: Waiting[] = [];
    for (const party of this.#parties.values()) if (party.length > largest.length) largest = party;
    if (largest.length <= size) throw this.#options.full();
    largest.pop()!.leave(this.#options.full());
    this.#waiting -= 1;
  }

  /** A free place goes to the work that is next, so that new work does not overtake it. */
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
