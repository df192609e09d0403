// What the commands about users share.

import { nearest } from '#config/nearest.ts';
import type { Reason } from '#kernel/problem.ts';
import { administrator } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Users } from '#site/identity/users/users.ts';
import { type Ask, Failed, given, type Word, WrongUse } from './command.ts';

export const login: Word = { name: 'LOGIN', meaning: 'Login or email address of the user' };

export async function somebody(users: Users, name: string): Promise<User> {
  const user = await users.named(name);
  if (user === undefined) throw new Failed(`User ${name} does not exist.`);
  return user;
}

/** What cannot be a login, an address or a name is wrong on the command line, and refused before anything is opened. */
export function demandSound(place: string, fault: Reason | undefined): void {
  if (fault !== undefined) throw new WrongUse(`${place} cannot be used: ${fault.message}`);
}

export const asked = (ask: Ask, users: Users): Promise<User> => somebody(users, given(ask.words, login.name));

/** The roles named on the command line, refused before anything is opened when the deployment has none of that name. */
export function rolesIn(ask: Ask, named: readonly string[]): readonly string[] {
  const known = Object.keys(ask.config().deployment.roles);
  const odd = named.find((role) => !known.includes(role));
  if (odd === undefined) return [...new Set(named)];
  const near = nearest(odd, known);
  const meant = near === undefined ? `the roles here are ${known.join(', ')}` : `did you mean ${near}`;
  throw new WrongUse(`Role ${odd} does not exist; ${meant}${near === undefined ? '.' : '?'}`);
}

export const countAdministrators = async (users: Users): Promise<number> =>
  (await users.list({ ...page(1, 0), roles: [administrator] })).total;

/** So many users, the oldest first. */
export const page = (limit: number, offset: number) =>
  ({ limit, offset, order: 'asc', orderBy: 'id', searchPrivate: true }) as const;
