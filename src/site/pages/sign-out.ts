// Signing out: at once with the page's own link, after a question with any other.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import { type Guest, type House, noSession } from './door.ts';
import { hidden, textOf } from './forms.ts';
import { page, redirect } from './layout.ts';
import { signInPath } from './sign-in.ts';

const purpose = 'log-out';

/** A form that signs this session out. */
export const signOutForm = ({ at, identity }: House, session: Session, words = 'Sign out') =>
  html`<form method="post" action="${at(signInPath)}?action=logout">
${hidden('_wpnonce', identity.sessions.token(session, purpose))}
<button class="quiet">${words}</button>
</form>`;

export async function signOut(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  const { sessions } = house.identity;
  if (guest !== undefined) {
    const token = textOf(visit.form, '_wpnonce') || textOf(visit.query, '_wpnonce');
    if (!sessions.isToken(guest, purpose, token)) return question(house, guest);
    await sessions.end(guest);
  }
  const status = visit.method === 'POST' ? 303 : 302;
  return redirect(`${house.at(signInPath)}?loggedout=true`, { status, headers: { 'Set-Cookie': noSession(house) } });
}

const question = (house: House, guest: Session): PageAnswer =>
  page(house, {
    title: 'Sign out?',
    body: html`<p>You are signed in as <strong>${guest.user.name}</strong>.</p>
<div class="row">${signOutForm(house, guest, 'Yes, sign out')}<a class="button quiet" href="${house.at('/account')}">No, go to my account</a></div>`,
  });
