// The jobs that are done in this process now: begun, told to stop, kept alive, and collected when they have ended.

import { instant } from '#store/columns.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Seal } from '../platform/seal.ts';
import type { Claimed } from './claiming.ts';
import { go } from './doing.ts';
import { type Kind, Stopped } from './job.ts';
import { beat } from './lost.ts';
import { isAway } from './reasons.ts';
import { type Ending, recordIn, type Tally } from './recording.ts';
import { cancelledTopic, type JobTables } from './tables.ts';
import type { Tools } from './working.ts';

export interface Running {
  readonly claims: readonly Claimed[];
  begin(claim: Claimed, kind: Kind<unknown>): void;
  /** Those that ended since the last time, to be written down. */
  ended(): Ending[];
  /** Of those, what nobody has asked for yet. */
  readonly uncollected: readonly Claimed[];
  stop(why: Stopped['why'], which?: (claim: Claimed) => boolean): void;
  /** Stops everything, and whatever is still begun. */
  close(): void;
  /** Whether we were so silent that the jobs could be taken for lost, as after the machine slept. */
  readonly isLate: boolean;
  /** Says in the store that we are still there, and stops what is no longer ours. */
  beat(): Promise<void>;
}

interface Needs {
  readonly store: Store<JobTables>;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly log: Log;
  readonly lease: number;
  readonly pause: Tools['pause'];
  /** Something ended. */
  onEnd(): void;
}

interface Held {
  readonly claim: Claimed;
  readonly stopping: AbortController;
  /** Until when it is ours for sure. */
  until: number;
  /** Resolves when nothing of it goes on here any more. */
  over: Promise<void>;
}

export function createRunning(needs: Needs): Running {
  const { clock, lease, onEnd } = needs;
  const held = new Map<number, Held>();
  let ended: Ending[] = [];
  let isClosed = false;
  const until = (): Date => new Date(clock().getTime() + lease);
  const end = (one: Held, ending: Ending | undefined): void => {
    if (held.get(one.claim.number) === one) held.delete(one.claim.number);
    if (ending) ended.push(ending);
    onEnd();
  };
  const stop: Running['stop'] = (why, which = () => true) => {
    for (const { claim, stopping } of held.values()) if (which(claim)) stopping.abort(new Stopped(why));
  };
  return {
    get claims() {
      return [...held.values()].map(({ claim }) => claim);
    },
    begin(claim, kind) {
      // A job that was lost and came back may still be going on here: it has to end first.
      const earlier = held.get(claim.number);
      if (earlier) lose(earlier);
      const before = earlier?.over ?? Promise.resolve();
      const one: Held = { claim, stopping: new AbortController(), until: until().getTime(), over: before };
      held.set(claim.number, one);
      if (isClosed) one.stopping.abort(new Stopped('stopping'));
      if (claim.cancelled === 1) one.stopping.abort(new Stopped('cancelled'));
      const tools = { pause: needs.pause, record: (tally: Tally) => record(one, tally, needs) };
      const work = { ...needs, claim, kind, signal: one.stopping.signal, tools };
      one.over = before.then(() => go(work)).then((ending) => end(one, ending));
    },
    ended() {
      const all = ended;
      ended = [];
      return all;
    },
    get uncollected() {
      return ended.map(({ claim }) => claim);
    },
    stop,
    close() {
      isClosed = true;
      stop('stopping');
    },
    get isLate() {
      const soon = clock().getTime() + lease / 2;
      return [...held.values()].some(({ until }) => until < soon);
    },
    beat: () => keepAlive([...held.values()], until(), needs),
  };
}

const lose = (one: Held): void => one.stopping.abort(new Stopped('lost'));

async function keepAlive(ours: readonly Held[], until: Date, { store, clock }: Needs): Promise<void> {
  if (ours.length === 0) return;
  const claims = ours.map(({ claim }) => claim);
  try {
    const lost = new Set(await beat(store, claims, until));
    for (const one of ours) {
      if (lost.has(one.claim.number)) lose(one);
      one.until = until.getTime();
    }
  } catch {
    // The store is away. Whoever reaches it may take over what is not ours for sure.
    for (const one of ours) if (one.until <= clock().getTime()) lose(one);
  }
}

const again = 500;

/** Waits for a store that is away for as long as the job is ours. */
async function record(held: Held, tally: Tally, { store, clock, lease, pause }: Needs): Promise<void> {
  const { signal } = held.stopping;
  for (;;) {
    const until = new Date(clock().getTime() + lease);
    const { errors } = tally;
    try {
      if (!(await store.write((tx) => recordIn(tx, held.claim, tally, until)))) lose(held);
      signal.throwIfAborted();
      held.until = until.getTime();
      tally.errors = tally.errors.slice(errors.length);
      return;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (held.until <= clock().getTime()) lose(held);
      await pause(again, signal);
      signal.throwIfAborted();
    }
  }
}

/** What waits ends at once; of what runs it is noted, for whoever does it. */
export const cancelJob = (store: Store<JobTables>, id: string, now: Date): Promise<boolean> =>
  store.write(async (tx, { changed }) => {
    const asked = await tx
      .updateTable('jobs')
      .set({ cancelled: 1 })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning(['status'])
      .executeTakeFirst();
    if (asked?.status === 'running') changed(cancelledTopic);
    if (asked?.status !== 'queued') return asked !== undefined;
    await tx
      .updateTable('jobs')
      .set((of) => ({
        status: 'cancelled',
        finished_at: instant(now),
        payload: of.case().when('confidential', '=', 1).then(null).else(of.ref('payload')).end(),
      }))
      .where('id', '=', id)
      .execute();
    return true;
  });

/** Stops what runs here and was cancelled, in whichever process. */
export async function stopCancelled({ db }: Store<JobTables>, running: Running): Promise<void> {
  const ours = running.claims.map(({ number }) => number);
  if (ours.length === 0) return;
  const rows = await db
    .selectFrom('jobs')
    .select('number')
    .where('cancelled', '=', 1)
    .where('number', 'in', ours)
    .execute();
  const numbers = new Set(rows.map(({ number }) => number));
  running.stop('cancelled', ({ number }) => numbers.has(number));
}
