// Every page about who somebody is, and the addresses it answers at: our own, and those that clients of this family know.
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { html, markup } from '#lib/html.ts';
import { isLoopback } from '#lib/ip-address.ts';
import { identityErrors } from '../identity/errors.ts';
import { restPurpose, type Session } from '../identity/sessions/sessions.ts';
import { authorizationPath } from '../platform/site-facts.ts';
import { account } from './account.ts';
import {
  alreadyPage,
  authorisePath,
  authorisePurpose,
  grantedPage,
  grantPage,
  isReadingChosen,
  limitsIn,
  unavailablePage,
  unreadablePage,
} from './authorise-sheets.ts';
import { besidesOf } from './besides.ts';
import { accountPath, type Guest, type House, type HouseNow, knowing, opened, type Visited } from './door.ts';
import { asFault, field, textOf, uuidIn } from './forms.ts';
import { asQuery, type Grant, grantIn, rejectedAt, withArguments } from './grant.ts';
import { page, plainText, redirect } from './layout.ts';
import { reset } from './reset.ts';
import { signIn, signInPath, signInStep, toSignIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { hashOf } from './style.ts';

// A forgotten password: ask for a link by mail. What is answered never tells whether there is such a user.

async function forgotten(visit: Visit, house: House): Promise<PageAnswer> {
  const { checks, resets } = house.identity;
  if (visit.method === 'GET') return form(visit, house, textOf(visit.query, 'user_login'));
  const named = textOf(visit.form, 'user_login').trim();
  if (named === '') return form(visit, house, '', 'Enter your user name or your email address.');
  const refused = await checks.lost({ form: visit.form, from: visit.address }).catch(asFault);
  if (refused instanceof Problem) return form(visit, house, named, refused.message);
  await resets.request(named, visit.address);
  return redirect(`${house.at(signInPath)}?checkemail=confirm`, { status: 303 });
}

function form(visit: Visit, house: House, value: string, fault?: string): PageAnswer {
  const besides = besidesOf(house, 'lost-password', visit);
  return page(house, {
    title: 'Request a new password',
    ...besides.sheet,
    status: fault === undefined ? 200 : 400,
    body: html`<p>Enter your user name or email address. You then receive an email with a link to choose a new password.</p>
<form method="post" action="${house.at(signInPath)}?action=lostpassword">
${field({ name: 'user_login', label: 'User name or email address', value, autocomplete: 'username', fault, focus: true })}
${besides.body}<button class="full">Send link</button>
</form>
<p><a class="link" href="${house.at(signInPath)}">Back to sign in</a></p>`,
  });
}

// A program asks a person for a credential of its own. The person says yes or no, and sees where the answer goes.

/** How old a sign-in may be that gives away a credential, in milliseconds. */
const freshFor = 12 * 60 * 60 * 1000;

async function authorise(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  const sent = visit.method === 'POST' ? visit.form : visit.query;
  const grant = grantIn(sent, isLoopback(new URL(house.url).hostname));
  if ('fault' in grant) return unreadablePage(house, grant);
  if (!house.identity.applicationPasswords.available) return unavailablePage(house, grant);
  if (guest === undefined || !isFresh(guest, house))
    return redirect(toSignIn(house, `${authorisePath}?${asQuery(grant)}`, guest !== undefined));
  return visit.method === 'POST' ? decide(visit, guest, house, grant) : grantPage(house, guest, grant);
}

const isFresh = ({ created_at }: Session, { clock }: House): boolean =>
  clock().getTime() - Date.parse(created_at) <= freshFor;

async function decide(visit: Visit, guest: Session, house: House, grant: Grant): Promise<PageAnswer> {
  const isOurs = house.identity.sessions.isToken(guest, authorisePurpose, textOf(visit.form, '_wpnonce'));
  const isReading = isReadingChosen(visit.form);
  if (!isOurs) return grantPage(house, guest, grant, { stale: true, isReading });
  if (visit.form.reject !== undefined) return redirect(rejectedAt(grant) ?? house.at('/account'));
  if (visit.form.approve === undefined) return grantPage(house, guest, grant, { isReading });
  return approve(visit.form, guest, house, grant);
}

async function approve(form: Visit['form'], guest: Session, house: House, grant: Grant): Promise<PageAnswer> {
  const { user } = guest;
  const wanted = { name: grant.name, app_id: grant.appId, ...limitsIn(form), ...uuidIn(form) };
  const doing = house.identity.doing({ kind: 'session', user, session: guest }, () => {});
  const made = await house.identity.applicationPasswords.add(user, wanted, doing).catch(asFault);
  if (made instanceof Problem && made.code === identityErrors.applicationPasswordExists.code) return alreadyPage(house);
  if (made instanceof Problem)
    return grantPage(house, guest, grant, { nameFault: made.message, isReading: isReadingChosen(form) });
  if (grant.success === undefined) return grantedPage(house, user, made);
  const password = made.password.replaceAll(' ', '');
  return redirect(withArguments(grant.success, { site_url: house.url, user_login: user.login, password }));
}

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
    case 'step':
      return signInStep(visit, guest, house);
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
in this version. Use an app or an editor that works with this API:</p>
<p><code>${house.root}/</code></p>
<ul><li><a class="link" href="${house.at(accountPath)}">Open your account</a>: passwords, apps and sessions</li>
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
