import type { Transaction } from 'kysely';
import { day, second } from '#lib/spans.ts';
import type { Instant } from '#store/columns.ts';
import type { AnyTables } from '#store/handles.ts';
import type { During } from '#store/writing.ts';

export type Status = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** Why one item of a job was not done. */
export interface ItemError {
  readonly item: string;
  readonly code: string;
  readonly message: string;
}

/** A job as whoever started it sees it. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly status: Status;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** 0 to 100. */
  readonly progress: number;
  /** The first 50. */
  readonly errors: readonly ItemError[];
  readonly result: Readonly<Record<string, unknown>> | null;
  /** How often it was begun. */
  readonly attempt: number;
  /** Not begun before; while it waits, when it is begun next. */
  readonly run_at: Instant;
  readonly created_at: Instant;
  readonly started_at: Instant | null;
  readonly finished_at: Instant | null;
  /** Who started it; 0 is the site itself. */
  readonly by: number;
}

/** What a job is given to work with. */
export interface Work {
  /** The job. */
  readonly id: string;
  /** How often it was begun, this time included. */
  readonly attempt: number;
  /** Aborted when the job is cancelled, is no longer ours, or the process stops. Hand it to whatever waits. */
  readonly signal: AbortSignal;
  /** How many items there will be, as soon as that is known. */
  total(count: number): Promise<void>;
  /**
   * Does the items one after another. Between two it looks whether it should stop. One that throws is counted, with its reason, and
   * the others go on. When a job is taken up again, it continues after the last item that was accounted for, so `items` must give
   * the same order then; what was done in the last moment before the process died is done again, so doing an item twice must be
   * harmless. An item that throws `Unavailable` is tried again a few times, a little later, before it counts as failed.
   */
  each<T>(items: Items<T>, each: Each<T>): Promise<void>;
}

/** Items after this key, in an order that stays; from the first, without one. */
export type Items<T> = (after: string | undefined) => Iterable<T> | AsyncIterable<T> | Promise<Iterable<T>>;

export interface Each<T> {
  /** By which an item is found again, and named where it failed. */
  key(item: T): string;
  do(item: T): Promise<unknown>;
}

/** A kind of work, said once by its owner. */
export interface Kind<P> {
  /** `mail.deliver` */
  readonly name: string;
  /** What it does, for the operator: a few words. */
  readonly about: string;
  /** How often it is begun at most, when it throws as a whole; 1 without it. */
  readonly attempts?: number;
  /** How long to wait after the n-th failure, in milliseconds; doubling from a minute without it. */
  readonly pause?: (attempt: number) => number;
  /** Kinds of one lane share what it carries: how many of them run at once in one process. Without it, each kind has a lane of its own that carries 4. */
  readonly lane?: Lane;
  /** What it is given is confidential: unreadable in the database, and gone once the job ended. */
  readonly confidential?: true;
  /** Only a process that serves the site does it: a command at a shell may not have what it takes, such as the name of the mail server. */
  readonly serving?: true;
  /**
   * Kinds of records that it creates and changes, as rules of the firewall name them: `page`, `category`, `user`, or its own table. A
   * request that may not write them may not have it begun. A job of a package writes nothing else.
   */
  readonly writes?: readonly string[];
  /** Likewise those that it deletes. */
  readonly deletes?: readonly string[];
  /** Throws to say that the job failed: a `Hopeless` at once, anything else after the last attempt. What it returns is kept as the result. */
  // biome-ignore lint/suspicious/noConfusingVoidType: work that has nothing to tell returns nothing.
  run(payload: P, work: Work): Promise<Record<string, unknown> | void>;
}

export interface Lane {
  readonly name: string;
  readonly atOnce: number;
}

/** Trying again would not help. */
export class Hopeless extends Error {}

export interface Asked {
  /** Of unfinished jobs of a kind there is one with this key: a second is not added, and the first is answered. */
  readonly key?: string;
  /** Of jobs with the same text here, of whatever kind, one runs at a time, among all processes. */
  readonly alone?: string;
  /** Not before this moment. */
  readonly at?: Date;
  /** Who asks; the site itself, without it. */
  readonly by?: number;
}

/** Where jobs of one kind are put. */
export interface Queue<P> {
  /** Durable once this resolves. Answers its id. */
  add(payload: P, asked?: Asked): Promise<string>;
  /** As part of a write: it is there if and only if the write is. */
  addIn(
    tx: Transaction<AnyTables>,
    during: Pick<During, 'changed' | 'willWrite'>,
    payload: P,
    asked?: Asked,
  ): Promise<string>;
}

/** Why a job is not gone on with, though nothing went wrong: the reason of its aborted signal. */
export class Stopped extends Error {
  readonly why: 'cancelled' | 'stopping' | 'lost';

  constructor(why: Stopped['why']) {
    super(sentences[why]);
    this.name = 'Stopped';
    this.why = why;
  }
}

const sentences = {
  cancelled: 'The job was cancelled.',
  stopping: 'The site is stopping.',
  lost: 'Another process runs this job.',
} as const;

export const whyStopped = (signal: AbortSignal): Stopped['why'] | undefined =>
  signal.reason instanceof Stopped ? signal.reason.why : undefined;

// What is wrong with kinds of jobs and with schedules, found when they are made known: later, a job would wait for ever.

/** Jobs that cannot be done as they are declared. */
export class UnfitJobs extends Error {}

const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 1;

export function refuseUnfitKind(
  { name, attempts = 1, lane }: Pick<Kind<unknown>, 'name' | 'attempts' | 'lane'>,
  laneNow: number | undefined,
): void {
  if (!isCount(attempts))
    throw new UnfitJobs(`Jobs of the kind ${name} have ${attempts} attempts, but must have at least 1.`);
  if (lane === undefined) return;
  if (!isCount(lane.atOnce))
    throw new UnfitJobs(
      `The lane ${lane.name} of jobs of the kind ${name} allows ${lane.atOnce} jobs at once, but must allow at least 1.`,
    );
  if (laneNow !== undefined && laneNow !== lane.atOnce)
    throw new UnfitJobs(
      `The lane ${lane.name} allows ${laneNow} jobs at once, but the kind ${lane.atOnce} says ${laneNow}.`,
    );
}

/** As often as schedules are looked at. */
const soonest = second;
const latest = 3_650 * day;

export function refuseUnfitSchedule({ name, every }: { readonly name: string; readonly every: number }): void {
  if (every >= soonest && every <= latest) return;
  const span = `between ${soonest} (a second) and ${latest} (ten years)`;
  throw new UnfitJobs(`The schedule ${name} repeats after ${every} milliseconds, but must repeat after ${span}.`);
}
