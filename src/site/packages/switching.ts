// Extensions are switched on and off. What people said is kept, and every process follows it; one that cannot start stays off.
import type { Problem } from '#kernel/problem.ts';
import { flag } from '#store/columns.ts';
import { NewerPackage } from '#store/packaged.ts';
import type { Doing } from '../identity/doing.ts';
import { packageErrors } from './errors.ts';
import { unpackedCopy } from './keeping.ts';
import { isAmong, partOf, partsNow, refuseAlone, refuseNeeded } from './needing.ts';
import type { ExtensionsNeeds } from './needs.ts';
import { type BundledCard, findPackage, type InstalledPackage, LeftOut, listCards } from './packages.ts';
import { refuseUnmet, unknown } from './refusals.ts';

type Here = BundledCard | InstalledPackage;

/** Whether it was switched: it may have been on already. */
export async function activate(needs: ExtensionsNeeds, slug: string, doing: Doing): Promise<boolean> {
  const one = await get(needs, slug);
  if (await isOn(needs, slug)) {
    // It may be on, and not usable on this machine.
    if ('manifest' in one) await unpackedCopy(needs, one);
    return false;
  }
  if ('manifest' in one) await refuseUnsound(needs, one);
  refuseAlone(partOf(one), await partsNow(needs.store.db, needs.bundled));
  const fault = await needs.trial(one);
  if (fault !== undefined) throw notStarted(one, fault);
  if (!(await said(needs, one, true, doing))) return false;
  await followedOr(needs, one, () => said(needs, one, false, {}));
  return true;
}

/** Others may be broken here: that says nothing against this one. Where it is the broken one, `back` says what is wanted instead. */
export async function followedOr(
  needs: ExtensionsNeeds,
  one: Here,
  back: () => Promise<unknown>,
  before?: InstalledPackage,
): Promise<void> {
  const { followed, log } = needs;
  try {
    await followed();
  } catch (error) {
    if (error instanceof LeftOut && !error.slugs.includes(one.slug)) return;
    log.error({ err: error, extension: one.slug }, 'An extension could not be started. The site runs as before.');
    await back();
    await followed().catch(() => {});
    throw notStarted(one, whyNot(one, error), before);
  }
}

function whyNot({ slug }: Here, error: unknown): string {
  const isOfThis = error instanceof LeftOut && error.slugs[0] === slug && error.cause instanceof NewerPackage;
  return isOfThis ? (error.cause as NewerPackage).message : 'Read the log of the site for the cause.';
}

/** Whether it was switched: it may have been off already. */
export async function deactivate(needs: ExtensionsNeeds, slug: string, doing: Doing): Promise<boolean> {
  const one = await get(needs, slug);
  if (!(await isOn(needs, slug)) || !(await said(needs, one, false, doing))) return false;
  // It is off from here on, whatever it leaves behind in this process.
  await needs
    .followed()
    .catch((error) => needs.log.error({ err: error, extension: slug }, 'An extension did not end.'));
  return true;
}

async function get({ store, bundled }: ExtensionsNeeds, slug: string): Promise<Here> {
  const own = bundled.find((one) => one.slug === slug);
  const one = own ?? (await findPackage(store.db, slug));
  if (one === undefined || own?.always || own?.here === false) throw unknown(slug, bundled);
  return one;
}

const isOn = async ({ store, bundled }: ExtensionsNeeds, slug: string): Promise<boolean> =>
  isAmong(await partsNow(store.db, bundled), { slug });

async function refuseUnsound(needs: ExtensionsNeeds, one: InstalledPackage): Promise<void> {
  refuseUnmet(one.manifest, await listCards(needs.store.db, needs.bundled), needs.version);
  await unpackedCopy(needs, one);
}

/** Keeps what was said; false when it was so by then. */
function said(needs: ExtensionsNeeds, one: Here, active: boolean, doing: Doing): Promise<boolean> {
  const { store, bundled } = needs;
  return store.write(async (tx, during) => {
    await doing.again?.(tx, undefined);
    // Two of which one needs the other are not switched past each other.
    await during.lock('extensions.switch');
    if ('manifest' in one && (await findPackage(tx, one.slug))?.sha256 !== one.sha256) throw unknown(one.slug, bundled);
    const running = await partsNow(tx, bundled);
    if (isAmong(running, one) === active) return false;
    const refuse = active ? refuseAlone : refuseNeeded;
    refuse(partOf(one), running);
    // The row of one that comes with the program is made here; those of packages are there.
    await tx
      .insertInto('extensions')
      .values({ slug: one.slug, active: flag(active) })
      .onConflict((on) => on.column('slug').doUpdateSet({ active: flag(active) }))
      .execute();
    return true;
  });
}

/** What an author says of their mistake may be a word: whose it is, is said by us. */
export function notStarted(one: Here, why: string, before?: InstalledPackage): Problem {
  const name = 'manifest' in one ? `${one.manifest.name} ${one.version}` : one.name;
  const goesOn = before === undefined ? '' : ` ${before.version} goes on.`;
  return packageErrors.activationFailed(name, why.replace(/[.\s]+$/, ''), goesOn);
}
