// A newer version takes the place of the one that is installed. It is fetched, looked at and tried as any other; the row is replaced in
// one write, which every process follows, and the earlier version is kept until that is done.
import { compareVersions } from '#lib/version-number.ts';
import { packageOwner } from '#store/packaged.ts';
import type { Doing } from '../identity/doing.ts';
import type { Listed } from './catalogue-document.ts';
import { packageErrors } from './errors.ts';
import { type At, brought, type InstallNeeds, refuseFixed, rowOf } from './installing.ts';
import { unmet } from './manifest.ts';
import { partOf, partsNow, refuseAlone } from './needing.ts';
import { findEarlier, findPackage, type InstalledPackage, type UpdateOptions, wantedNow } from './packages.ts';
import { notOffered, unknown } from './refusals.ts';
import { alone, letGo } from './sweeping.ts';
import { followedOr, notStarted } from './switching.ts';
import type { Writing } from './tables.ts';

interface Update extends Pick<UpdateOptions, 'faultAfter'> {
  readonly doing: Doing;
}

/** Whether it is another version now: it may have been the newest already. */
export async function updatePackage(
  needs: InstallNeeds,
  slug: string,
  { doing, faultAfter }: Update,
): Promise<boolean> {
  const { store, catalogue, operator } = needs;
  await installed(needs, slug);
  const entry = await catalogue.findFree(slug);
  if (entry === undefined) throw notOffered(operator, `The catalogue of this site does not list ${slug}.`);
  refuseFixed(operator);
  return alone(needs, slug, async (mine) => {
    const before = await installed(needs, slug);
    if (!isNewer(entry, before)) return false;
    await refuseUnfitForOthers(needs, entry);
    const at = { doing, mine };
    await brought(needs, entry, at, (one) => replaced(needs, before, one, { ...at, faultAfter }));
    if ((await findPackage(store.db, slug))?.sha256 !== before.sha256) await letGo(needs, before);
    return true;
  });
}

async function installed({ store, bundled }: InstallNeeds, slug: string): Promise<InstalledPackage> {
  const own = bundled.find((one) => one.slug === slug);
  if (own?.here && !own.always) throw packageErrors.comesWithGatehouse(own.name);
  const one = own === undefined ? await findPackage(store.db, slug) : undefined;
  if (one === undefined) throw unknown(slug, bundled);
  return one;
}

/** What tables are made of only grows: an earlier version cannot use what a later one left. */
function isNewer({ slug, version }: Listed, { version: now, manifest }: InstalledPackage): boolean {
  const order = compareVersions(version, now);
  if (order < 0) throw packageErrors.olderVersion(manifest.name, now, version, slug);
  return order > 0;
}

/** What others that are on require of it, they require of its next version as well. */
async function refuseUnfitForOthers({ store, bundled }: InstallNeeds, { slug, version }: Listed): Promise<void> {
  const { installed: all } = await wantedNow(store.db, bundled);
  for (const { active, manifest } of all) {
    const range = manifest.requires[slug];
    if (!active || range === undefined || unmet({ requires: { [slug]: range } }, { [slug]: version }) === undefined)
      continue;
    throw packageErrors.extensionIsNeeded(
      `${manifest.name} needs ${slug} ${range}, but the new version is ${version}. Turn off ${manifest.slug} first.`,
    );
  }
}

async function replaced(
  needs: InstallNeeds,
  before: InstalledPackage,
  one: InstalledPackage,
  at: At & Pick<UpdateOptions, 'faultAfter'>,
): Promise<void> {
  const next = { ...one, active: before.active };
  if (next.active) {
    refuseAlone(partOf(next), await partsNow(needs.store.db, needs.bundled));
    const fault = await needs.trial(next);
    if (fault !== undefined) throw notStarted(next, fault, before);
  }
  await swapped(needs, before, next, at, { earlier: next.active && at.faultAfter ? before : undefined });
  if (next.active) await checked(needs, before, next, at);
}

/** If the later version cannot start, or the site is not well with it, the earlier version goes on. */
async function checked(
  needs: InstallNeeds,
  before: InstalledPackage,
  next: InstalledPackage,
  at: At & Pick<UpdateOptions, 'faultAfter'>,
): Promise<void> {
  await followedOr(needs, next, () => takenBack(needs, next, before, at), before);
  if (at.faultAfter === undefined) return;
  const fault = await at.faultAfter();
  if (fault === undefined) return forgetEarlier(needs, next);
  await takenBack(needs, next, before, at);
  await needs
    .followed()
    .catch((error) =>
      needs.log.error(
        { err: error, extension: next.slug },
        'The earlier version of an extension could not be started.',
      ),
    );
  throw packageErrors.updateUndone(next.manifest.name, next.version, fault, before.version);
}

const forgetEarlier = ({ store }: InstallNeeds, { slug, sha256 }: InstalledPackage): Promise<void> =>
  store.write(async (tx) => {
    const mine = tx.updateTable('extensions').where('slug', '=', slug).where('sha256', '=', sha256);
    await mine.set({ earlier: null }).execute();
  });

/** Does the rest of an update in the middle of which a process was killed. Whether there was one. */
export const finishUpdate = (
  needs: InstallNeeds,
  slug: string,
  faultAfter: () => Promise<string | undefined>,
): Promise<boolean> =>
  alone(needs, slug, async (mine) => {
    const [next, before] = await Promise.all([findPackage(needs.store.db, slug), findEarlier(needs.store.db, slug)]);
    if (next === undefined || before === undefined) return false;
    try {
      if (next.active) await checked(needs, before, next, { doing: {}, mine, faultAfter });
      else await forgetEarlier(needs, next);
    } finally {
      const now = await findPackage(needs.store.db, slug);
      await letGo(needs, now?.sha256 === next.sha256 ? before : next);
    }
    return true;
  });

/** What the newer one made of the tables stays, and the earlier one goes on beside it: here, elsewhere, and after a restart. */
const takenBack = (needs: InstallNeeds, from: InstalledPackage, to: InstalledPackage, at: At): Promise<void> =>
  swapped(needs, from, to, { ...at, doing: {} }, { besideOf: (tx) => migrationsOf(tx, to.slug) });

async function migrationsOf(tx: Writing, slug: string): Promise<string[]> {
  const { owner } = packageOwner(slug);
  const all = await tx.selectFrom('migrations').select('name').where('owner', '=', owner).orderBy('name').execute();
  return all.map(({ name }) => name);
}

interface Swap {
  readonly besideOf?: (tx: Writing) => Promise<string[]>;
  /** Comes back if the site is not well. */
  readonly earlier?: InstalledPackage | undefined;
}

/** Throws when it was removed, updated or switched on by somebody meanwhile. */
async function swapped(
  needs: InstallNeeds,
  from: InstalledPackage,
  to: InstalledPackage,
  at: At,
  { besideOf, earlier }: Swap,
): Promise<void> {
  const isAsItWas = async (tx: Writing) => {
    const now = await findPackage(tx, from.slug);
    return now?.sha256 === from.sha256 && (from.active || !now.active);
  };
  await needs.store.write(async (tx, during) => {
    await at.doing.again?.(tx, undefined);
    await at.mine(tx);
    await during.lock('extensions.switch');
    if (!(await isAsItWas(tx)))
      throw packageErrors.installInProgress(`The extension ${from.slug} was changed by another request. Try again.`);
    await tx
      .updateTable('extensions')
      .set({
        ...rowOf(needs, { ...to, beside: (await besideOf?.(tx)) ?? to.beside }, at.doing),
        earlier: earlier ? JSON.stringify(earlier) : null,
      })
      .where('slug', '=', from.slug)
      .execute();
  });
}
