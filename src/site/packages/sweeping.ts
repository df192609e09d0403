// What is left of extensions that were not installed to the end, or removed: packages among the files, copies and workshops on this
// machine. What is young may be somebody's who is at work just now.
import { lstat, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '#kernel/problem.ts';
import { hour, minute } from '#lib/spans.ts';
import { endLease, isHeld, renewLease, takeLease } from '../platform/leases.ts';
import { packageErrors } from './errors.ts';
import {
  copiesFolder,
  copiesOn,
  copyFolder,
  copyName,
  isAbandoned,
  type Named,
  packagePath,
  packagesFolder,
  slugOfCopy,
  workshops,
} from './keeping.ts';
import type { ExtensionsNeeds } from './needs.ts';
import type { InstalledPackage } from './packages.ts';
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
async function busyNow({ store, clock }: InstallDeps): Promise<ReadonlySet<string>> {
  const leases = await store.db.selectFrom('leases').selectAll().where('name', 'like', `${prefix}%`).execute();
  const over = leases.filter((lease) => !isHeld(lease, life, clock())).map(({ token }) => token);
  if (over.length > 0) await store.write((tx) => tx.deleteFrom('leases').where('token', 'in', over).execute());
  return new Set(leases.flatMap(({ name, token }) => (over.includes(token) ? [] : [name.slice(prefix.length)])));
}

const underWay = (slug: string): Problem =>
  packageErrors.installInProgress(
    `The extension ${slug} is being installed or removed already. Please wait until that has ended.`,
  );

type Needs = Pick<ExtensionsNeeds, 'store' | 'clock' | 'data'>;

export async function sweepPackages(needs: ExtensionsNeeds): Promise<void> {
  await sweepCopies(needs);
  const { busy, kept } = await known(needs);
  const before = needs.clock().getTime() - hour;
  const paths = new Set(kept.map(packagePath));
  for await (const { path, modified } of needs.files.list(packagesFolder))
    if (!paths.has(path) && !busy.has(path.split('/')[1]!) && modified.getTime() < before)
      await needs.files.erase(path);
}

/** Whoever makes a copy has written down before that they are at it, or the extension is there: so copies are looked for first. */
export async function sweepCopies(needs: Needs): Promise<void> {
  const names = await copiesOn(needs.data);
  if (names.length === 0) return;
  const { busy, kept } = await known(needs);
  const copies = new Set(kept.map(copyName));
  const before = needs.clock().getTime() - hour;
  for (const name of names) {
    const place = join(copiesFolder(needs.data), name);
    const isWorkshop = name.startsWith(workshops);
    if (!isWorkshop && (copies.has(name) || busy.has(slugOfCopy(name)))) continue;
    if ((isWorkshop && isAbandoned(name)) || (await isOlder(place, before)))
      await rm(place, { recursive: true, force: true });
  }
}

/** What was an extension's copy at the last look and is none now was let go of meanwhile, whichever machine did it. */
export function createTidy(needs: Needs): () => Promise<void> {
  let before: readonly Named[] = [];
  return async () => {
    const { kept } = await known(needs);
    const now = new Set(kept.map(copyName));
    const gone = before.filter((one) => !now.has(copyName(one)));
    before = kept;
    for (const one of gone) await leaveForNow(needs, one);
    await sweepCopies(needs);
  };
}

/** Whoever is still answered by it may load files of it: it is swept later. */
const leaveForNow = ({ data, clock }: Needs, one: Named): Promise<void> =>
  utimes(copyFolder(data, one), clock(), clock()).catch(ignoreMissing);

const isOlder = async (place: string, moment: number): Promise<boolean> =>
  ((await lstat(place).catch(() => undefined))?.mtimeMs ?? moment) < moment;

/** Its package is nobody's any more. */
export async function letGo(needs: ExtensionsNeeds, one: InstalledPackage): Promise<void> {
  const { files, log } = needs;
  try {
    await leaveForNow(needs, one);
    await files.erase(packagePath(one));
  } catch (error) {
    log.warn(
      { err: error, extension: one.slug },
      'Files of an extension could not be deleted. The next install deletes them.',
    );
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Of which somebody is at work, and which there are: who has done their work meanwhile is among those. */
async function known({ store, clock }: Needs) {
  const busy = await busyNow({ store, clock });
  const rows = await store.db
    .selectFrom('extensions')
    .select(['slug', 'sha256', 'earlier'])
    .where('sha256', 'is not', null)
    .execute();
  return {
    busy,
    kept: rows.flatMap(({ slug, sha256, earlier }): Named[] => [
      ...(sha256 === null ? [] : [{ slug, sha256 }]),
      ...(earlier === null ? [] : [JSON.parse(earlier) as Named]),
    ]),
  };
}
