// What somebody gave as their name, as it may be written down.
import { looksSecret } from './secret.ts';
import type { User } from './user.ts';

const longest = 60;

/** A password that was pasted into the wrong field is not written down whole; the name of somebody who is there always is. */
export function shownLogin(login: string, user: User | undefined): string {
  const shown = login.replace(/\p{Cc}/gu, '').slice(0, longest);
  return user === undefined && looksSecret(shown) ? `${shown.slice(0, 4)}…` : shown;
}
