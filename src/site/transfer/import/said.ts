// A comment of another site as it is kept here.
import { isIP } from 'node:net';
import { formatOf } from '#kernel/args/formats.ts';
import { instant } from '#store/columns.ts';
import type { CommentRow as Row } from '../../content/comments/add.ts';
import { emailKey } from '../../content/comments/rows.ts';
import { keptContent, keptLines } from '../../content/comments/said.ts';
import { namedStatus } from '../../content/comments/statuses.ts';
import type { Now } from '../../content/posts/dates.ts';
import { clean, momentOf, noDate, written } from './sound.ts';
import type { TheirComment } from './theirs.ts';

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
export function saidOf(comment: TheirComment, { post, isTrashed, speaker, unfiltered, now, at }: Here): Row {
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
