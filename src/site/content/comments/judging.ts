// Whether a comment is shown at once, waits for somebody to look at it, or is put aside.
import { fold } from '#lib/fold.ts';
import { eachToken } from '#lib/html-tokens.ts';
import type { Values } from '../../settings/group.ts';
import type { CommentsTable, Writing } from '../tables.ts';
import type { DiscussionGroup } from './discussion.ts';

export type Discussion = Values<DiscussionGroup['fields']>;

export type Judged = Pick<
  CommentsTable,
  'content' | 'author_name' | 'author_email' | 'email_key' | 'author_url' | 'author_ip' | 'author_user_agent'
>;

/** `aside` is where what nobody wants goes. */
export async function verdictOn(
  tx: Writing,
  comment: Judged,
  discussion: Discussion,
  aside: 'trash' | 'spam',
): Promise<'approved' | 'hold' | 'trash' | 'spam'> {
  const { disallowed_words, moderation_words, comment_moderation, comment_max_links } = discussion;
  if (hasWord(comment, disallowed_words)) return aside;
  if (comment_moderation || hasWord(comment, moderation_words)) return 'hold';
  if (comment_max_links > 0 && linksIn(comment.content) >= comment_max_links) return 'hold';
  return discussion.comment_previously_approved && !(await isKnown(tx, comment)) ? 'hold' : 'approved';
}

function hasWord(comment: Judged, list: string): boolean {
  const words = list.split('\n').map((line) => fold(line.trim()));
  const texts = [comment.content, textOf(comment.content), comment.author_name, comment.author_email]
    .concat(comment.author_url, comment.author_ip, comment.author_user_agent)
    .map(fold);
  return words.some((word) => word !== '' && texts.some((text) => text.includes(word)));
}

/** Words may be taken apart by tags that nobody sees. */
function textOf(html: string): string {
  const pieces: string[] = [];
  eachToken(html, ({ kind, start, end }) => kind === 'text' && pieces.push(html.slice(start, end)));
  return pieces.join('');
}

/** Links, and what becomes one when it is shown. */
export function linksIn(html: string): number {
  let links = 0;
  let inside = 0;
  eachToken(html, (token) => {
    if (token.kind === 'open' && token.name === 'a') {
      inside += 1;
      if (token.attributes.some(({ name }) => name === 'href')) links += 1;
    }
    if (token.kind === 'close' && token.name === 'a') inside = Math.max(0, inside - 1);
    if (token.kind === 'text' && inside === 0)
      links += html.slice(token.start, token.end).match(/\b(?:https?:\/\/|ftp:\/\/|www\.)/gi)?.length ?? 0;
  });
  return links;
}

/** Whether somebody of this name and address said something that was approved. */
async function isKnown(tx: Writing, { author_name, email_key }: Judged): Promise<boolean> {
  if (author_name === '' || email_key === '') return false;
  const earlier = await tx
    .selectFrom('comments')
    .select('id')
    .where('email_key', '=', email_key)
    .where('author_name', '=', author_name)
    .where('status', '=', 'approved')
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}
