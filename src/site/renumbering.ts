// Another number for a user: whatever is kept under the old one is kept under the new one afterwards, in one write.
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import type { AnyTables } from '#store/any.ts';
import type { Store } from '#store/store.ts';
import { type ContentTables, totalTopics } from './content/tables.ts';
import type { Doing } from './identity/doing.ts';
import type { IdentityTables } from './identity/tables.ts';
import { userLock, usersLock } from './identity/users/guards.ts';
import { findUser } from './identity/users/rows.ts';
import { indexUser, unindexUser } from './identity/users/search.ts';
import type { User } from './identity/users/user.ts';
import type { TotalsTables } from './totals.ts';

/** Columns that hold numbers of users, by table. */
export type Columns = Readonly<Record<string, readonly string[]>>;

/** Of the site itself. What is written down of the past names whoever it was then, and stays. */
export const ownColumns: Columns = {
  users: ['password_by'],
  user_roles: ['user_id'],
  user_meta: ['user_id'],
  application_passwords: ['user_id', 'made_by'],
  sessions: ['user_id'],
  password_resets: ['user_id'],
  posts: ['author'],
  revisions: ['author'],
  comments: ['user_id'],
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
  store.write(async (tx, { lock }) => {
    await lock(usersLock);
    await lock(userLock(id));
    const user = await findUser(tx, id);
    if (user === undefined) throw new Problem(404, 'rest_user_invalid_id', 'There is no user with this number.');
    await again?.(tx as never, user);
    const renumbered = await twinOf(tx, user);
    for (const [table, columns] of Object.entries({ ...ownColumns, ...others }))
      for (const column of columns) await move(tx as never, table, column, [id, renumbered]);
    // Records that name their author show another number now.
    await tx
      .updateTable('posts')
      .set((row) => ({ version: row('version', '+', 1) }))
      .where('author', '=', renumbered)
      .execute();
    await moveTotals(tx, [id, renumbered]);
    await unindexUser(tx, id);
    await tx.deleteFrom('users').where('id', '=', id).execute();
    return renumbered;
  });

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

const move = (tx: Transaction<AnyTables>, table: string, column: string, [from, to]: Move) =>
  tx
    .updateTable(table as never)
    .set({ [column]: to } as never)
    .where(column as never, '=', from as never)
    .execute();

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
