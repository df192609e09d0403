// What lies in the trash long enough is deleted for good.
import { day, hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { erasePost } from './erase.ts';
import { findTrashed, postLock } from './found.ts';
import type { WritingNeeds } from './needs.ts';
import type { Post } from './post.ts';
import { takeBranch, treeLock } from './tree.ts';

const name = 'posts.empty-trash';
/** So many are looked for at a time. */
const atOnce = 100;

type Needs = Pick<
  WritingNeeds,
  'store' | 'clock' | 'events' | 'kinds' | 'terms' | 'revisions' | 'comments' | 'partings' | 'trashDays'
>;

export function emptyTrash(needs: Needs, jobs: Pick<Jobs, 'kind' | 'schedule'>): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Deletes what lies in the trash for too long',
    attempts: 3,
    async run(_, { each }) {
      const before = instant(new Date(needs.clock().getTime() - needs.trashDays * day));
      await each((after) => trashedBefore(needs, before, Number(after ?? 0)), {
        key: ({ id }) => `${id}`,
        do: (post) => eraseTrashed(needs, post, before),
      });
    },
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}

type Trashed = Pick<Post, 'id' | 'type'>;

async function* trashedBefore({ store }: Needs, before: string, after: number) {
  for (let last = after; ; ) {
    const trashed = await store.db
      .selectFrom('posts')
      .select(['id', 'type'])
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
async function eraseTrashed(needs: Needs, { id, type }: Trashed, before: string): Promise<void> {
  const post = await needs.store.write(async (tx, during) => {
    await during.lock(postLock(id));
    await Promise.all([during.lock(treeLock), takeBranch(tx, { id, type })]);
    const found = await findTrashed(tx, id, before);
    if (found === undefined) return undefined;
    const { slug_before: _, ...post } = found;
    await erasePost(tx, during, post, needs);
    return post;
  });
  if (post !== undefined) needs.events.emit('post.deleted', { post });
}
