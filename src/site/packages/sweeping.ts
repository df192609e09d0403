// What is left of extensions that were not installed to the end, or removed: packages among the files, copies and workshops on this
// machine. What is young may be somebody's who is at work just now.
import { lstat, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { hour } from '#lib/spans.ts';
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
import { busyNow } from './leasing.ts';
import type { ExtensionsNeeds } from './needs.ts';
import type { InstalledPackage } from './packages.ts';

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
    log.warn({ err: error, extension: one.slug }, 'Files of an extension are left; they go with the next install.');
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
    .select(['slug', 'sha256'])
    .where('sha256', 'is not', null)
    .execute();
  return {
    busy,
    kept: rows.flatMap(({ slug, sha256 }) => (sha256 === null ? [] : [{ slug, sha256 }])),
  };
}
