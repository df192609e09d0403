// What people say, as it is kept.

import { withoutSteering } from '#lib/printable.ts';
import { stripTags } from '#lib/tags.ts';
import type { Reads } from '#store/handles.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import { findUser } from '../../identity/users/rows.ts';
import { contentErrors } from '../errors.ts';
import { filterComment, markLinks } from '../filter/filter.ts';
import type { Comment, CommentSaid, Speaking } from './comment.ts';
import { refuseTooLong } from './faults.ts';

/** Longer ones tell nothing more of a program. */
const longestAgent = 254;

/** A line that is shown as text: tags in it would be taken for such by whoever shows it. */
const line = (text: string): string => withoutSteering(stripTags(text)).trim();

const agent = (text: string): string => withoutSteering(text).slice(0, longestAgent);

/** Throws where it is empty, also once what may not be said is taken out. */
export function keptContent(content: string, unfiltered: boolean): string {
  if (content.trim() === '') throw contentErrors.commentContentInvalid();
  refuseTooLong({ content });
  const kept = unfiltered ? markLinks(content.replaceAll('\0', '')) : filterComment(content);
  if (kept.trim() === '') throw contentErrors.commentContentInvalid();
  refuseTooLong({ content: kept });
  return kept;
}

/** The lines of it, each that was said. */
export function keptLines(said: CommentSaid) {
  const { author_name, author_email, author_url, author_ip, author_user_agent } = said;
  const lines = {
    ...(author_name !== undefined && { author_name: line(author_name) }),
    ...(author_email !== undefined && { author_email: author_email.trim() }),
    ...(author_url !== undefined && { author_url: withoutSteering(author_url) }),
    ...(author_ip !== undefined && { author_ip }),
    ...(author_user_agent !== undefined && { author_user_agent: agent(author_user_agent) }),
  };
  refuseTooLong(lines);
  return lines;
}

// Whose words a comment has: who speaks, or whom those who look after comments say it is.

type Db = Reads<IdentityTables>;
export type Author = Pick<Comment, 'user_id' | 'author_name' | 'author_email' | 'author_url'>;

/** Under the name, email and web address of the account. Throws where there is none. */
export async function accountOf(db: Db, id: number): Promise<Author> {
  if (id === 0) return { user_id: 0, author_name: '', author_email: '', author_url: '' };
  const user = await findUser(db, id);
  if (user === undefined) throw contentErrors.commentAuthorInvalid();
  return { user_id: id, author_name: user.name, author_email: user.email, author_url: user.url };
}

/** Nobody who has an account speaks under another name, but for those who may speak for others. */
export async function authorOf(db: Db, said: CommentSaid, { speaker, trusted }: Speaking): Promise<Author> {
  const { author_ip: _, author_user_agent: __, ...lines } = keptLines(said);
  if (!trusted) {
    const account = await accountOf(db, speaker);
    return speaker === 0 ? { ...account, ...lines } : account;
  }
  const isNamed = Object.values(lines).some((text) => text !== '');
  const id = said.author ?? (isNamed ? 0 : speaker);
  return { ...(await accountOf(db, id)), ...(isNamed && lines) };
}

/** Those with an account are known as it is. */
export function demandNamed({ user_id, author_name, author_email }: Author): void {
  if (user_id === 0 && (author_name === '' || author_email === '')) throw contentErrors.commentAuthorDataRequired();
}
