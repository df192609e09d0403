// The forms of the account page: each asks for one deed, and comes back to the page.
import { type Html, html, type Part } from '#lib/html.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import { accountPath } from './account-path.ts';
import type { House } from './door.ts';
import { hidden } from './forms.ts';

export const accountPurpose = 'account';

export const accountForm = ({ at, identity }: House, guest: Session, deed: string, body: Part): Html =>
  html`<form method="post" action="${at(accountPath)}">
${[hidden('_wpnonce', identity.sessions.token(guest, accountPurpose)), hidden('do', deed)]}
${body}
</form>`;
