// What was said about a record elsewhere. One with the same name and date on it is here already; of several alike, as many as are.
import { isIP } from 'node:net';
import { instant } from '#store/columns.ts';
import { keepNewComment, type CommentRow as Row } from '../content/comments/add.ts';
import { demandParent } from '../content/comments/places.ts';
import { emailKey } from '../content/comments/rows.ts';
import { keptContent, keptLines } from '../content/comments/said.ts';
import { namedStatus } from '../content/comments/statuses.ts';
import type { Now } from '../content/posts/dates.ts';
import { postLock } from '../content/posts/found.ts';
import { findPost } from '../content/posts/rows.ts';
import { userLock } from '../identity/users/guards.ts';
import type { Became } from './arriving.ts';
import { faultOf } from './failing.ts';
import { bounds, inLots, type Run } from './run.ts';
import { clean, momentOf, noDate, written } from './sound.ts';
import type { Writing } from './tables.ts';
import type { TheirComment } from './theirs.ts';
import type { Authors } from './users.ts';

/** The discussion of one record, as far as it has arrived. */
interface Thread {
  readonly post: number;
  readonly isTrashed: boolean;
  /** The highest number of one that was here before. */
  readonly before: number;
  /** Numbers there to those here. */
  readonly ids: Map<number, number>;
  /** How many alike have come. */
  readonly seen: Map<string, number>;
  /** Those that came before what they answer. */
  readonly waiting: { readonly id: number; readonly comment: Waiting }[];
}

type Waiting = Pick<TheirComment, 'parent' | 'line' | 'id' | 'author_name'>;

/** Of one record: so many are remembered, and can be answered later. */
const mostRemembered = 500_000;

/** One as it would be kept, and where it stands among those that came with it. */
interface Sound {
  readonly row: Row;
  readonly comment: TheirComment;
  readonly at: number;
}

export interface Discussing {
  comments(record: number, comments: readonly TheirComment[], now: Now, here?: number): Promise<readonly Became[]>;
  /** Has everything answer what it answers. */
  end(): Promise<void>;
}

const atOnce = 200;
const ordinary = 'comment';
const statuses = ['approved', 'hold', 'spam', 'trash', 'post-trashed'];

export function createDiscussing({ needs, options, report, known }: Run, authors: Authors): Discussing {
  const { store, clock } = needs;
  let thread: Thread | undefined;

  const begin = async (post: number): Promise<Thread> => {
    const row = await findPost(store.db, post);
    const last = store.db.selectFrom('comments').where('post_id', '=', post);
    const { before } = await last.select((of) => of.fn.max<number | null>('id').as('before')).executeTakeFirstOrThrow();
    const isTrashed = row?.status === 'trash';
    return { post, isTrashed, before: before ?? 0, ids: new Map(), seen: new Map(), waiting: [] };
  };

  /** Those that were here before, in their order, by what they are compared by. */
  const hereAlready = async ({ post, before }: Thread, rows: readonly Row[]) => {
    if (before === 0) return new Map<string, { id: number; parent: number }[]>();
    const found = await store.db
      .selectFrom('comments')
      .select(['id', 'parent', 'author_name', 'date_gmt'])
      .where('post_id', '=', post)
      .where('status', 'in', statuses)
      .where('date_gmt', 'in', [...new Set(rows.map(({ date_gmt }) => date_gmt))])
      .where('id', '<=', before)
      .orderBy('id')
      .execute();
    return Map.groupBy(found, alikeAs);
  };

  const rowOf = async (comment: TheirComment, { post, isTrashed }: Thread, now: Now): Promise<Row> => {
    const moment = momentOf(written(comment.date), written(comment.date_gmt), now);
    if (moment === undefined) throw noDate();
    const { author_name, author_email, author_url, author_user_agent = '' } = comment;
    const lines = keptLines({ author_name, author_email, author_url, author_user_agent });
    const texts = Object.fromEntries(Object.entries(lines).map(([name, text]) => [name, clean(text)])) as typeof lines;
    return {
      post_id: post,
      parent: 0,
      user_id: (await authors.find(comment.author)) ?? 0,
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
      ...stateOf(comment, isTrashed, clock()),
      content: clean(keptContent(comment.content, options.unfiltered)),
    };
  };

  /** In one write. What it throws leaves none of them. */
  const keep = (thread: Thread, all: readonly { readonly row: Row; readonly comment: TheirComment }[]) =>
    store.write(async (tx, { lock, share }) => {
      const speakers = [...new Set(all.map(({ row }) => row.user_id))].sort((one, other) => one - other);
      for (const id of speakers) if (id !== 0) await share(userLock(id));
      await lock(postLock(thread.post));
      const ids = new Map<number, number>();
      const kept: { readonly id: number; readonly parent: number }[] = [];
      for (const { row, comment } of all) {
        const parent = thread.ids.get(comment.parent) ?? ids.get(comment.parent) ?? 0;
        const { id } = await keepNewComment(tx, { ...row, parent });
        if (comment.id > 0) ids.set(comment.id, id);
        kept.push({ id, parent });
      }
      return kept;
    }, bounds);

  const fail = (comment: TheirComment, error: unknown): Became => {
    report.fault(faultOf(error, comment, comment.author_name || 'comment'));
    report.comment('failed');
    return { what: 'failed' };
  };

  const settle = (thread: Thread, comment: TheirComment, { id, parent }: { id: number; parent: number }): void => {
    if (thread.ids.size >= mostRemembered) return;
    if (comment.id > 0 && !thread.ids.has(comment.id)) thread.ids.set(comment.id, id);
    if (parent !== 0 || comment.parent <= 0) return;
    const { line, author_name } = comment;
    const place = { id: comment.id, parent: comment.parent, author_name, ...(line !== undefined && { line }) };
    thread.waiting.push({ id, comment: place });
  };

  /** As they would be kept; those that cannot be are told. What has come already under its number is passed over. */
  const soundOnes = async (thread: Thread, comments: readonly TheirComment[], now: Now, became: Became[]) => {
    const sound: Sound[] = [];
    const numbers = new Set<number>();
    for (const [at, comment] of comments.entries()) {
      if (comment.id > 0 && (thread.ids.has(comment.id) || numbers.has(comment.id))) continue;
      numbers.add(comment.id);
      try {
        sound.push({ row: await rowOf(comment, thread, now), comment, at });
      } catch (error) {
        became[at] = fail(comment, error);
      }
    }
    return sound;
  };

  /** Those that are not here yet. */
  const freshOnes = async (thread: Thread, sound: readonly Sound[], became: Became[]): Promise<Sound[]> => {
    const rows = sound.map(({ row }) => row);
    const here = await hereAlready(thread, rows);
    return sound.filter((one) => {
      const key = alikeAs(one.row);
      const nth = thread.seen.get(key) ?? 0;
      if (thread.before > 0) thread.seen.set(key, nth + 1);
      const same = here.get(key)?.[nth];
      if (same === undefined) return true;
      settle(thread, one.comment, same);
      became[one.at] = { what: 'same', id: same.id };
      return false;
    });
  };

  const keepFresh = async (thread: Thread, fresh: readonly Sound[], became: Became[]): Promise<void> => {
    if (fresh.length === 0) return;
    try {
      for (const [nth, kept] of (await keep(thread, fresh)).entries()) {
        const { at, comment } = fresh[nth]!;
        became[at] = { what: 'made', id: kept.id };
        settle(thread, comment, kept);
      }
    } catch (error) {
      for (const { at, comment } of fresh) became[at] = fail(comment, error);
    }
  };

  const some = async (thread: Thread, comments: readonly TheirComment[], now: Now): Promise<Became[]> => {
    const became: Became[] = comments.map(() => ({ what: 'skipped' }));
    const fresh = await freshOnes(thread, await soundOnes(thread, comments, now, became), became);
    if (options.dryRun) for (const { at } of fresh) became[at] = { what: 'made' };
    else await keepFresh(thread, fresh, became);
    for (const { what } of became) if (what !== 'failed') report.comment(what === 'made' ? 'created' : 'skipped');
    return became;
  };

  const answer = async (
    tx: Writing,
    { post, ids }: Thread,
    { id, comment }: Thread['waiting'][number],
  ): Promise<void> => {
    const parent = ids.get(comment.parent);
    if (parent === undefined) return;
    try {
      await demandParent(tx, parent, post, id);
    } catch (error) {
      report.fault(faultOf(error, comment, comment.author_name || 'comment'));
      return;
    }
    await tx.updateTable('comments').set({ parent }).where('id', '=', id).execute();
  };

  const end = async (): Promise<void> => {
    const ended = thread;
    thread = undefined;
    if (ended === undefined) return;
    const waiting = ended.waiting.filter(({ comment }) => ended.ids.has(comment.parent));
    for (const lot of inLots(waiting, atOnce))
      await store.write(async (tx, { lock }) => {
        await lock(postLock(ended.post));
        for (const one of lot) await answer(tx, ended, one);
      }, bounds);
  };

  return {
    end,
    async comments(record, comments, now, here) {
      const post = here ?? (await known.records([record])).get(record);
      if (post === undefined) {
        for (const _ of comments) report.comment(options.dryRun ? 'created' : 'skipped');
        return comments.map(() => ({ what: options.dryRun ? 'made' : 'skipped' }));
      }
      if (thread?.post !== post) await end();
      thread ??= await begin(post);
      const became: Became[] = [];
      for (const lot of inLots(comments, atOnce)) became.push(...(await some(thread, lot, now)));
      return became;
    },
  };
}

const alikeAs = ({ author_name, date_gmt }: Pick<Row, 'author_name' | 'date_gmt'>): string =>
  `${date_gmt} ${author_name}`;

type State = Pick<Row, 'status' | 'status_before' | 'trashed_at'>;

/** About a record in the trash, it waits there with it. */
function stateOf({ status, meta }: TheirComment, isTrashed: boolean, at: Date): State {
  const before = namedStatus(meta.find(({ key }) => key === '_wp_trash_meta_status')?.value);
  if (status === 'trash') return { status, status_before: before ?? 'hold', trashed_at: instant(at) };
  const named = namedStatus(status) ?? before ?? 'hold';
  if (isTrashed) return { status: 'post-trashed', status_before: named, trashed_at: null };
  return { status: named, status_before: named === 'spam' ? (before ?? 'hold') : null, trashed_at: null };
}
