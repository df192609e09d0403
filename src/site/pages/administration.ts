// The page at the address where established sites of this family have their administration. People find their way on, and scripts
// that look there for the address of the interface and for their token find both.
import type { PageAnswer } from '#kernel/http/page.ts';
import { html, markup } from '#lib/html.ts';
import { restPurpose, type Session } from '../identity/sessions/sessions.ts';
import { accountPath } from './account-path.ts';
import type { Guest, House } from './door.ts';
import { page, redirect } from './layout.ts';
import { toSignIn } from './sign-in.ts';
import { hashOf } from './style.ts';

export const administrationPath = '/wp-admin';

export function administration(_visit: unknown, guest: Guest, house: House): PageAnswer {
  if (guest === undefined) return redirect(toSignIn(house, `${administrationPath}/`, false));
  const script = settingsScript(house, guest);
  return page(house, {
    title: 'Administration',
    sources: { 'script-src': [hashOf(script)] },
    body: html`<p>You are signed in as <strong>${guest.user.name}</strong>. Screens to write posts and to change settings are not available
in this version. Use an app or an editor that works with this interface:</p>
<p><code>${house.root}/</code></p>
<ul><li><a class="link" href="${house.at(accountPath)}">Open your account</a>: passwords, apps, and signing out</li>
<li><a class="link" href="${house.at('/')}">Open the front page</a></li></ul>
<script>${markup(script)}</script>`,
  });
}

/** In the forms that scripts look for: the global that they read, and the call that they search the page for. */
function settingsScript({ root, identity }: House, session: Session): string {
  const nonce = identity.sessions.token(session, restPurpose);
  const settings = written({ root: `${root}/`, nonce, versionString: 'wp/v2/' });
  return `
var wpApiSettings = ${settings};
if (window.wp && wp.apiFetch) {
wp.apiFetch.use( wp.apiFetch.createRootURLMiddleware( ${written(`${root}/`)} ) );
wp.apiFetch.use( wp.apiFetch.createNonceMiddleware( ${written(nonce)} ) );
}
`;
}

/** As it may stand inside of a script element. */
const written = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
