// What a request says of a user, as the noun takes it. A record that was read can be sent back: what it shows already is no
// change, and so needs nobody's leave.
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '#kernel/caller.ts';
import { denied } from '#kernel/problem.ts';
import { invalid } from '#site/identity/users/faults.ts';
import type { Profile } from '#site/identity/users/user.ts';
import { noEmail } from '#site/platform/field-faults.ts';
import { localeOf, type ShownUser } from './shown-user.ts';
import { preferencesKey } from './shown-users.ts';

type Sent = Partial<Omit<Profile, 'meta'>> & {
  readonly id?: number;
  readonly username?: string;
  readonly meta?: { readonly [preferencesKey]?: unknown };
};

/** Preferences are for oneself to keep; keys that nobody registered are left aside. */
export function profileOf(
  { id: _, username, meta, ...said }: Sent,
  user: ShownUser | undefined,
  caller: Caller,
): Partial<Profile> & { login?: string } {
  const preferences = meta?.[preferencesKey];
  const login = username === undefined ? {} : { login: username };
  const profile = user === undefined ? said : changesTo(user, said);
  const isKept = preferences === undefined || (isEmpty(preferences) && isEmpty(user?.preferences ?? {}));
  if (isKept) return { ...profile, ...login };
  if (user?.id !== caller.id) throw denied('rest_cannot_update', 'Only they can change their preferences.');
  return { ...profile, ...login, meta: { [preferencesKey]: preferences } };
}

function changesTo(user: ShownUser, said: Partial<Profile>): Partial<Profile> {
  const shown: Record<string, unknown> = { ...user, locale: localeOf(user) };
  const differs = ([field, value]: [string, unknown]): boolean => !isDeepStrictEqual(value, shown[field]);
  const changes: Partial<Profile> = Object.fromEntries(Object.entries(said).filter(differs));
  if (changes.email === '') throw invalid('email', noEmail);
  return changes;
}

/** So are preferences shown that nobody set, and whatever others have. */
const isEmpty = (preferences: unknown): boolean =>
  typeof preferences === 'object' && preferences !== null && Object.keys(preferences).length === 0;

/** An empty answer to who gets it is nobody. */
export const reassignOf = (to: number | boolean | ''): number | undefined =>
  typeof to === 'number' && to > 0 ? to : undefined;
