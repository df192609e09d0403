// Comments as rows, many at once, each a minute after the one before: for tests of how they are shown.
import type { Comment } from '#site/content/comments/comment.ts';
import { columns, countNew } from '#site/content/comments/rows.ts';
import type { ContentTables, Writing } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';

const atOnce = 500;

/** Rows, counted as comments are, and nothing else that goes with them. `say` tells of each what differs from an approved one. */
export async function commentRows(
  store: Store<ContentTables>,
  many: number,
  say: (at: number) => Partial<Comment> & Pick<Comment, 'post_id'>,
): Promise<Comment[]> {
  const all: Comment[] = [];
  for (let from = 0; from < many; from += atOnce)
    await store.write(async (tx: Writing) => {
      const some = Array.from({ length: Math.min(atOnce, many - from) }, (_, at) => rowOf(from + at, say(from + at)));
      const rows = await tx.insertInto('comments').values(some).returning(columns).execute();
      await countNew(tx, rows);
      all.push(...rows.sort((one, other) => one.id - other.id));
    });
  return all;
}

function rowOf(at: number, said: Partial<Comment> & Pick<Comment, 'post_id'>) {
  const date = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString().slice(0, 19);
  return {
    parent: 0,
    user_id: 0,
    author_name: 'Somebody',
    author_email: '',
    email_key: '',
    author_url: '',
    author_ip: '192.0.2.1',
    author_user_agent: '',
    date,
    date_gmt: date,
    type: 'comment',
    status: 'approved',
    content: `Said ${at}.`,
    ...said,
  };
}
