import { startDeadline, type Timers } from './deadline.ts';

interface Waiting {
  start(): void;
  refuse(error: unknown): void;
}

export interface QueueOptions {
  /** How many have a turn at once. */
  readonly size: number;
  /** Milliseconds that a caller waits at most. */
  readonly limit: number;
  /** The error of a caller that waited that long. */
  readonly late: () => Error;
  readonly timers?: Timers | undefined;
}

/** Callers that wait for a connection of a pool, first come, first served. */
export class ConnectionQueue {
  readonly #options: QueueOptions;
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when the caller has a turn. Each turn ends with `leave`. */
  async enter(): Promise<void> {
    if (this.#taken < this.#options.size) {
      this.#taken += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { limit, late, timers } = this.#options;
    const cancel = startDeadline(limit, () => waiting.refuse(late()), timers);
    const end = () => {
      cancel();
      this.#waiting.delete(waiting);
    };
    const waiting: Waiting = {
      start: () => {
        end();
        resolve();
      },
      refuse: (error) => {
        end();
        reject(error);
      },
    };
    this.#waiting.add(waiting);
    await promise;
  }

  /** The turn goes to the caller that has waited longest. */
  leave(): void {
    const [first] = this.#waiting;
    if (first) first.start();
    else this.#taken -= 1;
  }

  /** Refuses everyone who waits now. */
  refuse(error: unknown): void {
    for (const one of [...this.#waiting]) one.refuse(error);
  }
}
