// Every page about who somebody is, and the addresses it answers at: our own, and those that clients of this family know.
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { html, markup } from '#lib/html.ts';
import { restPurpose, type Session } from '../identity/sessions/sessions.ts';
import { authorizationPath } from '../platform/site-facts.ts';
import { account } from './account.ts';
import { accountPath } from './account-path.ts';
import { authorise } from './authorise.ts';
import { authorisePath } from './authorise-sheets.ts';
import { type Guest, type House, type HouseNow, knowing, opened, type Visited } from './door.ts';
import { forgotten } from './forgotten.ts';
import { textOf } from './forms.ts';
import { page, plainText, redirect } from './layout.ts';
import { reset } from './reset.ts';
import { signIn, signInPath, toSignIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { hashOf } from './style.ts';

/** `postPassword`: what opens posts that a password closes. */
export function personalPages(houseNow: HouseNow, postPassword: Visited): Page[] {
  const at = (path: string, takesForms: boolean, visited: Visited): Page => {
    return { path, takesForms, visit: opened(houseNow, visited) };
  };
  const toAccount: Visited = (_visit, _guest, house) => redirect(house.at(accountPath));
  return [
    at(signInPath, true, doorWith(postPassword)),
    at('/wp-login.php', true, doorWith(postPassword)),
    at(authorisePath, true, authorise),
    at(authorizationPath, true, authorise),
    at(accountPath, true, account),
    at(administrationPath, false, administration),
    at(`${administrationPath}/index.php`, false, administration),
    at(`${administrationPath}/post-new.php`, false, administration),
    at('/wp-admin/profile.php', false, toAccount),
    at('/wp-admin/admin-ajax.php', false, restToken),
  ];
}

/** The page to sign in at, at another address: all it says leads back there. */
export const hiddenDoor = (houseNow: HouseNow, path: string): Page => ({
  path,
  takesForms: true,
  visit: opened(houseNow, (visit, guest, house) => door(visit, guest, guest === undefined ? knowing(house) : house)),
});

const doorWith =
  (postPassword: Visited): Visited =>
  (visit, guest, house) =>
    actionIn(visit) === 'postpass' ? postPassword(visit, guest, house) : door(visit, guest, house);

const actionIn = ({ query, form }: Visit): string => textOf(query, 'action') || textOf(form, 'action');

/** One address with several pages behind it, as this family has it. What it does not know is a sign-in. */
function door(visit: Visit, guest: Guest, house: House): PageAnswer | Promise<PageAnswer> {
  switch (actionIn(visit)) {
    case 'logout':
      return signOut(visit, guest, house);
    case 'lostpassword':
    case 'retrievepassword':
      return forgotten(visit, house);
    case 'rp':
    case 'resetpass':
      return reset(visit, house);
    default:
      return signIn(visit, guest, house);
  }
}

// Scripts on pages of the site send this token with their session, so that the interface knows the signed-in user.

function restToken({ query }: Visit, guest: Guest, { identity }: House): PageAnswer {
  if (guest === undefined || textOf(query, 'action') !== 'rest-nonce') return plainText(400, '0');
  return plainText(200, identity.sessions.token(guest, restPurpose));
}

// The page at the address where established sites of this family have their administration. People find their way on, and scripts
// that look there for the address of the interface and for their token find both.

const administrationPath = '/wp-admin';

function administration(_visit: unknown, guest: Guest, house: House): PageAnswer {
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
