// The list of users: filtered, sorted, paged and counted, and quick with very many of them.
import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { EngineName } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import { allPossible, givenOrder, pageAsGiven, totalAfter } from '../../platform/listing.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { Roles } from '../roles.ts';
import { type IdentityTables, sortedEmail } from '../tables.ts';
import { type Crowd, columns, crowd, withRoles } from './rows.ts';
import { found, type Search } from './search.ts';
import type { User } from './user.ts';

type Tables = IdentityTables & TotalsTables;
type Db = Reads<Tables>;
type Matching = SelectQueryBuilder<Tables, 'users', object>;

type OrderBy = 'id' | 'include' | 'name' | 'registered_date' | 'slug' | 'include_slugs' | 'email' | 'url';

export interface Wanted extends Search {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: OrderBy;
  readonly search?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slugs?: readonly string[];
  /** Holders of any of these. */
  readonly roles?: readonly string[];
  /** Who may do any of these. */
  readonly capabilities?: readonly string[];
  /** Something else that is asked of rows of `users`. */
  readonly also?: RawBuilder<SqlBool>;
}

interface Listing {
  readonly db: Db;
  readonly engine: EngineName;
  readonly roles: Roles;
}

export async function listUsers(listing: Listing, wanted: Wanted): Promise<{ items: User[]; total: number }> {
  const held = [wanted.roles, wanted.capabilities && listing.roles.giving(wanted.capabilities)].filter(isGiven);
  const there = await crowd(listing.db, held);
  const asked = matchingUsers(listing, wanted);
  const role = wanted.orderBy === 'name' && held.length === 1 && held[0]?.length === 1 ? held[0][0] : undefined;
  const matching = role === undefined ? asked.where(holding(held, areSparse(there, wanted))) : withRole(asked, role);
  const inGivenOrder = givenOrder(wanted);
  const rows = inGivenOrder
    ? pageAsGiven(await matching.select(columns).execute(), inGivenOrder, wanted)
    : await ordered(matching, wanted, role !== undefined)
        .select(columns)
        .limit(wanted.limit)
        .offset(wanted.offset)
        .execute();
  const total = isNarrowed(wanted) ? await totalFrom(rows.length, matching, wanted) : there.holding;
  return { items: await withRoles(listing.db, rows), total };
}

const isGiven = (roles: readonly string[] | undefined): roles is readonly string[] => roles !== undefined;

function matchingUsers({ db, engine }: Listing, { include = [], exclude = [], slugs = [], ...wanted }: Wanted) {
  const search = wanted.search?.trim() ?? '';
  let matching: Matching = db.selectFrom('users');
  if (include.length > 0) matching = matching.where('users.id', 'in', allPossible(include));
  if (exclude.length > 0) matching = matching.where('users.id', 'not in', allPossible(exclude));
  if (slugs.length > 0) matching = matching.where('users.slug', 'in', [...slugs]);
  if (search !== '') matching = matching.where(found(engine, search, wanted));
  if (wanted.also !== undefined) matching = matching.where(wanted.also);
  return matching;
}

/** The holders of one role, who can be read by name. */
const withRole = (asked: Matching, role: string): Matching =>
  asked.innerJoin('user_roles as holder', (join) =>
    join.onRef('holder.user_id', '=', 'users.id').on('holder.role', '=', role),
  ) as unknown as Matching;

/** Whether it is less work to read all who hold the roles and sort them than to go through everybody in order until a page is full. */
const areSparse = ({ all, holding }: Crowd, { limit, offset }: Wanted): boolean =>
  holding * holding < all * (limit + offset);

type Users = ExpressionBuilder<Tables, 'users'>;

/** Who holds one role at least of each list; of an empty list nobody does. SQLite takes the way it is told. */
const holding = (held: readonly (readonly string[])[], sparse: boolean) => (user: Users) =>
  user.and(
    held.map((roles) => {
      const holders = user.selectFrom('user_roles').where('role', 'in', roles.length > 0 ? [...roles] : ['']);
      return sparse
        ? user('users.id', 'in', holders.select('user_id'))
        : user.exists(holders.select('role').whereRef('user_id', '=', 'users.id'));
    }),
  );

/** Where only roles are asked for the total is kept: counting a large table takes longer than all the rest. */
const isNarrowed = ({ include = [], exclude = [], slugs = [], search = '', also }: Wanted): boolean =>
  also !== undefined || include.length + exclude.length + slugs.length + search.trim().length > 0;

/** Counting a large table takes longer than all the rest. */
async function totalFrom(shown: number, matching: Matching, wanted: Wanted): Promise<number> {
  const known = totalAfter(shown, wanted);
  if (known !== undefined) return known;
  const { total } = await matching.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return total;
}

const sorted = {
  name: 'users.name_key',
  registered_date: 'users.registered_at',
  slug: 'users.slug',
  url: 'users.url',
  email: sortedEmail,
} as const;

/** Who is alike in that comes in the order of their numbers. */
function ordered(matching: Matching, { orderBy, order }: Wanted, isOfRole: boolean): Matching {
  if (isOfRole) return matching.orderBy(sql.ref('holder.name_key'), order).orderBy(sql.ref('holder.user_id'), order);
  const by = orderBy in sorted ? sorted[orderBy as keyof typeof sorted] : undefined;
  return (by === undefined ? matching : matching.orderBy(by, order)).orderBy('users.id', order);
}
