import type { OrderByItemBuilder, SelectQueryBuilder } from 'kysely';
import type { EngineName } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import { type TotalsTables, totalOf } from '../totals.ts';
import type { Roles } from './roles.ts';
import type { IdentityTables } from './tables.ts';
import type { User } from './user.ts';
import { all, holders, topic } from './user-roles.ts';
import { columns, type UserRow, withRoles } from './user-rows.ts';
import { found } from './user-search.ts';
import type { Wanted } from './users.ts';

type Tables = IdentityTables & TotalsTables;
type Db = Reads<Tables>;
type Matching = SelectQueryBuilder<Tables, 'users', object>;

export interface Listing {
  readonly db: Db;
  readonly engine: EngineName;
  readonly roles: Roles;
}

export async function listUsers(listing: Listing, wanted: Wanted): Promise<{ items: User[]; total: number }> {
  // Nobody has published anything until there is content.
  if (wanted.published === true) return { items: [], total: 0 };
  const matching = matchingUsers(listing, wanted);
  const inGivenOrder = givenOrder(wanted);
  const total = await totalFor(listing, matching, wanted);
  const rows = inGivenOrder
    ? await pageAsGiven(matching, inGivenOrder, wanted)
    : await ordered(matching, wanted).select(columns).limit(wanted.limit).offset(wanted.offset).execute();
  return { items: await withRoles(listing.db, rows), total };
}

function matchingUsers({ db, engine, roles }: Listing, wanted: Wanted): Matching {
  const { include = [], exclude = [], slugs = [], search = '' } = wanted;
  let matching: Matching = db.selectFrom('users');
  if (include.length > 0) matching = matching.where('users.id', 'in', [...include]);
  if (exclude.length > 0) matching = matching.where('users.id', 'not in', [...exclude]);
  if (slugs.length > 0) matching = matching.where('users.slug', 'in', [...slugs]);
  if (search.trim() !== '') matching = matching.where(found(engine, search.trim(), wanted));
  for (const held of [wanted.roles, wanted.capabilities && roles.giving(wanted.capabilities)])
    if (held !== undefined) matching = matching.where('users.id', 'in', holding(db, held));
  return matching;
}

/** An empty list holds nobody. */
const holding = (db: Db, roles: readonly string[]) =>
  db
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', 'in', roles.length > 0 ? [...roles] : ['']);

/** Where the total is kept it is not counted: counting a large table takes longer than all the rest. */
async function totalFor({ db }: Listing, matching: Matching, wanted: Wanted): Promise<number> {
  const { include = [], exclude = [], slugs = [], search = '', roles, capabilities } = wanted;
  const others = include.length + exclude.length + slugs.length + search.trim().length;
  if (others === 0 && capabilities === undefined && roles === undefined) return totalOf(db, topic, all);
  if (others === 0 && capabilities === undefined && roles?.length === 1) return totalOf(db, topic, holders(roles[0]!));
  const { total } = await matching.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return total;
}

const sorted = {
  name: 'users.name_key',
  registered_date: 'users.registered_at',
  slug: 'users.slug',
  url: 'users.url',
  email: 'users.email_key',
} as const;

/** Who is alike in that comes in the order of their numbers. */
function ordered(matching: Matching, { orderBy, order }: Wanted): Matching {
  const by = orderBy in sorted ? sorted[orderBy as keyof typeof sorted] : undefined;
  if (by === undefined) return matching.orderBy('users.id', order);
  const first = orderBy === 'email' ? matching.orderBy(by, nullsAsEmpty(order)) : matching.orderBy(by, order);
  return first.orderBy('users.id', order);
}

/** The engines do not agree where nothing comes. */
const nullsAsEmpty = (order: Wanted['order']) => (by: OrderByItemBuilder) =>
  order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast();

interface Given {
  readonly field: 'id' | 'slug';
  readonly values: readonly (number | string)[];
}

/** The order of a list in the request, which bounds how many there are. */
function givenOrder({ orderBy, include = [], slugs = [] }: Wanted): Given | undefined {
  if (orderBy === 'include' && include.length > 0) return { field: 'id', values: include };
  if (orderBy === 'include_slugs' && slugs.length > 0) return { field: 'slug', values: slugs };
  return undefined;
}

async function pageAsGiven(
  matching: Matching,
  { field, values }: Given,
  { limit, offset }: Wanted,
): Promise<UserRow[]> {
  const places = new Map(values.map((value, at) => [value, at] as const).reverse());
  const rows = await matching.select(columns).execute();
  const place = (row: UserRow): number => places.get(row[field])!;
  return rows.sort((one, other) => place(one) - place(other)).slice(offset, offset + limit);
}
