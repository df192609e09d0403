// Records that are to be published later are, once, when their time has come; also when nobody was at work then.
import { minute } from '#lib/spans.ts';
import { utcTime } from '#lib/wall-time.ts';
import type { During } from '#store/writing.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Writing } from '../tables.ts';
import { follow, keepPost } from './change.ts';
import type { WritingNeeds } from './needs.ts';
import type { Post } from './post.ts';
import { type Found, findFound, postLock, recount } from './rows.ts';
import { takeBranch } from './tree.ts';

const name = 'posts.publish';
/** Nobody waits longer than a minute, the time it takes included. */
const every = minute / 2;
/** So many are looked for at a time. */
const atOnce = 100;

type Needs = Pick<WritingNeeds, 'store' | 'clock' | 'events' | 'terms'>;

export function publishWhenDue(needs: Needs, jobs: Pick<Jobs, 'kind' | 'schedule'>): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Publishes scheduled posts',
    attempts: 3,
    async run(_, { each }) {
      await each(() => dueOnes(needs), {
        key: ({ id }) => `${id}`,
        do: (due) => publishPost(needs, due),
      });
    },
  });
  const add = async (): Promise<void> => {
    const [due] = await dueAfter(needs, undefined, 1);
    if (due !== undefined) await queue.add(null, { key: name });
  };
  jobs.schedule({ name, every, add });
}

type Due = Pick<Post, 'id' | 'type'> & { readonly date_gmt: string | null };

/** One that cannot be published keeps none of the others waiting. */
async function* dueOnes(needs: Needs): AsyncIterable<Due> {
  for (let last: Due | undefined; ; ) {
    const due = await dueAfter(needs, last, atOnce);
    yield* due;
    if (due.length < atOnce) return;
    last = due.at(-1);
  }
}

async function dueAfter({ store, clock }: Needs, last: Due | undefined, most: number): Promise<Due[]> {
  let due = store.db
    .selectFrom('posts')
    .select(['id', 'type', 'date_gmt'])
    .where('status', '=', 'future')
    .where('date_gmt', '<=', utcTime(clock()));
  if (last !== undefined)
    due = due.where((row) =>
      row.or([
        row('date_gmt', '>', last.date_gmt),
        row.and([row('date_gmt', '=', last.date_gmt), row('id', '>', last.id)]),
      ]),
    );
  return due.orderBy('date_gmt').orderBy('id').limit(most).execute();
}

/** Its date stays, and so does the time of its last change. */
async function publishPost(needs: Needs, { id, type }: Due): Promise<void> {
  const published = await needs.store.write(async (tx, during) => {
    await Promise.all([during.lock(postLock(id)), takeBranch(tx, { id, type })]);
    const before = await findFound(tx, id);
    return isDue(needs, before) ? { before, post: await publish(tx, during, before, needs) } : undefined;
  });
  if (published === undefined) return;
  needs.events.emit('post.saved', published);
  needs.events.emit('post.published', published);
}

const isDue = ({ clock }: Needs, post: Found | undefined): post is Found =>
  post?.status === 'future' && post.date_gmt !== null && post.date_gmt <= utcTime(clock());

async function publish(tx: Writing, during: During, before: Found, needs: Needs): Promise<Post> {
  const post = await keepPost(tx, before, { ...before, status: 'publish' });
  await follow(tx, during, before, post, needs);
  await recount(tx, before, post);
  return post;
}
