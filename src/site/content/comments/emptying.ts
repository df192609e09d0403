// What lies in the trash long enough is deleted for good.
import { day, hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { postLock } from '../posts/found.ts';
import type { Writing } from '../tables.ts';
import type { Comment } from './comment.ts';
import { eraseComment } from './erase.ts';
import type { CommentsNeeds } from './needs.ts';
import { columns } from './rows.ts';

const name = 'comments.empty-trash';
/** So many are looked for at a time. */
const atOnce = 100;

type Needs = Pick<CommentsNeeds, 'store' | 'clock' | 'events' | 'trashDays'>;
type Trashed = Pick<Comment, 'id' | 'post_id'>;

export function emptyCommentsTrash(needs: Needs, jobs: Pick<Jobs, 'kind' | 'schedule'>): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Deletes comments that lie in the trash for too long',
    attempts: 3,
    async run(_, { each }) {
      const before = instant(new Date(needs.clock().getTime() - needs.trashDays * day));
      await each((after) => trashedBefore(needs, before, Number(after ?? 0)), {
        key: ({ id }) => `${id}`,
        do: (comment) => eraseTrashed(needs, comment, before),
      });
    },
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}

async function* trashedBefore({ store }: Needs, before: string, after: number): AsyncGenerator<Trashed> {
  for (let last = after; ; ) {
    const trashed = await store.db
      .selectFrom('comments')
      .select(['id', 'post_id'])
      .where('status', '=', 'trash')
      .where('trashed_at', '<=', before)
      .where('id', '>', last)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    yield* trashed;
    if (trashed.length < atOnce) return;
    last = trashed.at(-1)!.id;
  }
}

/** Unless somebody brought it back meanwhile. */
async function eraseTrashed({ store, events }: Needs, { id, post_id }: Trashed, before: string): Promise<void> {
  const gone = await store.write(async (tx, { lock }) => {
    await lock(postLock(post_id));
    const comment = await stillTrashed(tx, { id, post_id }, before);
    if (comment !== undefined) await eraseComment(tx, comment);
    return comment;
  });
  if (gone !== undefined) events.emit('comment.deleted', { comment: gone });
}

const stillTrashed = (tx: Writing, { id, post_id }: Trashed, before: string): Promise<Comment | undefined> =>
  tx
    .selectFrom('comments')
    .select(columns)
    .where('id', '=', id)
    .where('post_id', '=', post_id)
    .where('status', '=', 'trash')
    .where('trashed_at', '<=', before)
    .executeTakeFirst();
