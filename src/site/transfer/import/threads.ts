// The discussion of one record, as far as it has arrived.
import type { Reads } from '#store/handles.ts';
import type { Store } from '#store/store.ts';
import type { CommentRow as Row } from '../../content/comments/add.ts';
import { demandParent } from '../../content/comments/faults.ts';
import { postLock } from '../../content/posts/rows.ts';
import type { Fault } from './report.ts';
import { bounds, faultOf, inLots } from './run.ts';
import type { MovingStore, Writing } from './tables.ts';
import type { TheirComment } from './theirs.ts';

export interface Thread {
  readonly post: number;
  readonly isTrashed: boolean;
  /** The highest number of one that was here before. */
  readonly before: number;
  /** Numbers there to those here. */
  readonly ids: Map<number, number>;
  /** How many alike have come. */
  readonly seen: Map<string, number>;
  /** Those that came before what they answer. */
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly id: number;
  readonly comment: Pick<TheirComment, 'parent' | 'line' | 'id' | 'author_name'>;
}

/** Of one record: so many are remembered, and can be answered by what comes later. */
const mostRemembered = 500_000;
const atOnce = 200;
const statuses = ['approved', 'hold', 'spam', 'trash', 'post-trashed'];

/** By the numbers of their records. */
export async function begun(db: Reads<MovingStore>, posts: readonly number[]): Promise<Map<number, Thread>> {
  const threads = new Map<number, Thread>();
  for (const some of inLots([...new Set(posts)], atOnce)) {
    const rows = await db.selectFrom('posts').select(['id', 'status']).where('id', 'in', some).execute();
    const last = db.selectFrom('comments').select('post_id').where('post_id', 'in', some).groupBy('post_id');
    const highest = await last.select((of) => of.fn.max<number>('id').as('id')).execute();
    const before = new Map(highest.map(({ post_id, id }) => [post_id, id]));
    for (const { id, status } of rows)
      threads.set(id, {
        post: id,
        isTrashed: status === 'trash',
        before: before.get(id) ?? 0,
        ids: new Map(),
        seen: new Map(),
        waiting: [],
      });
  }
  return threads;
}

export const alikeAs = ({ author_name, date_gmt }: Pick<Row, 'author_name' | 'date_gmt'>): string =>
  `${date_gmt} ${author_name}`;

/** Those that were here before, in their order, by what they are compared by. */
export async function hereAlready(db: Reads<MovingStore>, { post, before }: Thread, rows: readonly Row[]) {
  if (before === 0) return new Map<string, { id: number; parent: number }[]>();
  const found = await db
    .selectFrom('comments')
    .select(['id', 'parent', 'author_name', 'date_gmt'])
    .where('post_id', '=', post)
    .where('status', 'in', statuses)
    .where('date_gmt', 'in', [...new Set(rows.map(({ date_gmt }) => date_gmt))])
    .where('id', '<=', before)
    .orderBy('id')
    .execute();
  return Map.groupBy(found, alikeAs);
}

/** It is here, under this number, and answers that. */
export function settled(
  { ids, waiting }: Thread,
  comment: TheirComment,
  { id, parent }: { readonly id: number; readonly parent: number },
): void {
  if (ids.size >= mostRemembered) return;
  if (comment.id > 0 && !ids.has(comment.id)) ids.set(comment.id, id);
  if (parent !== 0 || comment.parent <= 0) return;
  const { line, author_name } = comment;
  const place = { id: comment.id, parent: comment.parent, author_name, ...(line !== undefined && { line }) };
  waiting.push({ id, comment: place });
}

/** Has those that came before what they answer do so, and tells of those that cannot. */
export async function answerAll(store: Store<MovingStore>, thread: Thread): Promise<Fault[]> {
  const faults: Fault[] = [];
  const waiting = thread.waiting.filter(({ comment }) => thread.ids.has(comment.parent));
  for (const lot of inLots(waiting, atOnce))
    faults.push(
      ...(await store.write(async (tx, { lock }) => {
        await lock(postLock(thread.post));
        const wrong: Fault[] = [];
        for (const one of lot) wrong.push(...(await answer(tx, thread, one)));
        return wrong;
      }, bounds)),
    );
  return faults;
}

async function answer(tx: Writing, { post, ids }: Thread, { id, comment }: Waiting): Promise<Fault[]> {
  const parent = ids.get(comment.parent);
  if (parent === undefined) return [];
  try {
    await demandParent(tx, parent, post, id);
  } catch (error) {
    return [faultOf(error, comment, comment.author_name || 'comment')];
  }
  await tx.updateTable('comments').set({ parent }).where('id', '=', id).execute();
  return [];
}
