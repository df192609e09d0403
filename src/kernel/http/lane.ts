// Requests of one rank: how many are in work, and those that wait. And which rank a request has.

import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cookieOf } from '#lib/http-headers.ts';
import { Lru } from '#lib/lru.ts';
import { minute } from '#lib/spans.ts';
import type { PageAt } from './page.ts';

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

  /** Once there is a slot again, or the client has left. Where one wait was inside another, the inner one has it again already. */
  back(): Promise<void> {
    if (this.#isHeld || this.#response.destroyed) return Promise.resolve();
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
    returning.add(enter);
    this.#response.once('close', enter);
    this.#freed();
    return promise;
  }
}

/** Entries of many clients: each client is served in turn, however many entries it has. */
class FairQueue<T extends { readonly client: string }> {
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

// How urgent a request is, before anything of it is checked. A credential that somebody presents may be made up, so only one that was
// good lately makes its request go first.

/** Credentials that are remembered, and for how long, in milliseconds. */
const mostKnown = 5_000;
const remembered = 30 * minute;

export interface Ranking {
  /** `vital`: it never waits. */
  of(message: IncomingMessage, isPage: boolean): Rank | 'vital';
  /** What came with this request was good. */
  wasGood(message: IncomingMessage): void;
}

const presentedKey = Symbol('presented');

/** With a print of the credential, which is asked for twice. */
interface Ranked extends IncomingMessage {
  [presentedKey]?: string;
}

interface RankingNeeds {
  readonly credentialCookie: string;
  /** Those of the site itself and of its extensions. */
  readonly pageAt: PageAt;
  /** In milliseconds since 1970. */
  now(): number;
}

export function createRanking({ credentialCookie, pageAt, now }: RankingNeeds): Ranking {
  const known = new Lru<string, number>(mostKnown);
  const key = randomBytes(16).toString('base64url');
  const presentedBy = (message: Ranked): string | undefined => {
    const { headers } = message;
    const presented = headers.authorization ?? cookieOf(headers.cookie, credentialCookie);
    if (presented === undefined) return undefined;
    message[presentedKey] ??= hash('sha256', key + presented, 'base64url');
    return message[presentedKey];
  };
  return {
    of(message, isPage) {
      const page = isPage ? pageAt(message.url ?? '/') : undefined;
      if (page?.isVital) return 'vital';
      const presented = presentedBy(message);
      if (presented !== undefined && (known.get(presented) ?? 0) > now()) return 'known';
      return presented !== undefined || page !== undefined ? 'entering' : 'visitor';
    },
    wasGood(message) {
      const presented = presentedBy(message);
      if (presented !== undefined) known.set(presented, now() + remembered);
    },
  };
}
