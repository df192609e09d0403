// What becomes of what a user wrote when they are deleted: it goes to somebody else, or it goes. A few records go at once; many are
// done by a job that was added in the same write, so that nobody waits long and nothing is forgotten.
import { sql } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Parting } from '../../identity/users/parting.ts';
import type { Work } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { count, type TotalsTables } from '../../totals.ts';
import type { MediaLibrary } from '../media/media.ts';
import { postLock } from '../posts/found.ts';
import type { Posts } from '../posts/post.ts';
import { type ContentTables, totalTopics, type Writing } from '../tables.ts';
import { attachment } from '../types.ts';

export interface PartingNeeds {
  readonly store: Store<ContentTables & TotalsTables & IdentityTables>;
  readonly jobs: Jobs;
  readonly posts: Pick<Posts, 'find' | 'erase'>;
  readonly media: Pick<MediaLibrary, 'erase'>;
}

interface Estate {
  readonly author: number;
  readonly heir: number | null;
}

/** So many at a time, so that no write takes long. */
const atOnce = 500;
/** So few are erased while the one who asks waits. */
const few = 50;

export function createParting(needs: PartingNeeds): Parting {
  const { jobs } = needs;
  const queue = jobs.kind<Estate>({
    name: 'content.parting',
    about: 'Hands over or deletes what a deleted user wrote',
    attempts: 10,
    run: (estate, work) => settle(needs, estate, work),
  });
  return async (tx, during, { id: author, heir = null }) => {
    const isLeft = await settleSome(tx, during, { author, heir });
    const posts = await tx
      .selectFrom('posts')
      .select('id')
      .where('author', '=', author)
      .limit(few + 1)
      .execute();
    if (!isLeft && posts.length === 0) return undefined;
    const job = await queue.addIn(tx, during, { author, heir });
    return posts.length > few ? undefined : () => jobs.work(job);
  };
}

async function settle(needs: PartingNeeds, estate: Estate, work: Work): Promise<void> {
  const { store } = needs;
  if (estate.heir === null) await eraseAll(needs, estate, work);
  for (let isLeft = true; isLeft; ) {
    work.signal.throwIfAborted();
    isLeft = await store.write((tx, during) => settleSome(tx, during, estate));
  }
}

/** Answers whether there is more, but for records that nobody takes over: those go one by one, each with all that is its own. */
async function settleSome(tx: Writing, during: During, { author, heir }: Estate): Promise<boolean> {
  const settled = [
    heir === null ? 0 : await handOver(tx, during, author, heir),
    await forgetUnsaved(tx, author),
    await settleRevisions(tx, author, heir),
    await leaveComments(tx, author),
  ];
  return settled.some((many) => many === atOnce);
}

async function handOver(tx: Writing, { lock }: During, author: number, heir: number): Promise<number> {
  const theirs = tx.selectFrom('posts').select(['id', 'type', 'status']).where('author', '=', author).orderBy('id');
  const found = await theirs.limit(atOnce).execute();
  if (found.length === 0) return 0;
  // Each may be under change: what it counts as is known once that is over.
  for (const { id } of found) await lock(postLock(id));
  const rows = await theirs
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
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

/** Nobody else goes on with it, and the heir may have begun something of their own. */
async function forgetUnsaved(tx: Writing, author: number): Promise<number> {
  const ids = await revisionsOf(tx, author, 1);
  if (ids.length > 0) await tx.deleteFrom('revisions').where('id', 'in', ids).execute();
  return ids.length;
}

async function settleRevisions(tx: Writing, author: number, heir: number | null): Promise<number> {
  const ids = await revisionsOf(tx, author, 0);
  if (ids.length === 0) return 0;
  if (heir === null) await dropRevisions(tx, ids);
  else await tx.updateTable('revisions').set({ author: heir }).where('id', 'in', ids).execute();
  return ids.length;
}

/** Their records tell how many they have. */
async function dropRevisions(tx: Writing, ids: readonly number[]): Promise<void> {
  const shown = tx.selectFrom('revisions').select('post_id').where('id', 'in', ids);
  await tx.updateTable('posts').set({ version: sql<number>`version + 1` }).where('id', 'in', shown).execute();
  await tx.deleteFrom('revisions').where('id', 'in', ids).execute();
}

async function revisionsOf(tx: Writing, author: number, autosave: 0 | 1): Promise<number[]> {
  const rows = await tx
    .selectFrom('revisions')
    .select('id')
    .where('author', '=', author)
    .where('autosave', '=', autosave)
    .limit(atOnce)
    .execute();
  return rows.map(({ id }) => id);
}

/** What they said stays, under the name they had. */
async function leaveComments(tx: Writing, author: number): Promise<number> {
  const rows = await tx.selectFrom('comments').select('id').where('user_id', '=', author).limit(atOnce).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await tx.updateTable('comments').set({ user_id: 0 }).where('id', 'in', ids).execute();
  return ids.length;
}

async function eraseAll({ store, posts, media }: PartingNeeds, { author }: Estate, work: Work): Promise<void> {
  const ids = async function* (after = '0'): AsyncGenerator<number> {
    for (let last = Number(after); ; ) {
      const theirs = store.db.selectFrom('posts').select('id').where('author', '=', author).where('id', '>', last);
      const rows = await theirs.orderBy('id').limit(atOnce).execute();
      yield* rows.map(({ id }) => id);
      if (rows.length < atOnce) return;
      last = rows.at(-1)!.id;
    }
  };
  await work.each(ids, {
    key: String,
    do: async (id) => {
      const post = await posts.find(id);
      if (post?.author !== author) return;
      await (post.type === attachment.name ? media : posts).erase(post, {}).catch(goneAlready);
    },
  });
}

/** Somebody else deletes the same record, or one it goes with. */
function goneAlready(error: unknown): void {
  if (!(error instanceof Problem) || error.status !== 404) throw error;
}
