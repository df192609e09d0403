// What is easy to guess of somebody: what they are called here, and what the site is called.
import type { User } from '#site/identity/users/user.ts';

export type About = Partial<
  Pick<User, 'login' | 'email' | 'name' | 'first_name' | 'last_name' | 'nickname' | 'url' | 'description'>
>;

const shortest = 3;
const longest = 64;
const most = 100;

/** In small letters: each text as a whole, and each word of it. The first come first, where there are too many. */
export function wordsOf(about: About, site: readonly string[]): string[] {
  const { login, email, name, first_name, last_name, nickname, url, description } = about;
  const texts = [login, email, name, first_name, last_name, nickname, url, ...site, description];
  const words = texts.flatMap((text = '') => {
    const small = text.slice(0, 1000).toLowerCase();
    return [small, ...(small.match(/[\p{L}\p{N}]+/gu) ?? [])];
  });
  return [...new Set(words)].filter(({ length }) => length >= shortest && length <= longest).slice(0, most);
}
