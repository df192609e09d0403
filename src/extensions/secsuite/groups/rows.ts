// Groups as they are read and written, row by row.
import type { Transaction } from 'kysely';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Reads } from '#store/handles.ts';
import type { Canonical } from './canonical.ts';
import type { Group, Parts } from './group.ts';
import type { GroupTables } from './tables.ts';

export type Tables = GroupTables & IdentityTables;
type Db = Reads<Tables>;
type Tx = Transaction<Tables>;

/** The oldest first. Users who are gone are in none. */
export async function readGroups(db: Db, id?: string): Promise<Group[]> {
  const groups = db.selectFrom('secsuite_groups').selectAll().orderBy('number');
  const members = db
    .selectFrom('secsuite_group_members')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['group_id', 'user_id', 'login'])
    .orderBy('position');
  const [rows, named] = await Promise.all([
    (id === undefined ? groups : groups.where('id', '=', id)).execute(),
    (id === undefined ? members : members.where('group_id', '=', id)).execute(),
  ]);
  const byGroup = Map.groupBy(named, ({ group_id }) => group_id);
  return rows.map((row) => {
    const theirs = byGroup.get(row.id) ?? [];
    return {
      id: row.id,
      label: row.label,
      users: theirs.map(({ user_id }) => user_id),
      logins: theirs.map(({ login }) => login),
      roles: JSON.parse(row.roles) as string[],
      canonical: JSON.parse(row.canonical) as Canonical[],
      min_role: row.min_role,
    };
  });
}

/** How many values one statement carries. */
const atOnce = 500;

function* inLots<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += atOnce) yield all.slice(at, at + atOnce);
}

/** Those of these numbers that are users'. */
export async function thoseThere(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const there = new Set<number>();
  for (const some of inLots(ids.filter(Number.isSafeInteger))) {
    const rows = await db.selectFrom('users').select('id').where('id', 'in', some).execute();
    for (const { id } of rows) there.add(id);
  }
  return there;
}

type Said = Parts & Pick<Group, 'label'>;

const columnsOf = ({ label, roles, canonical, min_role }: Said) => ({
  label,
  roles: JSON.stringify([...new Set(roles)]),
  canonical: JSON.stringify([...new Set(canonical)]),
  min_role,
});

export async function insertGroup(tx: Tx, id: string, said: Said, created_at: string): Promise<void> {
  await tx
    .insertInto('secsuite_groups')
    .values({ id, created_at, ...columnsOf(said) })
    .execute();
  await insertMembers(tx, id, said.users);
}

export async function updateGroup(tx: Tx, id: string, said: Said): Promise<void> {
  await tx.updateTable('secsuite_groups').set(columnsOf(said)).where('id', '=', id).execute();
  await tx.deleteFrom('secsuite_group_members').where('group_id', '=', id).execute();
  await insertMembers(tx, id, said.users);
}

async function insertMembers(tx: Tx, group_id: string, users: readonly number[]): Promise<void> {
  const rows = users.map((user_id, position) => ({ group_id, user_id, position }));
  for (const some of inLots(rows))
    await tx
      .insertInto('secsuite_group_members')
      .values([...some])
      .execute();
}

/** One more, after those that are named already. */
export async function insertMember(tx: Tx, group: string, user: number): Promise<void> {
  const last = await tx
    .selectFrom('secsuite_group_members')
    .select((row) => row.fn.max<number | null>('position').as('position'))
    .where('group_id', '=', group)
    .executeTakeFirst();
  await tx
    .insertInto('secsuite_group_members')
    .values({ group_id: group, user_id: user, position: (last?.position ?? -1) + 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function eraseGroup(tx: Tx, id: string): Promise<boolean> {
  await tx.deleteFrom('secsuite_group_members').where('group_id', '=', id).execute();
  const { numDeletedRows } = await tx.deleteFrom('secsuite_groups').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0;
}

export async function eraseAllGroups(tx: Tx): Promise<void> {
  await tx.deleteFrom('secsuite_group_members').execute();
  await tx.deleteFrom('secsuite_groups').execute();
}
