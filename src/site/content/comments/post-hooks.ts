// What becomes of the comments of a record when something becomes of the record, in the write of it.
import { sql } from 'kysely';
import { count } from '../../platform/totals.ts';
import type { CommentHooks } from '../posts/hooks.ts';
import { totalTopics, type Writing } from '../tables.ts';

const gone = 'post-trashed';
/** What lay in the trash before stays there. */
const taken = ['approved', 'hold', 'spam'];

interface Group {
  readonly type: string;
  readonly status: string;
  readonly becomes: string;
  readonly comments: number;
}

export const commentHooks: CommentHooks = {
  async trashed(tx, { id }) {
    const groups = await groupsOf(tx, id, taken);
    if (groups.length === 0) return;
    await tx
      .updateTable('comments')
      .set((row) => ({ status_before: row.ref('status'), status: gone }))
      .where('post_id', '=', id)
      .where('status', 'in', taken)
      .execute();
    await moved(
      tx,
      id,
      groups.map((group) => ({ ...group, becomes: gone })),
    );
  },

  async restored(tx, { id }) {
    const groups = await groupsOf(tx, id, [gone]);
    if (groups.length === 0) return;
    await tx
      .updateTable('comments')
      .set({ status: sql<string>`coalesce(status_before, 'hold')`, status_before: null })
      .where('post_id', '=', id)
      .where('status', '=', gone)
      .execute();
    await moved(tx, id, groups);
  },

  async released(tx, { id }) {
    const theirs = tx.selectFrom('comments').select('id').where('post_id', '=', id);
    const groups = await groupsOf(tx, id);
    if (groups.length === 0) return;
    await tx.deleteFrom('comments_search').where('rowid', 'in', theirs).execute();
    await tx.deleteFrom('comment_meta').where('comment_id', 'in', theirs).execute();
    await tx.deleteFrom('comments').where('post_id', '=', id).execute();
    await count(
      tx,
      totalTopics.comments,
      totals(groups, ({ type, status }) => `${type}/${status}`),
    );
    // All keys that begin with its number and a slash.
    await tx
      .deleteFrom('totals')
      .where('topic', '=', totalTopics.commentsOf)
      .where('key', '>', `${id}/`)
      .where('key', '<', `${id}0`)
      .execute();
  },
};

/** How many there are alike; `becomes` is what they were before. */
async function groupsOf(tx: Writing, post: number, statuses?: readonly string[]): Promise<Group[]> {
  let theirs = tx.selectFrom('comments').where('post_id', '=', post);
  if (statuses !== undefined) theirs = theirs.where('status', 'in', statuses);
  const groups = await theirs
    .select(['type', 'status', sql<string>`coalesce(status_before, 'hold')`.as('becomes')])
    .select((row) => row.fn.countAll<number>().as('comments'))
    .groupBy(['type', 'status', sql`coalesce(status_before, 'hold')`])
    .execute();
  return groups.map((group) => ({ ...group, comments: Number(group.comments) }));
}

async function moved(tx: Writing, post: number, groups: readonly Group[]): Promise<void> {
  const change = (prefix: string): Record<string, number> => {
    const less = totals(groups, ({ type, status }) => `${prefix}${type}/${status}`);
    const more = totals(groups, ({ type, becomes }) => `${prefix}${type}/${becomes}`);
    const keys = [...Object.keys(less), ...Object.keys(more)];
    return Object.fromEntries(keys.map((key) => [key, (less[key] ?? 0) - (more[key] ?? 0)]));
  };
  await count(tx, totalTopics.comments, change(''));
  await count(tx, totalTopics.commentsOf, change(`${post}/`));
}

/** So many fewer of each. */
function totals(groups: readonly Group[], keyOf: (group: Group) => string): Record<string, number> {
  const fewer: Record<string, number> = {};
  for (const group of groups) fewer[keyOf(group)] = (fewer[keyOf(group)] ?? 0) - group.comments;
  return fewer;
}
