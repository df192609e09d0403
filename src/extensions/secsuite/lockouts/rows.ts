// Lockouts as they are kept, and what is done to them: one after the other, each change with a number of its own.
import type { Transaction } from 'kysely';
import { flag, type Instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { During } from '#store/writing.ts';
import { subnetIn } from '../addresses/block.ts';
import { columnsOf, foldedName, type Lockout, type Subject } from './lockout.ts';
import type { LockoutTables } from './tables.ts';

export type Db = Reads<LockoutTables>;
export type Writing = Transaction<LockoutTables>;
export type Locking = Pick<During, 'lock'>;

/** Whoever follows knows by the numbers what is new. */
const order = 'secsuite.lockouts';

export async function nextChange(tx: Writing, { lock }: Locking): Promise<number> {
  await lock(order);
  const { value } = await tx
    .insertInto('secsuite_lockout_marks')
    .values({ name: 'change', value: 1 })
    .onConflict((on) =>
      on.column('name').doUpdateSet((row) => ({ value: row('secsuite_lockout_marks.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

export const markOf = async (db: Db, name: 'change' | 'counted'): Promise<number> =>
  (await db.selectFrom('secsuite_lockout_marks').select('value').where('name', '=', name).executeTakeFirst())?.value ??
  0;

/** Those of this subject. */
export function of(db: Db, subject: Subject) {
  const all = db.selectFrom('secsuite_lockouts');
  if (subject.kind === 'host') return all.where('subnet', '=', subnetIn(subject.host));
  if (subject.kind === 'user') return all.where('user_id', '=', subject.user);
  return all.where('username', '=', foldedName(subject.username));
}

export const isLocked = async (db: Db, subject: Subject, now: Instant): Promise<boolean> =>
  (await of(db, subject).select('id').where('active', '=', 1).where('expire', '>', now).limit(1).executeTakeFirst()) !==
  undefined;

type New = Pick<Lockout, 'type' | 'start' | 'expire' | 'context'>;

export async function insert(tx: Writing, locking: Locking, subject: Subject, lockout: New): Promise<Lockout> {
  const change = await nextChange(tx, locking);
  const { username, ...columns } = columnsOf(subject);
  return tx
    .insertInto('secsuite_lockouts')
    .values({ ...lockout, ...columns, username: username && foldedName(username), active: flag(true), change })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Those that keep anybody out now, and are among these; `only` says which. */
export async function release(
  tx: Writing,
  locking: Locking,
  only: { readonly id: number } | { readonly host: string } | { readonly user: number } | 'all',
  now: Instant,
): Promise<number> {
  const change = await nextChange(tx, locking);
  let released = tx
    .updateTable('secsuite_lockouts')
    .set({ active: flag(false), change })
    .where('active', '=', 1);
  if (only === 'all') released = released.where('expire', '>', now);
  else if ('id' in only) released = released.where('id', '=', only.id);
  else if ('host' in only) released = released.where('subnet', '=', subnetIn(only.host)).where('expire', '>', now);
  else released = released.where('user_id', '=', only.user).where('expire', '>', now);
  return Number((await released.executeTakeFirst()).numUpdatedRows);
}

/** How many lockouts of its network ended later than this, or have not yet. */
export async function countSince(db: Db, host: string, since: Instant): Promise<number> {
  const counted = db.selectFrom('secsuite_lockouts').select((all) => all.fn.countAll<number>().as('many'));
  const { many } = await counted
    .where('subnet', '=', subnetIn(host))
    .where('expire', '>', since)
    .executeTakeFirstOrThrow();
  return Number(many);
}

/** Adds one for the subject, and says how many there are since then. */
export async function count(
  tx: Writing,
  { type, subject, at, since }: { type: string; subject: string; at: Instant; since: Instant },
): Promise<number> {
  await tx.insertInto('secsuite_lockout_events').values({ type, subject, at }).execute();
  const counted = tx.selectFrom('secsuite_lockout_events').select((all) => all.fn.countAll<number>().as('many'));
  const { many } = await counted
    .where('type', '=', type)
    .where('subject', '=', subject)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(many);
}

/** They led to a lockout: the next one begins with none. */
export const forgetEvents = (tx: Writing, type: string, subject: string) =>
  tx.deleteFrom('secsuite_lockout_events').where('type', '=', type).where('subject', '=', subject).execute();
