// Dashboards of a site: who made them, with whom they are shared, and the cards on them. No word of HTTP here.
import type { Transaction } from 'kysely';
import { defineError, raise } from '#kernel/problem.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Reads } from '#store/handles.ts';
import { inFewSizes } from '#store/statements.ts';
import type { Store } from '#store/store.ts';
import { rowsOf } from '../../accounts/accounts.ts';
import { suiteErrors } from '../../errors.ts';
import type { CardType } from './card-data.ts';
import type { CardRow, DashboardTables } from './tables.ts';

export const dashboardErrors = {
  maximumCards: defineError(
    400,
    'secsuite_dashboard_maximum_cards',
    (slug: string) => `The dashboard has a card "${slug}" already. Delete it first.`,
  ),
  invalidCards: defineError(
    400,
    'secsuite-dashboard-layout-invalid-cards',
    'Some cards are not on this dashboard, or are of another type.',
  ),
};

/** With these users, or with everybody who has one of these roles. */
export interface Sharing {
  readonly users: readonly number[];
  readonly roles: readonly string[];
}

export interface Card {
  readonly id: number;
  readonly dashboard: number;
  readonly type: string;
  readonly size: Readonly<Record<string, unknown>>;
  readonly position: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Dashboard extends Sharing {
  readonly id: number;
  readonly created_by: number;
  readonly created_at: string;
  readonly label: string;
  readonly cards: readonly Card[];
}

export interface NewDashboard extends Partial<Sharing> {
  readonly label: string;
  readonly created_by: number;
  readonly created_at?: string;
  readonly cards: readonly NewCard[];
}

export type NewCard = Pick<Card, 'type'> & Partial<Pick<Card, 'size' | 'position' | 'settings'>>;
type Placed = Pick<Card, 'id' | 'type' | 'size' | 'position'>;
type Tx = Transaction<DashboardTables>;

export type Dashboards = ReturnType<typeof createDashboards>;

const longestLabel = 255;
const shortened = (label: string): string => [...label.slice(0, 2 * longestLabel)].slice(0, longestLabel).join('');

export function createDashboards({ store, clock }: { readonly store: Store<DashboardTables>; readonly clock: Clock }) {
  const { db } = store;
  const get = async (id: number): Promise<Dashboard> => (await read(db, id))[0] ?? raise(notThere(id));
  const insert = async (
    tx: Tx,
    { label, created_by, created_at, cards, ...sharing }: NewDashboard,
  ): Promise<number> => {
    const row = {
      created_by,
      created_at: created_at ?? instant(clock()),
      label: shortened(label),
    };
    const { id } = await tx.insertInto('secsuite_dashboards').values(row).returning('id').executeTakeFirstOrThrow();
    await share(tx, id, sharing);
    for (const card of cards) await insertCard(tx, id, card);
    return id;
  };
  return {
    insert,
    get,
    /** The oldest first. */
    all: () => read(db),
    find: async (id: number): Promise<Dashboard | undefined> => (await read(db, id))[0],
    async add(wanted: NewDashboard): Promise<Dashboard> {
      return get(await store.write((tx) => insert(tx, wanted)));
    },
    async change(id: number, { label, ...sharing }: { readonly label?: string | undefined } & Partial<Sharing>) {
      await store.write(async (tx) => {
        if (label !== undefined)
          await tx
            .updateTable('secsuite_dashboards')
            .set({ label: shortened(label) })
            .where('id', '=', id)
            .execute();
        await share(tx, id, sharing);
      });
      return get(id);
    },
    async remove(id: number): Promise<void> {
      await store.write(async (tx) => {
        await tx.deleteFrom('secsuite_dashboard_cards').where('dashboard', '=', id).execute();
        await tx.deleteFrom('secsuite_dashboard_shares').where('dashboard', '=', id).execute();
        await tx.deleteFrom('secsuite_primary_dashboards').where('dashboard', '=', id).execute();
        await tx.deleteFrom('secsuite_dashboards').where('id', '=', id).execute();
      });
    },
    async removeAll(tx: Tx): Promise<void> {
      await tx.deleteFrom('secsuite_dashboard_cards').execute();
      await tx.deleteFrom('secsuite_dashboard_shares').execute();
      await tx.deleteFrom('secsuite_primary_dashboards').execute();
      await tx.deleteFrom('secsuite_dashboards').execute();
    },
    ...createCardWrites(store, get),
    ...createPrimary(store),
    /** A user is gone: their dashboards go with them. */
    async forget(user: number): Promise<void> {
      const own = await db.selectFrom('secsuite_dashboards').select('id').where('created_by', '=', user).execute();
      for (const { id } of own) await this.remove(id);
      await store.write(async (tx) => {
        await tx.deleteFrom('secsuite_dashboard_shares').where('user_id', '=', user).execute();
        await tx.deleteFrom('secsuite_primary_dashboards').where('user_id', '=', user).execute();
      });
    },
  };
}

/** Each user has one primary dashboard, or none: then its id is 0. */
const createPrimary = (store: Store<DashboardTables>) => ({
  async primaryOf(users: readonly Pick<User, 'id'>[]): Promise<ReadonlyMap<number, number>> {
    const rows = await rowsOf(users, (ids) =>
      store.db.selectFrom('secsuite_primary_dashboards').selectAll().where('user_id', 'in', ids).execute(),
    );
    const primary = new Map(rows.map(({ user_id, dashboard }) => [user_id, dashboard]));
    return new Map(users.map(({ id }) => [id, primary.get(id) ?? 0]));
  },
  async choosePrimary({ id: user_id }: Pick<User, 'id'>, dashboard: number): Promise<void> {
    await store.write(async (tx) => {
      await tx.deleteFrom('secsuite_primary_dashboards').where('user_id', '=', user_id).execute();
      if (dashboard > 0) await tx.insertInto('secsuite_primary_dashboards').values({ user_id, dashboard }).execute();
    });
  },
});

function createCardWrites(store: Store<DashboardTables>, get: (id: number) => Promise<Dashboard>) {
  return {
    async addCard(
      id: number,
      { slug, max }: Pick<CardType, 'slug' | 'max'>,
      settings: Card['settings'],
    ): Promise<Card> {
      const card = await store.write(async (tx, { lock }) => {
        await lock(`secsuite dashboard ${id}`);
        const { cards } = (await read(tx, id))[0] ?? raise(notThere(id));
        if (max !== null && cards.filter(({ type }) => type === slug).length >= max)
          throw dashboardErrors.maximumCards(slug);
        return insertCard(tx, id, { type: slug, settings });
      });
      return (await get(id)).cards.find((one) => one.id === card)!;
    },
    async changeCard(id: number, settings: Card['settings']): Promise<void> {
      const set = { settings: JSON.stringify(settings) };
      await store.write((tx) => tx.updateTable('secsuite_dashboard_cards').set(set).where('id', '=', id).execute());
    },
    async removeCard(id: number): Promise<void> {
      await store.write((tx) => tx.deleteFrom('secsuite_dashboard_cards').where('id', '=', id).execute());
    },
    /** Places these cards; the others stay where they are. */
    async place(id: number, placed: readonly Placed[]): Promise<Dashboard> {
      await store.write(async (tx) => {
        const { cards } = (await read(tx, id))[0] ?? raise(notThere(id));
        const unknown = placed.filter((one) => !cards.some((card) => card.id === one.id && card.type === one.type));
        if (unknown.length > 0) throw dashboardErrors.invalidCards().with({ cards: unknown.map((one) => one.id) });
        for (const { id: card, size, position } of placed) {
          const set = { size: JSON.stringify(size), position: JSON.stringify(position) };
          await tx.updateTable('secsuite_dashboard_cards').set(set).where('id', '=', card).execute();
        }
      });
      return get(id);
    },
  };
}

const notThere = (id: number) => suiteErrors.notFound(`Dashboard ${id}`);

async function read(db: Reads<DashboardTables>, id?: number): Promise<Dashboard[]> {
  const dashboards = db.selectFrom('secsuite_dashboards').selectAll().orderBy('id');
  const cards = db.selectFrom('secsuite_dashboard_cards').selectAll().orderBy('id');
  const shares = db.selectFrom('secsuite_dashboard_shares').selectAll();
  const [rows, allCards, allShares] = await Promise.all([
    (id === undefined ? dashboards : dashboards.where('id', '=', id)).execute(),
    (id === undefined ? cards : cards.where('dashboard', '=', id)).execute(),
    (id === undefined ? shares : shares.where('dashboard', '=', id)).execute(),
  ]);
  const cardsOf = Map.groupBy(allCards, ({ dashboard }) => dashboard);
  const sharesOf = Map.groupBy(allShares, ({ dashboard }) => dashboard);
  return rows.map((row) => ({
    ...row,
    cards: (cardsOf.get(row.id) ?? []).map(cardOf),
    users: (sharesOf.get(row.id) ?? []).flatMap(({ user_id }) => user_id ?? []).sort((one, other) => one - other),
    roles: (sharesOf.get(row.id) ?? []).flatMap(({ role }) => role ?? []).sort(),
  }));
}

const cardOf = ({ size, position, settings, ...row }: CardRow): Card => ({
  ...row,
  size: JSON.parse(size),
  position: JSON.parse(position),
  settings: JSON.parse(settings),
});

async function insertCard(tx: Tx, dashboard: number, card: NewCard): Promise<number> {
  const { type, size = {}, position = {}, settings = {} } = card;
  const [sized, placed, set] = [size, position, settings].map((one) => JSON.stringify(one));
  const row = { dashboard, type, size: sized!, position: placed!, settings: set! };
  const { id } = await tx.insertInto('secsuite_dashboard_cards').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Replaces the lists that are named. */
async function share(tx: Tx, dashboard: number, { users, roles }: Partial<Sharing>): Promise<void> {
  const all = tx.deleteFrom('secsuite_dashboard_shares').where('dashboard', '=', dashboard);
  if (users) await all.where('user_id', 'is not', null).execute();
  if (roles) await all.where('role', 'is not', null).execute();
  const rows = [
    ...[...new Set(users)].map((user_id) => ({ dashboard, user_id, role: null })),
    ...[...new Set(roles)].map((role) => ({ dashboard, user_id: null, role })),
  ];
  for (const some of inFewSizes(rows)) await tx.insertInto('secsuite_dashboard_shares').values(some).execute();
}
