// Requests of one rank: how many are in work, and those that wait.
import type { ServerResponse } from 'node:http';
import { FairQueue } from './fair-queue.ts';

/** Credentials that were good lately; a sign-in, or credentials that are not checked yet; everybody else. */
export type Rank = 'known' | 'entering' | 'visitor';

interface Bounds {
  /** Requests in work at once: while turns of the event loop are short, and while they are long. */
  readonly inWork: number;
  readonly inWorkWhenBusy: number;
  readonly waiting: number;
  /** How long a request waits, in milliseconds. */
  readonly patience: number;
}

const boundsOf = (visitorPatience: number): Readonly<Record<Rank, Bounds>> => ({
  known: { inWork: 64, inWorkWhenBusy: 4, waiting: 1_000, patience: 30_000 },
  entering: { inWork: 16, inWorkWhenBusy: 1, waiting: 200, patience: 10_000 },
  visitor: { inWork: 16, inWorkWhenBusy: 1, waiting: 200, patience: visitorPatience },
});

/** A request that waits for a slot. */
export interface Waiting {
  /** Requests with the same value take turns as one client. */
  readonly client: string;
  begin(): void;
  refuse(): void;
}

export class Lane {
  readonly bounds: Bounds;
  readonly waiting = new FairQueue<Waiting>();
  /** Requests whose body has arrived meanwhile. */
  readonly returning = new Set<() => void>();
  inWork = 0;

  constructor(rank: Rank, visitorPatience: number) {
    this.bounds = boundsOf(visitorPatience)[rank];
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0 && this.returning.size === 0;
  }

  /** `isBusy`: turns of the event loop are long. */
  hasSlot(isBusy: boolean): boolean {
    return this.inWork < (isBusy ? this.bounds.inWorkWhenBusy : this.bounds.inWork);
  }

  /** Begins one, if one waits and there is a slot. */
  begin(isBusy: boolean): boolean {
    if (!this.hasSlot(isBusy)) return false;
    const [returned] = this.returning;
    const next = returned ?? this.waiting.take()?.begin;
    next?.();
    return next !== undefined;
  }
}

/** One of the requests that are in work at once. */
export class WorkSlot {
  readonly #lane: Lane;
  readonly #response: ServerResponse;
  readonly #freed: () => void;
  #isHeld = true;

  constructor(lane: Lane, response: ServerResponse, freed: () => void) {
    this.#lane = lane;
    this.#response = response;
    this.#freed = freed;
    lane.inWork += 1;
  }

  leave(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#lane.inWork -= 1;
    this.#freed();
  }

  /** Once there is a slot again, or the client has left. */
  back(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { returning } = this.#lane;
    const enter = (): void => {
      returning.delete(enter);
      this.#response.off('close', enter);
      if (!this.#response.destroyed && !this.#isHeld) {
        this.#isHeld = true;
        this.#lane.inWork += 1;
      }
      resolve();
    };
    if (this.#response.destroyed) return Promise.resolve();
    returning.add(enter);
    this.#response.once('close', enter);
    this.#freed();
    return promise;
  }
}
