// Of each extension one install or removal at a time, among all processes. It is leased, and everything it does takes less than that;
// of a process of this machine that died it is free at once.
import { randomUUID } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { During } from '#store/writing.ts';
import { isGone, thisProcess } from '../platform/process-name.ts';
import type { ExtensionsNeeds } from './needs.ts';
import type { InstallsTable, Writing } from './tables.ts';

/** A minute to fetch it, and seconds for the rest. */
const lease = 5 * minute;

type Needs = Pick<ExtensionsNeeds, 'store' | 'clock'>;

/** Asked for by the last write of the work: throws when somebody else has begun meanwhile. */
export type Mine = (tx: Writing) => Promise<void>;

export async function alone<R>({ store, clock }: Needs, slug: string, work: (mine: Mine) => Promise<R>): Promise<R> {
  const token = randomUUID();
  await store.write((tx, during) => take(tx, during, slug, token, clock()));
  try {
    return await work((tx) => keep(tx, slug, token));
  } finally {
    // A store that is away by now lets the lease run out.
    await store.write((tx) => tx.deleteFrom('extension_installs').where('token', '=', token).execute()).catch(() => {});
  }
}

/** Of which somebody is at work. Whoever died is forgotten: should they live after all, they write nothing any more. */
export async function busyNow({ store, clock }: Needs): Promise<ReadonlySet<string>> {
  const now = clock();
  const all = await store.db.selectFrom('extension_installs').selectAll().execute();
  const ended = all.filter((one) => !isHeld(one, now)).map(({ token }) => token);
  if (ended.length > 0)
    await store.write((tx) => tx.deleteFrom('extension_installs').where('token', 'in', ended).execute());
  return new Set(all.filter((one) => isHeld(one, now)).map(({ slug }) => slug));
}

const isHeld = ({ leased_until, holder }: InstallsTable, now: Date): boolean =>
  leased_until > instant(now) && !isGone(holder);

async function take(tx: Writing, during: During, slug: string, token: string, now: Date): Promise<void> {
  await during.lock('extensions.install');
  const before = await tx.selectFrom('extension_installs').selectAll().where('slug', '=', slug).executeTakeFirst();
  if (before !== undefined && isHeld(before, now)) throw underWay(slug);
  const row = { token, holder: thisProcess(), leased_until: instant(new Date(now.getTime() + lease)) };
  await tx
    .insertInto('extension_installs')
    .values({ slug, ...row })
    .onConflict((on) => on.column('slug').doUpdateSet(row))
    .execute();
}

async function keep(tx: Writing, slug: string, token: string): Promise<void> {
  const mine = tx.updateTable('extension_installs').set({ token }).where('token', '=', token);
  if ((await mine.executeTakeFirst()).numUpdatedRows === 0n) throw underWay(slug);
}

const underWay = (slug: string): Problem =>
  new Problem(
    409,
    'install_in_progress',
    `The extension ${slug} is being installed or removed already. Please wait until that is done.`,
  );
