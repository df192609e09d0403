// Whose words a comment has: who speaks, or whom those who look after comments say it is.
import type { Reads } from '#store/handles.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import { findUser } from '../../identity/users/rows.ts';
import type { Comment, CommentSaid, Speaking } from './comment.ts';
import { noAuthorData, noSuchAuthor } from './faults.ts';
import { keptLines } from './said.ts';

type Db = Reads<IdentityTables>;
export type Author = Pick<Comment, 'user_id' | 'author_name' | 'author_email' | 'author_url'>;

/** Under the name, email and web address of the account. Throws where there is none. */
export async function accountOf(db: Db, id: number): Promise<Author> {
  if (id === 0) return { user_id: 0, author_name: '', author_email: '', author_url: '' };
  const user = await findUser(db, id);
  if (user === undefined) throw noSuchAuthor();
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
  if (user_id === 0 && (author_name === '' || author_email === '')) throw noAuthorData();
}
