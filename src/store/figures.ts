// How the store is doing, counted as it works: plain numbers, so that counting costs next to nothing.
import { OutOfSpace, Unavailable } from '#lib/failures.ts';

export interface StoreFigures extends EngineFigures {
  readonly reads: Took;
  readonly writes: Took;
  /** Writes that were begun or wait for their turn. */
  readonly writing: number;
  /** Whether word of what other processes write arrives. */
  readonly isCurrent: boolean;
}

interface Took {
  readonly count: number;
  readonly seconds: number;
  /** Of these, what the store could not do: it was away, overloaded or full. */
  readonly failed: number;
}

/** What only one of the engines knows of itself. */
export interface EngineFigures {
  /** Waits for the disk; several writes may share one. */
  readonly commits?: number;
  /** Of the files of the database. */
  readonly bytes?: number;
  readonly connections?: readonly Connections[];
}

export interface Connections {
  readonly pool: 'reading' | 'writing';
  readonly busy: number;
  readonly idle: number;
  /** How many wait for one. */
  readonly wanted: number;
}

/** Counts pieces of work and the time they took. */
export class Timed {
  #count = 0;
  #seconds = 0;
  #failed = 0;
  #begun = 0;

  async around<R>(work: () => Promise<R>): Promise<R> {
    const started = performance.now();
    this.#begun += 1;
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unavailable || error instanceof OutOfSpace) this.#failed += 1;
      throw error;
    } finally {
      this.#begun -= 1;
      this.#count += 1;
      this.#seconds += (performance.now() - started) / 1000;
    }
  }

  get took(): Took {
    return { count: this.#count, seconds: this.#seconds, failed: this.#failed };
  }

  get underWay(): number {
    return this.#begun;
  }
}
