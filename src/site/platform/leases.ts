// Leases: work that one holder at a time may do, among all processes and machines. Every write of the holder asks for its lease,
// so a holder that was silent for too long writes nothing once another has taken over.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Transaction } from 'kysely';
import type { Instant } from '#store/columns.ts';
import { instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { During } from '#store/writing.ts';

/** Processes that move in, as the store names them. */
export const thisProcess = (): string => `process ${process.pid} on ${hostname()}`;

/** Whether it was a process of this machine, and is there no more. */
export function isGone(holder: string): boolean {
  const [, id, machine] = /^process (\d+) on (.*)$/s.exec(holder) ?? [];
  if (id === undefined || machine !== hostname()) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

export interface Lease {
  /** `extension:bell` */
  name: string;
  token: string;
  /** A process, or a job that any process may continue. */
  holder: string;
  /** What the holder does, and afterwards what came of it, for others who want the lease. */
  detail: string;
  since: Instant;
  until: Instant;
}

export interface LeaseTables {
  leases: Lease;
}

export interface LeaseRequest {
  readonly name: string;
  /** How long the holder may be silent, in milliseconds. */
  readonly life: number;
  /** This process, unless somebody else answers for the work. */
  readonly holder?: string;
  readonly detail?: string;
  /** The same holder may take the lease again, to continue what it broke off. */
  readonly isResumable?: boolean;
}

type Tx = Transaction<LeaseTables>;

/** A time that lies further ahead was set by a clock that was wrong. */
const maxClockDifference = 5 * 60_000;

export const leaseTables: TableOwner = {
  owner: 'leases',
  migrations: [
    {
      name: '0001-leases',
      up: async ({ table, column }) => {
        await table('leases')
          .addColumn('name', column.text, (c) => c.primaryKey())
          .addColumn('token', column.text, (c) => c.notNull())
          .addColumn('holder', column.text, (c) => c.notNull())
          .addColumn('detail', column.text, (c) => c.notNull())
          .addColumn('since', column.instant, (c) => c.notNull())
          .addColumn('until', column.instant, (c) => c.notNull())
          .execute();
      },
    },
  ],
  quiet: ['leases'],
  // The holders of the site that was backed up do not work on this one.
  restored: async (tx) => void (await tx.deleteFrom('leases').execute()),
};

/** Whether the holder may still be at work. A process of this machine that died is known to be gone at once. */
export const isHeld = ({ until, holder }: Pick<Lease, 'until' | 'holder'>, life: number, now: Date): boolean =>
  until > instant(now) && until <= later(now, life + maxClockDifference) && !isGone(holder);

export const findLease = (db: Reads<LeaseTables>, name: string): Promise<Lease | undefined> =>
  db.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();

/** Takes it and answers its token; or answers the lease of the holder who is at work. */
export async function takeLease(
  tx: Tx,
  during: Pick<During, 'lock'>,
  { name, life, holder = thisProcess(), detail = '', isResumable = false }: LeaseRequest,
  now: Date,
): Promise<{ readonly token: string } | { readonly held: Lease }> {
  await during.lock(leaseLock(name));
  const found = await findLease(tx, name);
  // For update: a write of the holder may be under way that renews the lease. However long this waits for it, the holder is at work.
  const before = await tx.selectFrom('leases').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
  const isOwn = isResumable && before?.holder === holder;
  const isRenewed = found !== undefined && before !== undefined && before.until > found.until;
  if (before !== undefined && !isOwn && (isRenewed || isHeld(before, life, now))) return { held: before };
  const lease = { token: randomUUID(), holder, detail, since: instant(now), until: later(now, life) };
  await tx
    .insertInto('leases')
    .values({ name, ...lease })
    .onConflict((on) => on.column('name').doUpdateSet(lease))
    .execute();
  return { token: lease.token };
}

/** Nobody takes the lease while a write holds this lock. */
export const leaseLock = (name: string): string => `lease ${name}`;

/** Whether it is still the lease with this token; it is renewed then. */
export async function renewLease(tx: Tx, token: string, life: number, now: Date): Promise<boolean> {
  const until = later(now, life);
  const { numUpdatedRows } = await tx
    .updateTable('leases')
    .set({ until })
    .where('token', '=', token)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the lease, if it is still the one with this token. With a detail it stays readable for those who waited. */
export async function endLease(tx: Tx, token: string, now: Date, detail?: string): Promise<void> {
  if (detail === undefined) await tx.deleteFrom('leases').where('token', '=', token).execute();
  else
    await tx
      .updateTable('leases')
      .set({ until: instant(now), detail })
      .where('token', '=', token)
      .execute();
}

const later = (now: Date, milliseconds: number): Instant => instant(new Date(now.getTime() + milliseconds));
