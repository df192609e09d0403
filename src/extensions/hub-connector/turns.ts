// One at a time speaks with the hub, among all processes. Who comes meanwhile waits, and who comes for the very same is given what came of it.
import type { Transaction } from 'kysely';
import { Problem, problemFrom } from '#kernel/problem.ts';
import { minute, second } from '#lib/spans.ts';
import type { Doing } from '#site/identity/doing.ts';
import { within } from '#site/jobs/loop.ts';
import type { Clock } from '#site/platform/clock.ts';
import {
  endLease,
  findLease,
  isHeld,
  type Lease,
  type LeaseTables,
  leaseLock,
  renewLease,
  takeLease,
} from '#site/platform/leases.ts';
import type { Changes } from '#store/changes.ts';
import type { AnyTables } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { hubConnectorErrors } from './errors.ts';

/** A turn that somebody has. */
export interface Turn {
  /** Refuses when it took so long that another has the turn by now. */
  holds(tx: Transaction<AnyTables>, during: During): Promise<void>;
  /** Writes what came of it, while it holds. */
  write(work: (tx: Transaction<AnyTables>, during: During) => Promise<void>): Promise<void>;
}

/** What somebody wants done now. */
export interface Planned<R> {
  /** Tells it from all else: nobody is told of one thing what came of another. */
  readonly name: string;
  /** What else would do as well, where somebody is at it already. */
  readonly joins?: readonly string[];
  /** Nothing, where it is not to be done any more, and has to be planned anew. */
  work(turn: Turn): Promise<R | undefined>;
}

export interface Turns {
  /** Whoever plans this while it is done is given what came of it, refusals too. Who had to wait for something else plans anew. */
  shared<R extends object>(doing: Doing | undefined, plan: () => Promise<Planned<R>>, signal?: AbortSignal): Promise<R>;
  /** Once nobody is at it. */
  alone<R>(doing: Doing | undefined, work: (turn: Turn) => Promise<R>, signal?: AbortSignal): Promise<R>;
}

interface TurnDeps {
  readonly store: Pick<Store<LeaseTables & AnyTables>, 'db' | 'write'> & { readonly changes: Pick<Changes, 'watch'> };
  readonly clock: Clock;
  /** How often somebody looks who waits: with each news, and else once a second. */
  readonly looks?: number;
}

type Outcome<R> = { readonly answer: R } | { readonly refusal: Pick<Problem, 'code' | 'message'> & { status: number } };

/** Longer than anybody takes: whose turn ends so late is not there any more. */
const longest = minute;
const usualLooks = 30;
const leaseName = 'hub-connector';
/** Said when a turn ends: leases themselves move no change counter. */
const endedTopic = 'hub-connector.turn';

/** What a lease says of a turn, as JSON. */
interface Detail {
  readonly work: string;
  readonly outcome?: Outcome<unknown> | undefined;
}

export function createTurns(deps: TurnDeps): Turns {
  return {
    async shared<R extends object>(doing: Doing | undefined, plan: () => Promise<Planned<R>>, signal?: AbortSignal) {
      for (;;) {
        const planned = await plan();
        const { name, joins = [] } = planned;
        const { token, isMine, under } = await take(name, doing, deps);
        if (isMine) {
          const answer = await done(token, planned, deps);
          if (answer !== undefined) return answer;
          continue;
        }
        const outcome = await ended(token, deps, signal);
        if (outcome !== undefined && [name, ...joins].includes(under)) return told(outcome as Outcome<R>);
      }
    },
    async alone<R>(doing: Doing | undefined, work: (turn: Turn) => Promise<R>, signal?: AbortSignal) {
      for (;;) {
        const { token, isMine } = await take('logout', doing, deps);
        if (isMine) return (await done(token, { name: 'logout', work }, deps)) as R;
        await ended(token, deps, signal);
      }
    },
  };
}

/** Answers its token and what it is for, or those of whoever has the turn. */
function take(work: string, doing: Doing | undefined, { store, clock }: TurnDeps) {
  return store.write(async (tx, during) => {
    await during.lock(leaseLock(leaseName));
    await doing?.again?.(tx, undefined);
    const taken = await takeLease(
      tx,
      during,
      { name: leaseName, life: longest, detail: JSON.stringify({ work }) },
      clock(),
    );
    if ('held' in taken) return { token: taken.held.token, isMine: false, under: detailOf(taken.held).work };
    return { token: taken.token, isMine: true, under: work };
  });
}

/** Whatever comes of it, the next may begin afterwards. */
async function done<R>(token: string, { name: what, work }: Planned<R>, deps: TurnDeps): Promise<R | undefined> {
  let outcome: Outcome<R> | undefined;
  try {
    const answer = await work(turnOf(token, deps));
    if (answer !== undefined) outcome = { answer };
    return answer;
  } catch (error) {
    outcome = refusalOf(error);
    throw error;
  } finally {
    await release(token, { work: what, outcome }, deps);
  }
}

function turnOf(token: string, { store, clock }: TurnDeps): Turn {
  const holds: Turn['holds'] = async (tx, { lock }) => {
    await lock(leaseLock(leaseName));
    if (!(await renewLease(tx, token, longest, clock()))) throw tooLate();
  };
  return {
    holds,
    write: (work) =>
      store.write(async (tx, during) => {
        await holds(tx, during);
        await work(tx, during);
      }),
  };
}

const release = (token: string, done: Detail, { store, clock }: TurnDeps) =>
  store.write(async (tx, during) => {
    await endLease(tx, token, clock(), JSON.stringify(done));
    during.changed(endedTopic);
  });

/** Waits until the turn with this token ends. Answers its outcome, if that is known. */
async function ended(
  token: string,
  { store, clock, looks = usualLooks }: TurnDeps,
  signal?: AbortSignal,
): Promise<Outcome<unknown> | undefined> {
  let news = Promise.withResolvers<void>();
  const unwatch = store.changes.watch((topics) => topics.has(endedTopic) && news.resolve());
  const stop = (): void => news.resolve();
  signal?.addEventListener('abort', stop);
  try {
    for (let left = looks; left > 0; left--) {
      news = Promise.withResolvers();
      signal?.throwIfAborted();
      const lease = await findLease(store.db, leaseName);
      if (lease?.token !== token) return undefined;
      if (!isHeld(lease, longest, clock())) return detailOf(lease).outcome;
      await within(second, [news.promise]);
    }
    throw tooLate();
  } finally {
    signal?.removeEventListener('abort', stop);
    unwatch();
  }
}

const detailOf = ({ detail }: Lease): Detail => JSON.parse(detail);

/** What nobody foresaw is no answer to anybody else: they try for themselves. */
const refusalOf = (error: unknown): Outcome<never> | undefined =>
  error instanceof Problem && typeof error.status === 'number'
    ? { refusal: { status: error.status, code: error.code, message: error.message } }
    : undefined;

function told<R>(outcome: Outcome<R>): R {
  if ('answer' in outcome) return outcome.answer;
  throw problemFrom(outcome.refusal.status, outcome.refusal);
}

const tooLate = (): Problem =>
  hubConnectorErrors.apiTimeout().with({}, { headers: { 'Retry-After': String(longest / second) } });
