// What was said about records elsewhere. One with the same name and date on it is here already; of several alike, as many as are.
// What was said about many records is one write.

import { isIP } from 'node:net';
import { formatOf } from '#kernel/args/formats.ts';
import { instant } from '#store/columns.ts';
import { keepNewComments, type CommentRow as Row } from '../../content/comments/add.ts';
import { namedStatus } from '../../content/comments/comment.ts';
import { emailKey } from '../../content/comments/rows.ts';
import { keptContent, keptLines } from '../../content/comments/said.ts';
import type { Now } from '../../content/posts/dates.ts';
import { postLock } from '../../content/posts/rows.ts';
import { userLock } from '../../identity/users/guards.ts';
import type { Discussion } from './arriving.ts';
import type { LeasedStore } from './import-lease.ts';
import type { Report } from './report.ts';
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

export function createDiscussing(run: Run, authors: Authors): Discussing {
  const { needs, options, report, known } = run;
  const { store } = needs;
  /** The thread of which more comments may come. */
  let last: Thread | undefined;

  const some = async (all: readonly Of[], now: Now): Promise<void> => {
    const fresh = await freshOnes(run, await soundOnes(run, authors, all, now));
    if (options.dryRun) for (const _ of fresh) report.comment('created');
    else await keepFresh(run, fresh);
  };

  const end = async (thread: Thread | undefined): Promise<void> => {
    if (thread !== undefined) for (const fault of await answerAll(store, thread)) report.fault(fault);
  };

  /** The thread of each discussion; nothing for those whose record is not here. */
  const threadsOf = async (all: readonly Discussion[]): Promise<(Thread | undefined)[]> => {
    const found = await known.records(all.flatMap(({ record, here }) => (here === undefined ? [record] : [])));
    const posts = all.map(({ record, here }) => here ?? found.get(record));
    const more = posts.flatMap((post) => (post === last?.post ? [] : (post ?? [])));
    const threads = await begun(store.db, more);
    return posts.map((post) => {
      if (post === undefined) return undefined;
      return post === last?.post ? last : threads.get(post);
    });
  };

  return {
    end: async () => {
      const ended = last;
      last = undefined;
      await end(ended);
    },
    async comments(all, now) {
      const threads = await threadsOf(all);
      const pairs = all.flatMap(({ comments }, at) => comments.map((comment) => ({ comment, thread: threads[at] })));
      const here = pairs.filter((pair): pair is Of => pair.thread !== undefined);
      const homeless = pairs.filter(({ thread }) => thread === undefined);
      for (const _ of homeless) report.comment(options.dryRun ? 'created' : 'skipped');
      for (const lot of inLots(here, atOnce)) await some(lot, now);
      const ended = new Set([...threads, last]);
      last = here.at(-1)?.thread ?? last;
      ended.delete(last);
      for (const thread of ended) await end(thread);
    },
  };
}

/** Converts comments to rows and reports those that cannot be. */
async function soundOnes(run: Run, authors: Authors, all: readonly Of[], now: Now): Promise<Sound[]> {
  const sound: Sound[] = [];
  for (const { thread, comment } of unseen(all, run.report)) {
    try {
      const speaker = (await authors.find(comment.author)) ?? 0;
      const { post, isTrashed } = thread;
      // What strangers said is filtered, whoever brings it: nobody here answers for it.
      const unfiltered = run.options.unfiltered && (await authors.mayWriteAny(speaker));
      const here = { post, isTrashed, speaker, unfiltered, now, at: run.needs.clock() };
      sound.push({ row: saidOf(comment, here), comment, thread });
    } catch (error) {
      fail(run.report, comment, error);
    }
  }
  return sound;
}

/** Leaves out comments that came already under their number, in this lot or an earlier one. */
function unseen(all: readonly Of[], report: Report): Of[] {
  const come = new Map<Thread, Set<number>>();
  return all.filter(({ thread, comment }) => {
    const numbers = come.get(thread) ?? new Set();
    come.set(thread, numbers);
    if (comment.id > 0 && (thread.ids.has(comment.id) || numbers.has(comment.id))) {
      report.comment('skipped');
      return false;
    }
    numbers.add(comment.id);
    return true;
  });
}

function fail(report: Report, comment: TheirComment, error: unknown): void {
  report.fault(faultOf(error, comment, comment.author_name || 'comment'));
  report.comment('failed');
}

/** Leaves out comments that are here already. */
async function freshOnes({ needs: { store }, report }: Run, sound: readonly Sound[]): Promise<Sound[]> {
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
}

/** Stores all in one write. If comments on one record cannot be stored, those on others still are. */
async function keepFresh(run: Run, fresh: readonly Sound[]): Promise<void> {
  if (fresh.length === 0) return;
  try {
    for (const [nth, kept] of (await keep(run.needs.store, fresh)).entries()) {
      const { thread, comment } = fresh[nth]!;
      settled(thread, comment, kept);
      run.report.comment('created');
    }
  } catch (error) {
    const threads = Map.groupBy(fresh, ({ thread }) => thread);
    if (threads.size > 1) for (const some of threads.values()) await keepFresh(run, some);
    else for (const { comment } of fresh) fail(run.report, comment, error);
  }
}

/** If it throws, none of them is stored. */
const keep = (store: LeasedStore, all: readonly Sound[]) =>
  store.write(async (tx, { lock, share }) => {
    for (const id of inOrder(all.map(({ row }) => row.user_id))) if (id !== 0) await share(userLock(id));
    for (const post of inOrder(all.map(({ thread }) => thread.post))) await lock(postLock(post));
    return keepNewComments(tx, answering(all));
  }, bounds);

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
