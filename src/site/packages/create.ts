// The extensions of a site put together: what is done to them, and told of it.
import { Problem } from '#kernel/problem.ts';
import { compareVersions } from '#lib/version-number.ts';
import type { Doing } from '../identity/doing.ts';
import { nobodys } from '../identity/users/user.ts';
import type { SiteEvents } from '../platform/events.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { packageErrors } from './errors.ts';
import { installPackage, refuseFixed } from './installing.ts';
import { unpackedCopy } from './keeping.ts';
import { faultsAmong } from './needing.ts';
import type { ExtensionsNeeds } from './needs.ts';
import { type Card, type Extensions, findPackage, listCards, type Newer, type Offers, wantedNow } from './packages.ts';
import { nothingToHave, notInstalled, unknown } from './refusals.ts';
import { alone, createTidy, letGo } from './sweeping.ts';
import { activate, deactivate } from './switching.ts';
import { finishUpdate, updatePackage } from './updating.ts';

/** Whoever runs the site wants to know of these, though they were told to somebody. */
const suspicious = new Set([
  'download_failed',
  'integrity_failed',
  'invalid_package',
  'filesystem_error',
  'activation_failed',
  'update_undone',
]);

type Change = SiteEvents['extension.changed']['change'];

export function createExtensions(needs: ExtensionsNeeds): Extensions {
  const { store, bundled } = needs;
  const catalogue = createCatalogue(needs);
  const installing = { ...needs, catalogue };
  const list = () => listCards(store.db, bundled);
  const find = async (slug: string) => (await list()).find((one) => one.slug === slug);
  const get = async (slug: string): Promise<Card> => {
    const card = await find(slug);
    if (card === undefined) throw unknown(slug, bundled);
    return card;
  };
  const tried = async (
    slug: string,
    change: Change,
    doing: Doing,
    work: () => Promise<boolean>,
    automatic?: true,
  ): Promise<Card> => {
    const isDone = await work().catch((error) => {
      warnOf(needs, slug, change, doing, error);
      throw error;
    });
    if (isDone) announce(needs, slug, change, doing, automatic);
    return get(slug);
  };
  return {
    list,
    find,
    async isOffered(slug) {
      const card = await find(slug);
      return card?.bundled === true || (await catalogue.find(slug))?.type === 'free';
    },
    newer: (age) => newerVersions(needs, catalogue, age),
    offers: (age) => offersOf(needs, catalogue, age),
    async install(slug, doing) {
      const card = await find(slug);
      if (card?.installed) return card;
      return tried(slug, 'installed', doing, () => installPackage(installing, slug, doing));
    },
    update(slug, doing, { automatic, faultAfter } = {}) {
      return tried(slug, 'updated', doing, () => updatePackage(installing, slug, { doing, faultAfter }), automatic);
    },
    finishUpdate: (slug, faultAfter) =>
      tried(slug, 'updated', {}, () => finishUpdate(installing, slug, faultAfter), true),
    async activate(slug, doing) {
      const listed = (await find(slug)) === undefined ? await catalogue.find(slug) : undefined;
      if (listed !== undefined) throw notInstalled(listed);
      return tried(slug, 'activated', doing, () => activate(needs, slug, doing));
    },
    deactivate: (slug, doing) => tried(slug, 'deactivated', doing, () => deactivate(needs, slug, doing)),
    async remove(slug, doing) {
      await removePackage(needs, slug, doing);
      announce(needs, slug, 'removed', doing);
    },
    wanted: () => wantedNow(store.db, bundled),
    faults: async () => faultsAmong(needs, (await wantedNow(store.db, bundled)).installed),
    tidy: createTidy(needs),
    unpacked: (one) => unpackedCopy(needs, one),
  };
}

function warnOf({ log }: ExtensionsNeeds, slug: string, change: Change, { by = nobodys }: Doing, error: unknown): void {
  if (!(error instanceof Problem) || !suspicious.has(error.code)) return;
  log.warn({ extension: slug, by, code: error.code }, `An extension was not ${change}. ${error.message}`);
}

function announce(
  { events, log }: ExtensionsNeeds,
  slug: string,
  change: Change,
  { by = nobodys }: Doing,
  automatic?: true,
): void {
  log.info({ extension: slug, by }, `An extension was ${change}.`);
  events.emit('extension.changed', { slug, change, by, ...(automatic && { automatic }) });
}

// The installed extensions compared with the catalogue.

async function newerVersions({ store, bundled }: ExtensionsNeeds, catalogue: Catalogue, age: number): Promise<Newer> {
  const [{ installed }, { entries, fault }] = await Promise.all([wantedNow(store.db, bundled), catalogue.latest(age)]);
  const listed = new Map(entries.filter(({ type }) => type === 'free').map(({ slug, version }) => [slug, version]));
  const pairs = installed.map(({ slug, version }) => [slug, version, listed.get(slug) ?? ''] as const);
  const versions = new Map(
    pairs.filter(([, now, next]) => compareVersions(next, now) > 0).map(([slug, , next]) => [slug, next]),
  );
  return { versions, fault };
}

async function offersOf(needs: ExtensionsNeeds, catalogue: Catalogue, age: number): Promise<Offers> {
  const [{ installed }, latest] = await Promise.all([wantedNow(needs.store.db, needs.bundled), catalogue.latest(age)]);
  const here = new Map(installed.map(({ slug, version }) => [slug, version]));
  const all = latest.entries.map(({ slug, name, description, version, type }) => ({
    slug,
    name,
    description,
    version,
    free: type === 'free',
    installed: here.get(slug) ?? null,
  }));
  const offers = all.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  return { offers, fault: nothingToHave(needs.operator) ?? latest.fault };
}

// An extension that was installed is taken away again. What it kept in its tables stays, for when it comes back.

async function removePackage(needs: ExtensionsNeeds, slug: string, doing: Doing): Promise<void> {
  const { store, bundled, operator } = needs;
  const card = (await listCards(store.db, bundled)).find((one) => one.slug === slug);
  if (card === undefined) throw unknown(slug, bundled);
  if (card.active) throw packageErrors.cannotDeleteActivePlugin(slug);
  if (card.bundled) throw packageErrors.cannotDeleteBundled(card.name);
  refuseFixed(operator);
  // Nobody installs it again before its files are gone.
  await alone(needs, slug, () => takenAway(needs, slug, doing));
}

async function takenAway(needs: ExtensionsNeeds, slug: string, doing: Doing): Promise<void> {
  const { store, bundled } = needs;
  const gone = await store.write(async (tx, during) => {
    await doing.again?.(tx, undefined);
    await during.lock('extensions.switch');
    const now = await findPackage(tx, slug);
    if (now === undefined) throw unknown(slug, bundled);
    if (now.active) throw packageErrors.cannotDeleteActivePlugin(slug);
    await tx.deleteFrom('extensions').where('slug', '=', slug).execute();
    return now;
  });
  await letGo(needs, gone);
}
