// What was said about records elsewhere. One with the same name and date on it is here already; of several alike, as many as are.
// What was said about many records is one write.

import { isIP } from 'node:net';
import { formatOf } from '#kernel/args/formats.ts';
import { instant } from '#store/columns.ts';
import { keepNewComments, type CommentRow as Row } from '../../content/comments/add.ts';
import { emailKey } from '../../content/comments/rows.ts';
import { keptContent, keptLines } from '../../content/comments/said.ts';
import { namedStatus } from '../../content/comments/statuses.ts';
import type { Now } from '../../content/posts/dates.ts';
import { postLock } from '../../content/posts/found.ts';
import { userLock } from '../../identity/users/guards.ts';
import type { Discussion } from './arriving.ts';
import { bounds, faultOf, inLots, type Run } from './run.ts';
import { clean, momentOf, noDate, written } from './sound.ts';
import type { TheirComment } from './theirs.ts';
import { alikeAs, answerAll, begun, hereAlready, settled, type Thread } from './threads.ts';
import type { Authors } from './users.ts';

/** One of a discussion that is here. */
interface Of {
  readonly thread: Thread;
  readonly comment: TheirComment;
}

/** As it would be kept. */
interface Sound extends Of {
  readonly row: Row;
}

export interface Discussing {
  comments(all: readonly Discussion[], now: Now): Promise<void>;
  /** Has everything answer what it answers. */
  end(): Promise<void>;
}

const atOnce = 200;

export function createDiscussing({ needs, options, report, known }: Run, authors: Authors): Discussing {
  const { store, clock } = needs;
  /** That of which more may come. */
  let last: Thread | undefined;

  const fail = (comment: TheirComment, error: unknown): void => {
    report.fault(faultOf(error, comment, comment.author_name || 'comment'));
    report.comment('failed');
  };

  /** As they would be kept; those that cannot be are told. What has come already under its number is passed over. */
  const soundOnes = async (all: readonly Of[], now: Now): Promise<Sound[]> => {
    const sound: Sound[] = [];
    const come = new Map<Thread, Set<number>>();
    for (const { thread, comment } of all) {
      const numbers = come.get(thread) ?? new Set();
      come.set(thread, numbers);
      if (comment.id > 0 && (thread.ids.has(comment.id) || numbers.has(comment.id))) {
        report.comment('skipped');
        continue;
      }
      numbers.add(comment.id);
      try {
        const speaker = (await authors.find(comment.author)) ?? 0;
        const { post, isTrashed } = thread;
        // What strangers said is filtered, whoever brings it: nobody here answers for it.
        const unfiltered = options.unfiltered && (await authors.mayWriteAny(speaker));
        const here = { post, isTrashed, speaker, unfiltered, now, at: clock() };
        sound.push({ row: saidOf(comment, here), comment, thread });
      } catch (error) {
        fail(comment, error);
      }
    }
    return sound;
  };

  /** Those that are not here yet. */
  const freshOnes = async (sound: readonly Sound[]): Promise<Sound[]> => {
    const fresh: Sound[] = [];
    for (const [thread, some] of Map.groupBy(sound, (one) => one.thread)) {
      const here = await hereAlready(
        store.db,
        thread,
        some.map(({ row }) => row),
      );
      for (const one of some) {
        const key = alikeAs(one.row);
        const nth = thread.seen.get(key) ?? 0;
        if (thread.before > 0) thread.seen.set(key, nth + 1);
        const same = here.get(key)?.[nth];
        if (same === undefined) fresh.push(one);
        else {
          settled(thread, one.comment, same);
          report.comment('skipped');
        }
      }
    }
    return fresh;
  };

  /** In one write. What it throws leaves none of them. */
  const keep = (all: readonly Sound[]) =>
    store.write(async (tx, { lock, share }) => {
      for (const id of inOrder(all.map(({ row }) => row.user_id))) if (id !== 0) await share(userLock(id));
      for (const post of inOrder(all.map(({ thread }) => thread.post))) await lock(postLock(post));
      return keepNewComments(tx, answering(all));
    }, bounds);

  /** Where something about one record cannot be kept, what is about others can. */
  const keepFresh = async (fresh: readonly Sound[]): Promise<void> => {
    if (fresh.length === 0) return;
    try {
      for (const [nth, kept] of (await keep(fresh)).entries()) {
        const { thread, comment } = fresh[nth]!;
        settled(thread, comment, kept);
        report.comment('created');
      }
    } catch (error) {
      const threads = Map.groupBy(fresh, ({ thread }) => thread);
      if (threads.size > 1) for (const some of threads.values()) await keepFresh(some);
      else for (const { comment } of fresh) fail(comment, error);
    }
  };

  const some = async (all: readonly Of[], now: Now): Promise<void> => {
    const fresh = await freshOnes(await soundOnes(all, now));
    if (options.dryRun) for (const _ of fresh) report.comment('created');
    else await keepFresh(fresh);
  };

  const end = async (threads: Iterable<Thread>): Promise<void> => {
    for (const thread of threads) for (const fault of await answerAll(store, thread)) report.fault(fault);
  };

  const passedOver = (comments: readonly TheirComment[]): void => {
    for (const _ of comments) report.comment(options.dryRun ? 'created' : 'skipped');
  };

  return {
    end: async () => {
      const ended = last;
      last = undefined;
      if (ended !== undefined) await end([ended]);
    },
    async comments(all, now) {
      const unknown = all.flatMap(({ record, here }) => (here === undefined ? [record] : []));
      const found = await known.records(unknown);
      const placed = all.map((one) => ({ ...one, post: one.here ?? found.get(one.record) }));
      const posts = placed.flatMap(({ post }) => post ?? []);
      const threads = await begun(
        store.db,
        posts.filter((post) => post !== last?.post),
      );
      if (last !== undefined) threads.set(last.post, last);
      const here: Of[] = [];
      for (const { post, comments } of placed) {
        const thread = post === undefined ? undefined : threads.get(post);
        if (thread === undefined) passedOver(comments);
        else for (const comment of comments) here.push({ thread, comment });
      }
      for (const lot of inLots(here, atOnce)) await some(lot, now);
      last = here.at(-1)?.thread ?? last;
      await end([...threads.values()].filter((thread) => thread !== last));
    },
  };
}

/** Each with what it answers, be that here or among those before it. */
function answering(all: readonly Sound[]) {
  const places = new Map<Thread, Map<number, number>>();
  return all.map(({ row, thread, comment }, at) => {
    const own = places.get(thread) ?? new Map<number, number>();
    places.set(thread, own);
    const parent = thread.ids.get(comment.parent) ?? 0;
    const answers = parent === 0 ? own.get(comment.parent) : undefined;
    if (comment.id > 0) own.set(comment.id, at);
    return { row: { ...row, parent }, answers };
  });
}

const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].sort((one, other) => one - other);

// A comment of another site as it is kept here.

/** What this site says of it. */
interface Here {
  readonly post: number;
  /** The record lies in the trash. */
  readonly isTrashed: boolean;
  readonly speaker: number;
  /** Whether whoever speaks may write any HTML here, and what comes is kept as it stands at all. */
  readonly unfiltered: boolean;
  readonly now: Now;
  readonly at: Date;
}

const ordinary = 'comment';
/** As the interface takes one: what leads to no address is none. */
const address = formatOf('uri', false)!.clean!;

/** The row but for what it answers. */
function saidOf(comment: TheirComment, { post, isTrashed, speaker, unfiltered, now, at }: Here): Row {
  const moment = momentOf(written(comment.date), written(comment.date_gmt), now);
  if (moment === undefined) throw noDate();
  const { author_name, author_email, author_user_agent = '' } = comment;
  const author_url = address(comment.author_url);
  const lines = keptLines({ author_name, author_email, author_url, author_user_agent });
  const texts = Object.fromEntries(Object.entries(lines).map(([name, text]) => [name, clean(text)])) as typeof lines;
  return {
    post_id: post,
    parent: 0,
    user_id: speaker,
    author_name: '',
    author_email: '',
    author_url: '',
    author_user_agent: '',
    ...texts,
    email_key: emailKey(texts.author_email ?? ''),
    author_ip: isIP(comment.author_ip) === 0 ? '' : comment.author_ip,
    date: moment.wall,
    date_gmt: moment.utc,
    type: /^[a-z][a-z_-]{0,19}$/.test(comment.type) ? comment.type : ordinary,
    ...stateOf(comment, isTrashed, at),
    content: clean(keptContent(comment.content, unfiltered)),
  };
}

type State = Pick<Row, 'status' | 'status_before' | 'trashed_at'>;

/** About a record in the trash, it waits there with it. */
function stateOf({ status, meta }: TheirComment, isTrashed: boolean, at: Date): State {
  const before = namedStatus(meta.find(({ key }) => key === '_wp_trash_meta_status')?.value);
  if (status === 'trash') return { status, status_before: before ?? 'hold', trashed_at: instant(at) };
  const named = namedStatus(status) ?? before ?? 'hold';
  if (isTrashed) return { status: 'post-trashed', status_before: named, trashed_at: null };
  return { status: named, status_before: named === 'spam' ? (before ?? 'hold') : null, trashed_at: null };
}
