// What becomes of what a user wrote when they are deleted: it goes to somebody else, or it goes. A few records go at once; many are
// done by a job that was added in the same write, so that nobody waits long and nothing is forgotten.

import { type SqlBool, sql, type Transaction } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import type { Reads } from '#store/handles.ts';
import { inSlices } from '#store/slices.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import type { Doing } from '../../identity/doing.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import { usersLock } from '../../identity/users/guards.ts';
import type { Parting } from '../../identity/users/users.ts';
import type { Work } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { count, type TotalsTables } from '../../platform/totals.ts';
import { contentErrors } from '../errors.ts';
import type { MediaLibrary } from '../media/media.ts';
import type { Post, Posts } from '../posts/post.ts';
import { postLock } from '../posts/rows.ts';
import { type ContentTables, totalTopics, type Writing } from '../tables.ts';
import { attachment } from '../types.ts';
import type { AuthorTables } from './tables.ts';

interface PartingNeeds {
  readonly store: Store<PartingTables>;
  readonly jobs: Jobs;
  readonly posts: Pick<Posts, 'find' | 'erase'>;
  readonly media: Pick<MediaLibrary, 'erase'>;
}

type PartingTables = ContentTables & TotalsTables & IdentityTables & AuthorTables;
type Parted = Transaction<PartingTables>;

interface Estate {
  readonly author: number;
  readonly heir: number | null;
}

/** So many numbers of records are read at once. */
const atOnce = 500;
/** So few are handed over or erased while the one who asks waits. */
const few = 50;

export function createParting(needs: PartingNeeds): Parting {
  const { jobs } = needs;
  const queue = jobs.kind<Pick<Estate, 'author'>>({
    name: 'content.parting',
    about: 'Reassigns or deletes the content of a deleted user',
    attempts: 10,
    run: ({ author }, work) => settle(needs, author, work),
  });
  return async (tx: Parted, during, { id: author, heir = null }) => {
    // What is still to come to them goes where theirs goes.
    await tx.updateTable('estates').set({ heir }).where('heir', '=', author).execute();
    const isLeft = (await settleSome(tx, during, { author, heir }, few)) === few;
    const posts = await tx
      .selectFrom('posts')
      .select('id')
      .where('author', '=', author)
      .limit(few + 1)
      .execute();
    if (!isLeft && posts.length === 0) return undefined;
    await tx.insertInto('estates').values({ author, heir }).execute();
    await announce(tx, during, { author, heir });
    const job = await queue.addIn(tx, during, { author });
    return posts.length > few ? undefined : () => jobs.work(job);
  };
}

/** What the job will do is judged with the request that has it done. */
async function announce(tx: Parted, { willWrite }: During, { author, heir }: Estate): Promise<void> {
  const action = heir === null ? 'delete' : 'change';
  const types = await tx.selectFrom('posts').select('type').distinct().where('author', '=', author).execute();
  willWrite(types.map(({ type }) => ({ record: type, action })));
}

/** Until nothing is left; an heir who goes meanwhile says who is the next. */
async function settle(needs: PartingNeeds, author: number, work: Work): Promise<void> {
  const { store } = needs;
  for (;;) {
    work.signal.throwIfAborted();
    const estate = await estateOf(store.db, author);
    if (estate === undefined) return;
    if (estate.heir === null) await eraseAll(needs, author, work);
    await inSlices((most) => store.write((tx, during) => settleEstate(tx, during, estate, most)), work);
  }
}

async function settleEstate(tx: Parted, during: During, { author, heir }: Estate, most: number): Promise<number> {
  await during.lock(usersLock);
  const now = await estateOf(tx, author);
  if (now === undefined || now.heir !== heir) return 0;
  const many = await settleSome(tx, during, now, most);
  if (many < most) await tx.deleteFrom('estates').where('author', '=', author).execute();
  return many;
}

const estateOf = (db: Reads<AuthorTables>, author: number): Promise<Estate | undefined> =>
  db.selectFrom('estates').selectAll().where('author', '=', author).executeTakeFirst();

/**
 * At most so many in all; answers how many, which is less only when nothing is left. Records that nobody takes over are not among
 * them: those go one by one, each with all that is its own.
 */
async function settleSome(tx: Writing, during: During, { author, heir }: Estate, most: number): Promise<number> {
  const posts = heir === null ? 0 : await handOver(tx, during, { author, heir }, most);
  const revisions = posts === most ? 0 : await settleRevisions(tx, author, heir, most - posts);
  const settled = posts + revisions;
  return settled === most ? settled : settled + (await leaveComments(tx, author, most - settled));
}

async function handOver(
  tx: Writing,
  { lock }: During,
  { author, heir }: { readonly author: number; readonly heir: number },
  most: number,
): Promise<number> {
  const found = await tx.selectFrom('posts').select('id').where('author', '=', author).limit(most).execute();
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id).toSorted((one, other) => one - other);
  // Each may be under change: what it counts as is known once that is over. All are taken in the order of their numbers.
  for (const id of ids) await lock(postLock(id));
  const rows = await tx
    .selectFrom('posts')
    .select(['id', 'type', 'status'])
    .where('id', 'in', ids)
    .where(sql<SqlBool>`author + 0 = ${author}`) // not by the index of authors, which leads to all that are theirs
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (rows.length === 0) return found.length;
  await tx
    .updateTable('posts')
    .set((row) => ({ author: heir, version: row('version', '+', 1) }))
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const moved: Record<string, number> = {};
  for (const { type, status } of rows) {
    for (const [who, more] of [
      [author, -1],
      [heir, 1],
    ] as const) {
      const key = `${who}/${type}/${status}`;
      moved[key] = (moved[key] ?? 0) + more;
    }
  }
  await count(tx, totalTopics.authors, moved);
  return found.length;
}

/** What was not saved goes: nobody else goes on with it, and the heir may have begun something of their own. */
async function settleRevisions(tx: Writing, author: number, heir: number | null, most: number): Promise<number> {
  const rows = await tx
    .selectFrom('revisions')
    .select(['id', 'autosave'])
    .where('author', '=', author)
    .limit(most)
    .execute();
  const which = (autosave: 0 | 1) => rows.filter((row) => row.autosave === autosave).map(({ id }) => id);
  const [unsaved, saved] = [which(1), which(0)];
  if (unsaved.length > 0) await tx.deleteFrom('revisions').where('id', 'in', unsaved).execute();
  if (saved.length > 0 && heir === null) await dropRevisions(tx, saved);
  if (saved.length > 0 && heir !== null)
    await tx.updateTable('revisions').set({ author: heir }).where('id', 'in', saved).execute();
  return rows.length;
}

/** Their records tell how many they have. */
async function dropRevisions(tx: Writing, ids: readonly number[]): Promise<void> {
  const shown = tx.selectFrom('revisions').select('post_id').where('id', 'in', ids);
  // In the order of their numbers: so writers never wait in a ring.
  await tx.selectFrom('posts').select('id').where('id', 'in', shown).orderBy('id').forNoKeyUpdate().execute();
  await tx.updateTable('posts').set({ version: sql<number>`version + 1` }).where('id', 'in', shown).execute();
  await tx.deleteFrom('revisions').where('id', 'in', ids).execute();
}

/** What they said stays, under the name they had. */
async function leaveComments(tx: Writing, author: number, most: number): Promise<number> {
  const rows = await tx.selectFrom('comments').select('id').where('user_id', '=', author).limit(most).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await tx.updateTable('comments').set({ user_id: 0 }).where('id', 'in', ids).execute();
  return ids.length;
}

async function eraseAll({ store, posts, media }: PartingNeeds, author: number, work: Work): Promise<void> {
  const ids = async function* (after = '0'): AsyncGenerator<number> {
    for (let last = Number(after); ; ) {
      const theirs = store.db.selectFrom('posts').select('id').where('author', '=', author).where('id', '>', last);
      const rows = await theirs.orderBy('id').limit(atOnce).execute();
      yield* rows.map(({ id }) => id);
      if (rows.length < atOnce) return;
      last = rows.at(-1)!.id;
    }
  };
  const stillTheirs: Doing<Post>['again'] = async (_, post) => {
    if (post?.author !== author) throw contentErrors.postInvalidId(post?.id);
  };
  await work.each(ids, {
    key: String,
    do: async (id) => {
      const post = await posts.find(id);
      if (post === undefined) return;
      const noun = post.type === attachment.name ? media : posts;
      await noun.erase(post, { again: stillTheirs }).catch(goneAlready);
    },
  });
}

/** Somebody else deletes the same record, or takes it over. */
function goneAlready(error: unknown): void {
  if (!(error instanceof Problem) || error.status !== 404) throw error;
}
