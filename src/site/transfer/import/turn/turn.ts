// One moves in at a time, among all processes and machines: two who looked for what is here already would each find it missing. A
// turn is leased, and whoever has it says so with every write; after a while of silence somebody else may have it.
import { randomUUID } from 'node:crypto';
import { Unavailable } from '#lib/failures.ts';
import { minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { Bounds, During } from '#store/writing.ts';
import type { Clock } from '../../../platform/clock.ts';
import { isGone } from '../../../platform/process-name.ts';
import type { SentStore, SentWriting } from '../sent/store.ts';
import type { MovingStore } from '../tables.ts';
import { refuseSent, underWay } from './refusing.ts';
import type { TurnsTable } from './tables.ts';

/** The store of whoever moves in: a write through it is refused once it is somebody else's turn. */
export interface TurnStore extends Store<MovingStore> {
  readonly isInTurn: true;
}

export interface Mover {
  /** A process, or a job that any process may go on with. */
  readonly holder: string;
  /** What is moved in, at the beginning of a sentence. */
  readonly what: string;
}

export type TurnNeeds = { readonly store: Store<SentStore>; readonly clock: Clock };

/** Of whoever is silent for longer nobody knows whether they are still at work. */
const lease = minute;

/** How long a write of many may take until it is undone, in ms. */
const longWrites: Bounds = { limit: 2 * minute, patience: minute };

const name = 'one';

/** Throws `import_under_way` while it is the turn of somebody else. */
export async function inTurn<R>(needs: TurnNeeds, mover: Mover, work: (store: TurnStore) => Promise<R>): Promise<R> {
  const token = randomUUID();
  await needs.store.write((tx, during) => take(tx, during, needs.clock(), { ...mover, token }), longWrites);
  const mine = (tx: SentWriting) => keep(tx, token, needs.clock());
  // While a long file is fetched, say, nothing is written. What fails here, the next write meets as well.
  const beating = setInterval(() => void needs.store.write(mine).catch(() => {}), lease / 4);
  beating.unref();
  try {
    return await work(guarded(needs.store, mine));
  } finally {
    clearInterval(beating);
    await end(needs, token);
  }
}

/** For whoever only wants to know what would become of it. */
export const readOnly = (store: Store<MovingStore>): TurnStore => ({
  ...store,
  isInTurn: true,
  write: async () => {
    throw new Error('A dry run writes nothing.');
  },
});

const guarded = (store: Store<SentStore>, mine: (tx: SentWriting) => Promise<void>): TurnStore => ({
  ...store,
  isInTurn: true,
  write: (work, bounds) =>
    store.write(async (tx, during) => {
      await mine(tx);
      return work(tx, during);
    }, bounds),
});

/** Who has it decides past this lock, and whether anybody may. */
export const turnLock = 'moving.turn';

type Db = Reads<Pick<MovingStore, 'moving_turns'>>;

const turnNow = (db: Db) => db.selectFrom('moving_turns').selectAll().where('name', '=', name).executeTakeFirst();

/** Whether it is the turn of somebody who may still be at work. */
export async function isTaken(db: Db, now: Date): Promise<boolean> {
  const turn = await turnNow(db);
  return turn !== undefined && isHeld(turn, now);
}

const isHeld = ({ leased_until, holder }: TurnsTable, now: Date): boolean =>
  leased_until > instant(now) && !isGone(holder);

async function take(
  tx: SentWriting,
  during: During,
  now: Date,
  { token, holder, what }: Mover & { readonly token: string },
): Promise<void> {
  await during.lock(turnLock);
  await refuseSent(tx, holder);
  const before = await turnNow(tx);
  if (before !== undefined && before.holder !== holder && isHeld(before, now)) throw underWay(before);
  const row = { token, holder, what, since: instant(now), leased_until: leasedFrom(now) };
  const taken = await tx
    .insertInto('moving_turns')
    .values({ name, ...row })
    .onConflict((on) =>
      on
        .column('name')
        .doUpdateSet(row)
        // A write of theirs may be under way, and say that they are there.
        .where('moving_turns.token', '=', before?.token ?? '')
        .where('moving_turns.leased_until', '=', before?.leased_until ?? ''),
    )
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) throw underWay(before);
}

const leasedFrom = (now: Date) => instant(new Date(now.getTime() + lease));

async function keep(tx: SentWriting, token: string, now: Date): Promise<void> {
  const mine = tx
    .updateTable('moving_turns')
    .set({ leased_until: leasedFrom(now) })
    .where('token', '=', token);
  const { numUpdatedRows } = await mine.executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Unavailable('Somebody else moves in by now, so nothing more is moved in here.', {
      code: 'import_under_way',
    });
}

/** A store that is away by now lets the lease run out. */
const end = ({ store }: TurnNeeds, token: string): Promise<unknown> =>
  store.write((tx) => tx.deleteFrom('moving_turns').where('token', '=', token).execute()).catch(() => {});
