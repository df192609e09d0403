// What a user is to everybody else: without the hash of their password, which is read only where somebody is let in.
import { createHash } from 'node:crypto';
import type { Premises } from '../../platform/about.ts';

export interface User {
  readonly id: number;
  /** The name to sign in with. */
  readonly login: string;
  readonly email: string;
  /** The name in addresses. */
  readonly slug: string;
  /** The name people see. */
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly nickname: string;
  readonly url: string;
  readonly description: string;
  /** As the interface writes it, `en_GB`; empty for the site's own. */
  readonly locale: string;
  readonly registered_at: string;
  /** In the order they were given. */
  readonly roles: readonly string[];
}

/** The number of who is no user: whoever holds the machine, at the command line. */
export const nobodys = 0;

/** What may be said of a user, by themselves or by somebody who may edit them. */
export interface Profile extends Omit<User, 'id' | 'login' | 'registered_at'> {
  /** As typed; only its hash is kept. */
  readonly password: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Without a password nobody can sign in as them until one is set. */
export type NewUser = Partial<Profile> & { readonly login: string };

/** One of many that the program makes together. */
export interface OneOfMany {
  /** With a number, where somebody has it. */
  readonly login: string;
  readonly password: string;
  readonly registered: Date;
  /** What is theirs once it is known what they are called: their email address may be made of it. */
  readonly as: (login: string) => NewUser;
}

/** Why somebody was not let in. For the log and the lockouts; the person is told one thing, whatever it was. */
export type LoginFailure =
  | 'invalid_username'
  | 'invalid_email'
  | 'incorrect_password'
  | 'incorrect_proof'
  | 'incorrect_passkey'
  | 'application_passwords_disabled';

// Where pictures of people are, who are known by their email address.

const sizes = [24, 48, 96];

export function avatarsOf(
  email: string,
  { avatars, avatarBase }: Pick<Premises, 'avatars' | 'avatarBase'>,
): Record<string, string> {
  if (!avatars) return {};
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return Object.fromEntries(sizes.map((size) => [size, `${avatarBase}/${hash}?s=${size}&d=mm&r=g`]));
}
