// Installs and removals of an extension run one at a time among all processes. Everything they do takes less time than the lease.
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { endLease, isHeld, renewLease, takeLease } from '../platform/leases.ts';
import type { ExtensionsNeeds } from './needs.ts';
import type { Writing } from './tables.ts';

/** A minute for the download, and seconds for the rest. */
const life = 5 * minute;

const prefix = 'extension:';

type InstallDeps = Pick<ExtensionsNeeds, 'store' | 'clock'>;

/** Asked by the last write of the work: throws when another process has begun meanwhile. */
export type Mine = (tx: Writing) => Promise<void>;

export async function alone<R>(
  { store, clock }: InstallDeps,
  slug: string,
  work: (mine: Mine) => Promise<R>,
): Promise<R> {
  const taken = await store.write((tx, during) => takeLease(tx, during, { name: `${prefix}${slug}`, life }, clock()));
  if ('held' in taken) throw underWay(slug);
  const { token } = taken;
  try {
    return await work(async (tx) => {
      if (!(await renewLease(tx, token, life, clock()))) throw underWay(slug);
    });
  } finally {
    // If the store is away by now, the lease runs out.
    await store.write((tx) => endLease(tx, token, clock())).catch(() => {});
  }
}

/** The extensions that are being installed or removed. */
export async function busyNow({ store, clock }: InstallDeps): Promise<ReadonlySet<string>> {
  const leases = await store.db.selectFrom('leases').selectAll().where('name', 'like', `${prefix}%`).execute();
  const over = leases.filter((lease) => !isHeld(lease, life, clock())).map(({ token }) => token);
  if (over.length > 0) await store.write((tx) => tx.deleteFrom('leases').where('token', 'in', over).execute());
  return new Set(leases.flatMap(({ name, token }) => (over.includes(token) ? [] : [name.slice(prefix.length)])));
}

const underWay = (slug: string): Problem =>
  new Problem(
    409,
    'install_in_progress',
    `The extension ${slug} is being installed or removed already. Please wait until that is done.`,
  );
