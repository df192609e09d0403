// One at a time speaks with the hub, among all processes. Who comes meanwhile waits, and who comes for the very same is given what came of it.
import type { Transaction } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { minute, second } from '#lib/spans.ts';
import type { Doing } from '#site/identity/doing.ts';
import { within } from '#site/jobs/loop.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { AnyTables } from '#store/any.ts';
import type { Changes } from '#store/changes.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { type HubTables, only } from './tables.ts';

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

interface Needs {
  readonly store: Pick<Store<HubTables & AnyTables>, 'db' | 'write'> & { readonly changes: Pick<Changes, 'watch'> };
  readonly clock: Clock;
  /** By which a turn is known. */
  readonly unique: () => string;
  /** How often somebody looks who waits: with each news, and else once a second. */
  readonly looks?: number;
}

type Outcome<R> = { readonly answer: R } | { readonly refusal: Pick<Problem, 'code' | 'message'> & { status: number } };

/** Longer than anybody takes: whose turn ends so late is not there any more. */
const longest = minute;
const usualLooks = 30;
const name = 'hub-connector';
const table = 'hub_connector_turns';

export function createTurns(needs: Needs): Turns {
  return {
    async shared<R extends object>(doing: Doing | undefined, plan: () => Promise<Planned<R>>, signal?: AbortSignal) {
      for (;;) {
        const { name, joins = [], work } = await plan();
        const { token, isMine, under } = await take(name, doing, needs);
        if (isMine) {
          const answer = await done(token, work, needs);
          if (answer !== undefined) return answer;
          continue;
        }
        const outcome = await ended(token, needs, signal);
        if (outcome !== undefined && [name, ...joins].includes(under)) return told<R>(JSON.parse(outcome));
      }
    },
    async alone(doing, work, signal) {
      for (;;) {
        const { token, isMine } = await take('logout', doing, needs);
        if (isMine) return done(token, work, needs);
        await ended(token, needs, signal);
      }
    },
  };
}

/** Answers its token and what it is for, or those of whoever has the turn. */
function take(work: string, doing: Doing | undefined, { store, clock, unique }: Needs) {
  const token = unique();
  return store.write(async (tx, { lock }) => {
    await lock(name);
    await doing?.again?.(tx, undefined);
    const row = await rowOf(tx);
    if (row !== undefined && isUnderWay(row, clock())) return { token: row.token, isMine: false, under: row.work };
    const mine = { token, work, until: instant(new Date(clock().getTime() + longest)), outcome: null };
    await tx
      .insertInto(table)
      .values({ id: only, ...mine })
      .onConflict((on) => on.column('id').doUpdateSet(mine))
      .execute();
    return { token, isMine: true, under: work };
  });
}

/** Whatever comes of it, the next may begin afterwards. */
async function done<R>(token: string, work: (turn: Turn) => Promise<R>, needs: Needs): Promise<R> {
  let outcome: Outcome<R> | undefined;
  try {
    const answer = await work(turnOf(token, needs));
    if (answer !== undefined) outcome = { answer };
    return answer;
  } catch (error) {
    outcome = refusalOf(error);
    throw error;
  } finally {
    await release(token, outcome, needs);
  }
}

function turnOf(token: string, { store }: Needs): Turn {
  const holds: Turn['holds'] = async (tx, { lock }) => {
    await lock(name);
    if ((await rowOf(tx))?.token !== token) throw tooLate();
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

const release = (token: string, outcome: Outcome<unknown> | undefined, { store }: Needs) =>
  store.write((tx) =>
    tx
      .updateTable(table)
      .set({ until: null, outcome: outcome === undefined ? null : JSON.stringify(outcome) })
      .where('token', '=', token)
      .execute(),
  );

/** Once whoever has this turn is done: what came of it, or nothing when that is not known. */
async function ended(
  token: string,
  { store, clock, looks = usualLooks }: Needs,
  signal?: AbortSignal,
): Promise<string | undefined> {
  let news = Promise.withResolvers<void>();
  const unwatch = store.changes.watch((topics) => topics.has(table) && news.resolve());
  const stop = (): void => news.resolve();
  signal?.addEventListener('abort', stop);
  try {
    for (let left = looks; left > 0; left--) {
      news = Promise.withResolvers();
      signal?.throwIfAborted();
      const row = await rowOf(store.db);
      if (row?.token !== token) return undefined;
      if (!isUnderWay(row, clock())) return row.outcome ?? undefined;
      await within(second, [news.promise]);
    }
    throw tooLate();
  } finally {
    signal?.removeEventListener('abort', stop);
    unwatch();
  }
}

type Row = HubTables[typeof table];

const rowOf = (db: Pick<Store<HubTables>['db'], 'selectFrom'>): Promise<Row | undefined> =>
  db.selectFrom(table).selectAll().where('id', '=', only).executeTakeFirst();

/** A time further off was set by a clock that was wrong. */
const isUnderWay = ({ until }: Row, now: Date): boolean =>
  until !== null && until > instant(now) && until <= instant(new Date(now.getTime() + 2 * longest));

/** What nobody foresaw is no answer to anybody else: they try for themselves. */
const refusalOf = (error: unknown): Outcome<never> | undefined =>
  error instanceof Problem && typeof error.status === 'number'
    ? { refusal: { status: error.status, code: error.code, message: error.message } }
    : undefined;

function told<R>(outcome: Outcome<R>): R {
  if ('answer' in outcome) return outcome.answer;
  const { status, code, message } = outcome.refusal;
  throw new Problem(status, code, message);
}

const tooLate = (): Problem =>
  new Problem(
    504,
    'api_error',
    'The hub is being asked already, and that takes too long. Please try again later.',
    {},
    { headers: { 'Retry-After': String(longest / second) } },
  );
