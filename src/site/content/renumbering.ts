// Another number for a user: whatever is kept under the old one is kept under the new one afterwards, in one write.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type SqlBool, sql, type Transaction } from 'kysely';
import { minute } from '#lib/spans.ts';
import type { AnyTables } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { Doing } from '../identity/doing.ts';
import { identityErrors } from '../identity/errors.ts';
import type { IdentityTables } from '../identity/tables.ts';
import { userLock, usersLock } from '../identity/users/guards.ts';
import { findUser } from '../identity/users/rows.ts';
import { indexUser, unindexUser } from '../identity/users/search.ts';
import type { User } from '../identity/users/user.ts';
import type { TotalsTables } from '../platform/totals.ts';
import { type ContentTables, totalTopics } from './tables.ts';

/** Columns that hold numbers of users, by table. */
export type Columns = Readonly<Record<string, readonly string[]>>;

/**
 * Rows that are moved at once, and the pause after that in milliseconds. Smaller slices would take longer in all: on SQLite each
 * statement of one write costs more, the more the write has changed.
 */
const [atOnce, pauseFor] = [5_000, 20];

/** Tables in which one user may have 100,000 rows. */
const large = { posts: ['author'], revisions: ['author'], comments: ['user_id'] } as const;

/** Of the site itself. What is written down of the past names whoever it was then, and stays. */
export const ownColumns: Columns = {
  users: ['password_by'],
  user_roles: ['user_id'],
  user_meta: ['user_id'],
  application_passwords: ['user_id', 'made_by'],
  sessions: ['user_id'],
  one_time_tokens: ['user_id'],
  ...large,
  estates: ['author', 'heir'],
  jobs: ['by'],
};

interface Renumbering {
  readonly id: number;
  /** Columns of extensions. */
  readonly others?: Columns;
  readonly again?: Doing<User>['again'];
}

type Tables = IdentityTables & ContentTables & TotalsTables;

/** Answers the new number. */
export const renumber = (store: Store<Tables>, { id, others = {}, again }: Renumbering): Promise<number> =>
  store.write(
    async (tx, { lock }) => {
      await lock(usersLock);
      await lock(userLock(id));
      const user = await findUser(tx, id);
      if (user === undefined) throw identityErrors.userInvalidId(id);
      await again?.(tx as never, user);
      const renumbered = await twinOf(tx, user);
      for (const [table, columns] of Object.entries({ ...ownColumns, ...others }))
        for (const column of columns) await moveAll(tx as never, table, column, [id, renumbered]);
      await moveTotals(tx, [id, renumbered]);
      await unindexUser(tx, id);
      await tx.deleteFrom('users').where('id', '=', id).execute();
      return renumbered;
    },
    { limit: 5 * minute },
  );

/** Of what is unique, each may have it in turn. */
async function twinOf(tx: Transaction<Tables>, user: User): Promise<number> {
  const { id, ...row } = await tx.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
  const aside = randomUUID();
  const away = { login_key: aside, email_key: null, slug: aside };
  await tx.updateTable('users').set(away).where('id', '=', id).execute();
  const made = await tx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow();
  await indexUser(tx, { ...user, id: made.id });
  return made.id;
}

type Move = readonly [from: number, to: number];

/** Large tables are moved in slices, so that other work runs in between. */
async function moveAll(tx: Transaction<AnyTables>, table: string, column: string, change: Move): Promise<void> {
  const some = (most: number) => move(tx, table, column, change, most);
  if (!(table in large)) await some(Number.POSITIVE_INFINITY);
  else while ((await some(atOnce)) === atOnce) await pause(pauseFor);
}

/** At most so many rows; answers how many. */
async function move(
  tx: Transaction<AnyTables>,
  table: string,
  column: string,
  [from, to]: Move,
  most: number,
): Promise<number> {
  // Records show the number of their author, so their cached answers are dropped.
  const shown = table === 'posts' ? { version: sql`version + 1` } : {};
  const theirs = sql<SqlBool>`${sql.ref(column)} = ${from}`;
  let moving = tx.updateTable(table as never).set({ [column]: to, ...shown } as never);
  if (!Number.isFinite(most)) moving = moving.where(theirs);
  else {
    const some = tx.selectFrom(table as never).select('id' as never);
    moving = moving
      .where('id' as never, 'in', some.where(theirs).limit(most))
      // Another write may have changed it meanwhile. Not to be looked up by an index: that would lead to all of them each time.
      .where(sql<SqlBool>`${sql.ref(column)} + 0 = ${from}`);
  }
  return Number((await moving.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** What is counted by author begins with the number. */
async function moveTotals(tx: Transaction<Tables>, [from, to]: Move): Promise<void> {
  const rows = await tx
    .selectFrom('totals')
    .select('key')
    .where('topic', '=', totalTopics.authors)
    .where('key', 'like', `${from}/%`)
    .execute();
  for (const { key } of rows)
    await tx
      .updateTable('totals')
      .set({ key: `${to}${key.slice(String(from).length)}` })
      .where('topic', '=', totalTopics.authors)
      .where('key', '=', key)
      .execute();
}
