export interface LineOptions {
  /** How many are served at a time. */
  readonly together: number;
  /** How many may wait to be served. */
  readonly waiting: number;
  /** What whoever finds the line full is refused with. */
  full(): Error;
}

/** A queue as at a counter: so many are served at a time, so many wait, nobody else is let in. */
export class Line {
  readonly #options: LineOptions;
  readonly #waiting: (() => void)[] = [];
  #served = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  async serve<T>(work: () => Promise<T>): Promise<T> {
    if (this.#served < this.#options.together) this.#served += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#options.waiting) throw this.#options.full();
    return new Promise((come) => this.#waiting.push(come));
  }

  /** A place that is left goes to the next in line, so that nobody slips in between. */
  #next(): void {
    const come = this.#waiting.shift();
    if (come) come();
    else this.#served -= 1;
  }
}
