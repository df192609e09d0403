// The proof that scripts on pages of the site send along with their session, to be somebody to the interface.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { restPurpose } from '../identity/sessions/sessions.ts';
import type { Guest, House } from './door.ts';
import { textOf } from './forms.ts';
import { plainText } from './layout.ts';

export function restToken({ query }: Visit, guest: Guest, { identity }: House): PageAnswer {
  if (guest === undefined || textOf(query, 'action') !== 'rest-nonce') return plainText(400, '0');
  return plainText(200, identity.sessions.token(guest, restPurpose));
}
