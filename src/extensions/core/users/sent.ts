// What a request says of a user, as the noun takes it.
import type { Caller } from '#kernel/caller.ts';
import { denied } from '#kernel/problem.ts';
import type { Profile, User } from '#site/identity/users/user.ts';
import { preferencesKey } from './people.ts';

export type Sent = Partial<Omit<Profile, 'meta'>> & {
  readonly id?: number;
  readonly username?: string;
  readonly meta?: { readonly [preferencesKey]?: unknown };
};

/** Preferences are for oneself to keep; keys that nobody registered are left aside. */
export function profileOf(
  { id: _, username, meta, ...profile }: Sent,
  user: User | undefined,
  caller: Caller,
): Partial<Profile> & { login?: string } {
  const preferences = meta?.[preferencesKey];
  const login = username === undefined ? {} : { login: username };
  if (preferences === undefined) return { ...profile, ...login };
  if (user?.id !== caller.id) throw denied('rest_cannot_update', 'Only they can change their preferences.');
  return { ...profile, ...login, meta: { [preferencesKey]: preferences } };
}

/** An empty answer to who gets it is nobody. */
export const reassignOf = (to: number | boolean | ''): number | undefined =>
  typeof to === 'number' && to > 0 ? to : undefined;
