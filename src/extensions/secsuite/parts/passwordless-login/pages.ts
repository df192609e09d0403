// Pages of links that sign users in: asking for one, opening it, and whether they may sign the user in. None of them needs JavaScript.
import type { Caller } from '#kernel/caller.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { type Html, html } from '#lib/html.ts';
import { second } from '#lib/spans.ts';
import type { AccountLink, Besides } from '#site/identity/checks.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { User } from '#site/identity/users/user.ts';
import { besidesOf } from '#site/pages/besides.ts';
import { accountPath, cookieFor, type House, type HouseNow, knowing, missingPage, opened } from '#site/pages/door.ts';
import { asFault, check, deadLink, field, hidden, note, textOf, withoutReferrer } from '#site/pages/forms.ts';
import { page, redirect } from '#site/pages/layout.ts';
import { returnTo, signInPath } from '#site/pages/sign-in.ts';
import { type Room, signedIn } from '#site/pages/signed-in.ts';
import { browserCookie, linkLife, linkPath, type OpenLink, type SignInLinks } from './links.ts';

export const choicePath = '/account/sign-in-link';

interface PageDeps {
  readonly links: SignInLinks;
  /** Does what nobody waits for. */
  follow(work: () => Promise<void>): void;
}

/** On the sign-in page. `base`: the URL of the site. */
export function linkOffer(base: string, query: Readonly<Record<string, unknown>>): Besides {
  const goal = textOf(query, 'redirect_to');
  const more = goal === '' ? '' : `?${new URLSearchParams({ redirect_to: goal })}`;
  const path = `${new URL(base).pathname.replace(/\/$/, '')}${linkPath}${more}`;
  return { body: html`<p><a class="link" href="${path}">Email me a link to sign in</a></p>\n` };
}

const nameField = 'user_login';

/** What the form asks besides a lost password's does is asked here as well: both have an email sent. */
function askingForm(visit: Visit, house: House, value: string, fault?: string, status = 400): PageAnswer {
  const besides = besidesOf(house, 'lost-password', visit);
  const goal = textOf(visit.form, 'redirect_to') || textOf(visit.query, 'redirect_to');
  return page(house, {
    title: 'Sign in by email',
    ...besides.sheet,
    status: fault === undefined ? 200 : status,
    body: html`<p>You receive an email with a link. Open the link in this browser to sign in without your password.</p>
<form method="post" action="${house.at(linkPath)}">
${hidden('redirect_to', returnTo(goal, house.url) ?? '')}
${field({ name: nameField, label: 'User name or email address', value, autocomplete: 'username', fault, focus: true })}
${besides.body}<button class="full">Send link</button>
</form>`,
  });
}

/** The answer is the same whether there is such a user or not. */
async function send(visit: Visit, house: House, { links, follow }: PageDeps): Promise<PageAnswer> {
  const name = textOf(visit.form, nameField).trim();
  if (name === '') return askingForm(visit, house, '', 'Enter your user name or your email address.');
  const refused = await house.identity.checks.lost({ form: visit.form, from: visit.address }).catch(asFault);
  if (refused instanceof Problem) return askingForm(visit, house, name, refused.message);
  const begun = performance.now();
  await links.demandFew(visit.address);
  const browser = links.browser();
  const goal = returnTo(textOf(visit.form, 'redirect_to'), house.url) ?? '';
  follow(() => links.request(name, browser, goal));
  await house.identity.signIn.waitAsRefused(begun);
  return redirect(`${house.at(linkPath)}?sent=1`, {
    status: 303,
    headers: { 'Set-Cookie': cookieFor(house, browserCookie, browser, linkLife / second) },
  });
}

const sentPage = (house: House): PageAnswer =>
  page(house, {
    title: 'Look at your email',
    body: html`${note('If an account has this user name or email address, it receives an email with a link.')}
<p>Open the link in this browser. It works once, within 15 minutes. If no email arrives, look in your spam folder.</p>
<p><a class="link" href="${house.at(linkPath)}">Request another link</a></p>`,
  });

/** Apps that look through email open links: they would use it up. So a button does. */
function confirming(house: House, token: string, { user, goal }: OpenLink, name: string): PageAnswer {
  // Who holds the link may know where users sign in, also if that is hidden.
  const { at } = knowing(house);
  return page(house, {
    title: 'Sign in',
    headers: withoutReferrer,
    body: html`<p>You sign in as <strong>${user.login}</strong>.</p>
<form method="post" action="${at(signInPath)}">
${hidden('log', name)}${hidden('method', 'magic')}${hidden('token', token)}${hidden('redirect_to', goal)}
${check('rememberme', 'Stay signed in on this device for 14 days', 'forever')}
<button class="full">Sign in</button>
</form>`,
  });
}

const askAgain = ({ at }: House): Html =>
  html`
<p><a class="button full" href="${at(linkPath)}">Request a new link</a></p>`;

const otherBrowser = (house: House): PageAnswer =>
  deadLink(house, {
    title: 'Open this link in the other browser',
    status: 403,
    words:
      'This link works only in the browser in which you requested it. Copy the link to that browser, or request a new link here.',
    more: askAgain(house),
  });

const over = (house: House): PageAnswer =>
  deadLink(house, { words: 'Each link works once, within 15 minutes.', more: askAgain(house) });

async function visited(visit: Visit, house: House, deps: PageDeps): Promise<PageAnswer> {
  if (!deps.links.isOffered()) return missingPage(house);
  if (visit.method === 'POST') return send(visit, house, deps);
  if (textOf(visit.query, 'sent') !== '') return sentPage(house);
  const token = textOf(visit.query, 'key');
  if (token === '' && visit.query.user === undefined) return askingForm(visit, house, '');
  const link = await deps.links.open(textOf(visit.query, 'user'), token);
  if (link === undefined) return over(house);
  return link.isThisBrowser ? confirming(house, token, link, deps.links.nameOf(link.user)) : otherBrowser(house);
}

export const linkPages = (deps: PageDeps, house: HouseNow): Page[] => [
  { path: linkPath, takesForms: true, visit: opened(house, (visit, _guest, room) => visited(visit, room, deps)) },
  signedIn(
    house,
    choicePath,
    (visit, caller, room) => choicePage(deps, ownerOf(caller), room, textOf(visit.query, 'done') !== ''),
    async ({ form }, caller, room) => {
      await deps.links.allow(ownerOf(caller), textOf(form, 'do') === 'allow');
      return redirect(`${room.at(choicePath)}?done=1`, { status: 303 });
    },
  ),
];

const ownerOf = (caller: Caller): User => credentialOf(caller)!.user;

async function choicePage({ links }: PageDeps, user: User, room: Room, isDone: boolean): Promise<PageAnswer> {
  const isAllowed = await links.hasAllowed(user);
  const [deed, button] = isAllowed ? ['refuse', 'Turn off links by email'] : ['allow', 'Turn on links by email'];
  const form = room.form(html`${hidden('do', deed)}<button class="quiet">${button}</button>`);
  return page(room, {
    title: 'Links by email',
    body: html`${isDone && note('Your choice is saved.')}
<p>${await stateOf(links, user)}</p>
${links.isInGroup(user) && user.email !== '' && form}
<p><a class="link" href="${room.at(accountPath)}">Back to your account</a></p>`,
  });
}

async function stateOf(links: SignInLinks, user: User): Promise<string> {
  if (!links.isInGroup(user)) return 'Your account cannot sign in by a link. Ask a security manager.';
  if (user.email === '') return 'Your account has no email address, so no link can be sent to it.';
  return (await links.hasAllowed(user))
    ? `You can sign in by a link that is sent to ${user.email}.`
    : 'Links by email do not sign you in.';
}

export const choiceLink = async (links: SignInLinks, user: User): Promise<AccountLink> => ({
  path: choicePath,
  title: 'Links by email',
  about: await stateOf(links, user),
});
