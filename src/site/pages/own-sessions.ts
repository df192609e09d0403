// The sessions of an account, as its user sees them: one for each browser in which they are signed in.
import { browserName } from '#lib/browser-name.ts';
import { type Html, html } from '#lib/html.ts';
import type { ListedSession, Session } from '../identity/sessions/sessions.ts';
import { accountForm } from './account-form.ts';
import type { House } from './door.ts';
import { hidden } from './forms.ts';
import { moment } from './moment.ts';

const mostShown = 50;

export async function ownSessions(house: House, guest: Session): Promise<Html> {
  const all = await house.identity.sessions.list(guest.user);
  const others = all.filter(({ id }) => id !== guest.id);
  const shown = [...all.filter(({ id }) => id === guest.id), ...others].slice(0, mostShown);
  return html`<p>You have one session in each browser where you are signed in. Sign out a session that you do not know, and change your password.</p>
${all.length > shown.length && html`<p>You have ${String(all.length)} sessions. ${String(mostShown)} are shown: this one and the newest others.</p>`}
<ul class="list">${shown.map((one) => item(house, guest, one))}</ul>
${others.length > 0 && accountForm(house, guest, 'end-other-sessions', html`<button class="wrong">Sign out all other sessions</button>`)}`;
}

function item(house: House, guest: Session, { id, agent, address, created_at, last_used }: ListedSession): Html {
  const [browser, began] = [browserName(agent), moment(house, created_at)];
  const isThis = id === guest.id;
  const which = html`<span class="unseen">: ${browser}, since ${began}</span>`;
  const button = html`${hidden('session', String(id))}<button class="quiet"><span>Sign out${which}</span></button>`;
  return html`<li><h3>${browser}${isThis && ' (this session)'}</h3>
<dl><dt>Signed in</dt><dd>${began}</dd>
<dt>Last used</dt><dd>${isThis ? 'now' : moment(house, last_used)}</dd>
<dt>IP address</dt><dd>${address === '' ? 'unknown' : address}</dd></dl>
${accountForm(house, guest, 'end-session', button)}</li>
`;
}
