// How much there is on the site, counted cheaply.
import { type ContentTables, totalTopics } from '#site/content/tables.ts';
import type { Counting as Counts } from '#site/hooks/counts.ts';
import type { Users } from '#site/identity/users/users.ts';
import { totalsOf } from '#site/platform/totals.ts';
import type { Reads } from '#store/handles.ts';
import { pausing } from '#store/slices.ts';
import type { AnyStore } from '#store/store.ts';

export interface Counting {
  readonly store: Pick<AnyStore, 'db'>;
  readonly users: Pick<Users, 'count'>;
  readonly counts: Pick<Counts, 'all'>;
}

/** What extensions count; where none does, there is nothing. */
const none = { media_folders: 0, galleries: 0, lockouts_24h: 0, bans: 0, open_issues: 0 };

const pictures = {
  total_images: 0,
  optimized: 0,
  remaining: 0,
  skipped: 0,
  failed: 0,
  files: 0,
  size_before: 0,
  size_after: 0,
  bytes: 0,
  percent: 0,
  human: '0 B',
  resize_count: 0,
  resize_bytes: 0,
  conversion_count: 0,
  conversion_bytes: 0,
  variant_bytes: 0,
  last_run: null,
};

export async function figuresOf({ store, users, counts }: Counting) {
  const posts = await totalsOf(store.db, totalTopics.posts);
  const comments = await totalsOf(store.db, totalTopics.comments);
  const stats = {
    posts: posts['post/publish'] ?? 0,
    pages: posts['page/publish'] ?? 0,
    comments_pending: comments['comment/hold'] ?? 0,
    users: await users.count(),
    attachments: posts['attachment/inherit'] ?? 0,
    attachment_bytes: await bytesOf(store.db),
    ...known(await counts.all()),
  };
  return { stats, imgopt: pictures };
}

const known = (counted: Readonly<Record<string, number>>): typeof none => ({
  ...none,
  ...Object.fromEntries(Object.entries(counted).filter(([name]) => Object.hasOwn(none, name))),
});

export type Counted = Awaited<ReturnType<typeof figuresOf>>;

/** So many at a time: a large library is added up without keeping anybody waiting. */
const atOnce = 2_000;

async function bytesOf(db: Reads<ContentTables>): Promise<number> {
  let sum = 0;
  const pause = pausing();
  for (let after: number | null = 0; after !== null; await pause()) {
    const { bytes, last } = await pageAfter(db, after);
    sum += bytes ?? 0;
    after = last;
  }
  return sum;
}

function pageAfter(db: Reads<ContentTables>, after: number) {
  const page = db
    .selectFrom('media')
    .select(['post_id', 'size'])
    .where('post_id', '>', after)
    .orderBy('post_id')
    .limit(atOnce);
  return db
    .selectFrom(page.as('page'))
    .select((of) => [
      of.cast<number | null>(of.fn.sum('size'), 'bigint').as('bytes'),
      of.fn.max<number | null>('post_id').as('last'),
    ])
    .executeTakeFirstOrThrow();
}
