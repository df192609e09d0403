// The sites that this hub knows: each is added under a name and given a key, and is listed from then on.
import { randomBytes } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { fold } from '#lib/fold.ts';
import { trimmed, withoutSteering } from '#lib/printable.ts';
import type { Doing } from '#site/identity/doing.ts';
import { keyedHash } from '#site/identity/keyed-hash.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Keys } from '#site/platform/keys.ts';
import { instant } from '#store/columns.ts';
import { contains } from '#store/contains.ts';
import type { Store } from '#store/store.ts';
import { type Membership, type Site, silentBefore, siteOf } from './site.ts';
import type { HubTables, Writing } from './tables.ts';

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
const mostSites = 1_000;
const longestName = 100;

export const missing = (): Problem => new Problem(404, 'hub_site_not_found', 'This hub knows no such site.');

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
  const hashOf = (key: string): string => keyedHash(keys.encryption, `hub ${key}`);
  const rows = () => store.db.selectFrom('hub_sites').selectAll();
  const shown = (row: Row | undefined): Site | undefined => row && siteOf(row, clock());
  const there = (row: Row | undefined): Site => {
    if (row === undefined) throw missing();
    return siteOf(row, clock());
  };

  const matching = ({ search }: Pick<Wanted, 'search'>) => {
    const found = store.db.selectFrom('hub_sites');
    if (search === undefined || search === '') return found;
    return found.where((row: Listing) =>
      row.or([contains('name_key', fold(search)), contains('address_key', fold(search))]),
    );
  };

  /** Once whoever writes was asked again. */
  const mayWrite = async (tx: Writing, id: number, { again }: SiteDoing): Promise<void> => {
    const row = await tx.selectFrom('hub_sites').selectAll().where('id', '=', id).executeTakeFirst();
    await again?.(tx, shown(row));
  };

  return {
    get: async (id: number): Promise<Site> => there(await rows().where('id', '=', id).executeTakeFirst()),

    findByName: async (name: string): Promise<Site | undefined> =>
      shown(await rows().where('name_key', '=', fold(name)).executeTakeFirst()),

    findByKey: async (key: string): Promise<Site | undefined> =>
      shown(await rows().where('key_hash', '=', hashOf(key)).executeTakeFirst()),

    async list({ limit, offset, orderby = 'name', order = 'asc', search }: Wanted) {
      const { total } = await matching({ search })
        .select((row) => row.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const page = matching({ search }).selectAll().orderBy(orders[orderby], order).orderBy('id').limit(limit);
      const now = clock();
      return { total, items: (await page.offset(offset).execute()).map((row) => siteOf(row, now)) };
    },

    /** How many there are, and how many of them should have told something by now. */
    async tally(): Promise<{ all: number; silent: number }> {
      const before = silentBefore(clock());
      const since = sql<string>`coalesce(synced_at, created_at)`;
      const { all, silent } = await store.db
        .selectFrom('hub_sites')
        .select((row) => [
          row.fn.countAll<number>().as('all'),
          row.fn.countAll<number>().filterWhere('membership', '=', 'full').filterWhere(since, '<', before).as('silent'),
        ])
        .executeTakeFirstOrThrow();
      return { all: Number(all), silent: Number(silent) };
    },

    /** With the key that it signs with: nobody can read it again. */
    async add(name: string): Promise<{ readonly site: Site; readonly key: string }> {
      const called = nameIn(name);
      const key = `hub_${randomBytes(32).toString('base64url')}`;
      const now = clock();
      const values = {
        name: called,
        name_key: fold(called),
        key_hash: hashOf(key),
        membership: 'full',
        address_key: '',
      };
      const row = await store.write(async (tx, { lock }) => {
        await lock('hub sites');
        const { all } = await tx
          .selectFrom('hub_sites')
          .select((one) => one.fn.countAll<number>().as('all'))
          .executeTakeFirstOrThrow();
        if (all >= mostSites) throw new Problem(409, 'hub_is_full', `A hub looks after ${mostSites} sites at most.`);
        return tx
          .insertInto('hub_sites')
          .values({ ...values, created_at: instant(now) })
          .onConflict((there) => there.column('name_key').doNothing())
          .returningAll()
          .executeTakeFirst();
      });
      if (row === undefined) throw new Problem(409, 'hub_site_exists', `There is a site called ${called} already.`);
      return { site: siteOf(row, now), key };
    },

    /** Paused, or looked after again. */
    join: (id: number, membership: Membership, doing: SiteDoing): Promise<Site> =>
      store.write(async (tx) => {
        await mayWrite(tx, id, doing);
        const changed = tx.updateTable('hub_sites').set({ membership }).where('id', '=', id);
        return there(await changed.returningAll().executeTakeFirst());
      }),

    /** Its key opens nothing any more. Of several who erase it at once, one did. */
    erase: (id: number, doing: SiteDoing): Promise<Site> =>
      store.write(async (tx) => {
        await mayWrite(tx, id, doing);
        return there(await eraseRows(tx, id));
      }),
  };
}

export async function eraseRows(tx: Writing, id: number) {
  const erased = await tx.deleteFrom('hub_sites').where('id', '=', id).returningAll().executeTakeFirst();
  await tx.deleteFrom('hub_heard').where('site_id', '=', id).execute();
  return erased;
}

function nameIn(text: string): string {
  const name = trimmed(withoutSteering(text));
  if (name !== '' && name.length <= longestName) return name;
  throw new Problem(400, 'rest_invalid_param', `A site needs a name of 1 to ${longestName} characters.`);
}
