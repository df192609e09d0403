// The sites that this hub knows: each is added under a name and given a key, and is listed from then on.
import { randomBytes } from 'node:crypto';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { kernelErrors } from '#kernel/errors.ts';
import { fold } from '#lib/fold.ts';
import { trimmed, withoutSteering } from '#lib/printable.ts';
import { hour } from '#lib/spans.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Clock } from '#site/platform/clock.ts';
import { type Keys, keyedHash } from '#site/platform/keys.ts';
import { instant } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { Store } from '#store/store.ts';
import { hubErrors } from './errors.ts';
import { type Condition, conditions, type Inventory } from './inventory.ts';
import type { HubTables, SitesTable, Writing } from './tables.ts';

/** `paused`: its owner wants nothing kept of it for now. */
export const memberships = ['full', 'paused'] as const;
export type Membership = (typeof memberships)[number];

/** A site that tells this hub how it is. */
export interface Site {
  readonly id: number;
  readonly name: string;
  readonly address: string | null;
  readonly membership: Membership;
  readonly created_at: string;
  readonly synced_at: string | null;
  readonly version: string | null;
  readonly health: Condition | null;
  readonly inventory: Inventory | null;
  /** Whether it should have told something by now. */
  readonly is_silent: boolean;
}

/** Sites tell something twice a day: this is three times in a row. */
export const patience = 36 * hour;

/** Before this moment it is silent that told something last. */
const silentBefore = (now: Date): string => new Date(now.getTime() - patience).toISOString();

function siteOf(row: Selectable<SitesTable>, now: Date): Site {
  const { id, name, address, created_at, synced_at, version } = row;
  const membership = row.membership === 'paused' ? 'paused' : 'full';
  return {
    id,
    name,
    address,
    membership,
    created_at,
    synced_at,
    version,
    health: conditions.find((one) => one === row.health) ?? null,
    inventory: row.inventory === null ? null : (JSON.parse(row.inventory) as Inventory),
    is_silent: membership === 'full' && (synced_at ?? created_at) < silentBefore(now),
  };
}

export interface Wanted {
  readonly limit: number;
  readonly offset: number;
  readonly search?: string | undefined;
  readonly orderby?: 'name' | 'synced_at' | 'health' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}

export type SiteDoing = Doing<Site, Writing>;

export type Sites = ReturnType<typeof createSites>;

export interface Needs {
  readonly store: Store<HubTables & IdentityTables>;
  readonly clock: Clock;
  readonly keys: Pick<Keys, 'encryption'>;
}

/** More than fit one person's eyes; lists stay short, and so does the count of what came lately. */
const maxSites = 1_000;
const maxNameLength = 100;

type Row = Parameters<typeof siteOf>[0];
type Listing = ExpressionBuilder<HubTables, 'hub_sites'>;

/** The worst first, and whoever told nothing yet last. */
const byHealth = sql<number>`case health when 'critical' then 0 when 'recommended' then 1 when 'good' then 2 else 3 end`;
const orders = {
  name: sql<string>`name_key`,
  synced_at: sql<string>`coalesce(synced_at, '')`,
  health: byHealth,
} as const;

export function createSites({ store, clock, keys }: Needs) {
  const rows = () => store.db.selectFrom('hub_sites').selectAll();
  const shown = (row: Row | undefined): Site | undefined => row && siteOf(row, clock());
  const there = (row: Row | undefined, id: number): Site => {
    if (row === undefined) throw hubErrors.hubSiteNotFound(id);
    return siteOf(row, clock());
  };

  /** Once whoever writes was asked again. */
  const mayWrite = async (tx: Writing, id: number, { again }: SiteDoing): Promise<void> => {
    const row = await tx.selectFrom('hub_sites').selectAll().where('id', '=', id).executeTakeFirst();
    await again?.(tx, shown(row));
  };

  return {
    get: async (id: number): Promise<Site> => there(await rows().where('id', '=', id).executeTakeFirst(), id),

    findByName: async (name: string): Promise<Site | undefined> =>
      shown(await rows().where('name_key', '=', fold(name)).executeTakeFirst()),

    findByKey: async (key: string): Promise<Site | undefined> =>
      shown(await rows().where('key_hash', '=', hashOf(keys, key)).executeTakeFirst()),

    async list({ limit, offset, orderby = 'name', order = 'asc', search }: Wanted) {
      const { total } = await matching(store, search)
        .select((row) => row.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const page = matching(store, search).selectAll().orderBy(orders[orderby], order).orderBy('id').limit(limit);
      const now = clock();
      return { total, items: (await page.offset(offset).execute()).map((row) => siteOf(row, now)) };
    },

    tally: () => tallySites(store, silentBefore(clock())),

    add: (name: string) => addSite({ store, clock, keys }, name),

    /** Paused, or looked after again. */
    join: (id: number, membership: Membership, doing: SiteDoing): Promise<Site> =>
      store.write(async (tx) => {
        await mayWrite(tx, id, doing);
        const changed = tx.updateTable('hub_sites').set({ membership }).where('id', '=', id);
        return there(await changed.returningAll().executeTakeFirst(), id);
      }),

    /** Its key opens nothing any more. Of several who erase it at once, one did. */
    erase: (id: number, doing: SiteDoing): Promise<Site> =>
      store.write(async (tx) => {
        await mayWrite(tx, id, doing);
        return there(await eraseRows(tx, id), id);
      }),
  };
}

const hashOf = (keys: Needs['keys'], key: string): string => keyedHash(keys.encryption, `hub ${key}`);

function matching({ db }: Needs['store'], search: string | undefined) {
  const sites = db.selectFrom('hub_sites');
  if (search === undefined || search === '') return sites;
  return sites.where((row: Listing) =>
    row.or([contains('name_key', fold(search)), contains('address_key', fold(search))]),
  );
}

/** Counts the sites, and those that did not synchronize after `before` though they should. */
async function tallySites({ db }: Needs['store'], before: string): Promise<{ all: number; silent: number }> {
  const since = sql<string>`coalesce(synced_at, created_at)`;
  const { all, silent } = await db
    .selectFrom('hub_sites')
    .select((row) => [
      row.fn.countAll<number>().as('all'),
      row.fn.countAll<number>().filterWhere('membership', '=', 'full').filterWhere(since, '<', before).as('silent'),
    ])
    .executeTakeFirstOrThrow();
  return { all: Number(all), silent: Number(silent) };
}

/** Returns the key that the site signs with. It cannot be read again, because only its hash is stored. */
async function addSite({ store, clock, keys }: Needs, text: string): Promise<{ site: Site; key: string }> {
  const name = nameIn(text);
  const key = `hub_${randomBytes(32).toString('base64url')}`;
  const now = clock();
  const values = {
    name,
    name_key: fold(name),
    key_hash: hashOf(keys, key),
    membership: 'full',
    address_key: '',
    created_at: instant(now),
  } as const;
  const row = await store.write(async (tx, { lock }) => {
    await lock('hub sites');
    const { all } = await tx
      .selectFrom('hub_sites')
      .select((one) => one.fn.countAll<number>().as('all'))
      .executeTakeFirstOrThrow();
    if (all >= maxSites) throw hubErrors.hubIsFull(maxSites);
    return tx
      .insertInto('hub_sites')
      .values(values)
      .onConflict((there) => there.column('name_key').doNothing())
      .returningAll()
      .executeTakeFirst();
  });
  if (row === undefined) throw hubErrors.hubSiteExists(name);
  return { site: siteOf(row, now), key };
}

export async function eraseRows(tx: Writing, id: number) {
  const erased = await tx.deleteFrom('hub_sites').where('id', '=', id).returningAll().executeTakeFirst();
  await tx.deleteFrom('hub_heard').where('site_id', '=', id).execute();
  return erased;
}

function nameIn(text: string): string {
  const name = trimmed(withoutSteering(text));
  if (name !== '' && name.length <= maxNameLength) return name;
  throw kernelErrors.invalidParam(`The name of a site must have 1 to ${maxNameLength} characters.`);
}
