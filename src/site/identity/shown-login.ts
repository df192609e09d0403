// Who was not let in, as it may be written down.
import { looksMade } from './application-passwords/application-passwords.ts';
import type { LoginFailure, User } from './users/user.ts';

const longest = 60;

/** A password that was pasted into the wrong field is not written down whole; the name of somebody who is there always is. */
export function shownLogin(login: string, user: User | undefined): string {
  const shown = login.replace(/\p{Cc}/gu, '').slice(0, longest);
  return user === undefined && looksMade(shown) ? `${shown.slice(0, 4)}…` : shown;
}

/** `user` is whom the name is, if it is anybody's. */
export function failureOf(login: string, user: User | undefined): LoginFailure {
  if (user !== undefined) return 'incorrect_password';
  return login.includes('@') ? 'invalid_email' : 'invalid_username';
}
