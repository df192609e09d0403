// The names of people in addresses: made of the name they sign in with, unless that is to stay their own affair.
import { Problem } from '#kernel/problem.ts';
import { slugOf } from '#lib/slug.ts';
import type { NewUser, User } from './user.ts';

/** `hidden`: it says nothing of the login. */
export function newSlug({ login, slug = '', name = '', nickname = '' }: NewUser, hidden: boolean): string {
  if (!hidden) return slugOf(slug) || slugOf(login) || 'user';
  const wanted = [slug, name, nickname].map(slugOf);
  return wanted.find((one) => one !== '' && !tells(one, login)) ?? 'author';
}

/** With a number behind it, too: whoever reads it would try without. */
const tells = (slug: string, login: string): boolean =>
  slug.replace(/-\d+$/, '') === slugOf(login) || slug === slugOf(login);

/** The slug that somebody has from now on, where it may not say the login; nothing where it stays. */
export function hiddenSlug({ login, slug, name, nickname }: User, wanted: string | undefined): string | undefined {
  if (wanted !== undefined && tells(slugOf(wanted), login))
    throw new Problem(400, 'rest_user_invalid_slug', 'Please choose a slug that does not say what you sign in with.');
  return wanted === undefined && tells(slug, login) ? newSlug({ login, name, nickname }, true) : undefined;
}
