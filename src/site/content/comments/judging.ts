// Whether a comment is shown at once, waits for somebody to look at it, or is put aside.
import { fold } from '#lib/fold.ts';
import { eachToken, meaning, readText, textOf } from '#lib/html-tokens.ts';
import type { Values } from '../../platform/settings/group.ts';
import type { CommentsTable, Writing } from '../tables.ts';
import type { DiscussionGroup } from './discussion.ts';

export type Discussion = Values<DiscussionGroup['fields']>;

type Judged = Pick<
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
  const { content, author_name, author_email, author_url, author_ip, author_user_agent } = comment;
  const said = [content, author_name, author_email, author_url, author_ip, author_user_agent].flatMap(readings);
  const texts = [...new Set(said.concat(targets(content), target(author_url)).map(compared))];
  return list
    .split('\n')
    .map((line) => compared(line).trim())
    .some((word) => word !== '' && texts.some((text) => text.includes(word)));
}

/** As it is written and as it is read: words may be taken apart by tags that nobody sees, and their letters spelled out. */
const readings = (text: string): string[] => [text, readText(text), meaning(text)];

/** Signs that nobody sees, and that stand inside of words without parting them. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\t\n\r])\p{Cc}/gu;

const compared = (text: string): string => fold(text.replace(unseen, ''));

/** Where its links lead, as browsers read them. */
function targets(html: string): string[] {
  const found: string[] = [];
  eachToken(html, (token) => {
    if (token.kind !== 'open') return;
    for (const { name, written } of token.attributes) if (name === 'href') found.push(target(meaning(written)));
  });
  return found;
}

const target = (address: string): string => URL.parse(address)?.href ?? '';

/** Links, and what becomes one when it is shown. */
function linksIn(html: string): number {
  let links = 0;
  let inside = 0;
  eachToken(html, (token) => {
    if (token.kind === 'open' && token.name === 'a') {
      inside += 1;
      if (token.attributes.some(({ name }) => name === 'href')) links += 1;
    }
    if (token.kind === 'close' && token.name === 'a') inside = Math.max(0, inside - 1);
    if (token.kind === 'text' && inside === 0) links += linksInText(textOf(html.slice(token.start, token.end)));
  });
  return links;
}

const linksInText = (text: string): number =>
  text.replace(unseen, '').match(/\b(?:https?:\/\/|ftp:\/\/|www\.)/gi)?.length ?? 0;

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
