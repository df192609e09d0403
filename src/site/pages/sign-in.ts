// Signing in with a name and a password, taking the steps that are asked after them, and going on to where one was.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { type Html, html } from '#lib/html.ts';
import { second } from '#lib/spans.ts';
import type { Client } from '../identity/sessions/sessions.ts';
import { type PendingSignIn, type SignInOutcome, signInLife } from '../identity/sign-in/steps.ts';
import { besidesOf, sheetOf } from './besides.ts';
import { cookieFor, cookieIn, cookieOfSession, type Guest, type House } from './door.ts';
import { alert, asFault, check, field, hidden, note, textOf } from './forms.ts';
import { page, redirect } from './layout.ts';

export const signInPath = '/login';

/** The page to sign in at, coming back to this path of the site. `again`: also who is signed in already. */
export function toSignIn({ at }: House, back: string, again: boolean): string {
  const query = new URLSearchParams({ redirect_to: at(back), ...(again && { reauth: '1' }) });
  return `${at(signInPath)}?${query}`;
}

/** What the last step says on the way back here. */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  loggedout: { true: 'You are signed out.' },
  checkemail: {
    confirm:
      'If an account has this user name or email address, it receives an email with a link. The link works for 24 hours. If no email arrives, look in the spam folder.',
  },
  password: { changed: 'Your new password is set. Sign in with it.' },
  step: {
    over: 'This sign-in took longer than 10 minutes, or was ended on another page. Please sign in again.',
  },
  reauth: { 1: 'Sign in again to continue. This step needs your password again.' },
};

function toldIn({ query }: Visit): string | undefined {
  for (const [name, words] of Object.entries(told)) {
    const said = textOf(query, name);
    if (Object.hasOwn(words, said)) return words[said];
  }
  return undefined;
}

/** A link of a reset message that says no more what it is for, and would open nothing. */
const isDamaged = ({ method, query }: Visit): boolean =>
  method === 'GET' && (query.key !== undefined || (query.action !== undefined && query.login !== undefined));

const damagedIn = (visit: Visit): string | undefined =>
  isDamaged(visit)
    ? 'This link is incomplete. Please open it again from the email, or request a new link below.'
    : undefined;

export async function signIn(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  if (visit.method === 'POST') return isNameAlone(visit, house) ? named(visit, house) : attempt(visit, guest, house);
  const isAgain = textOf(visit.query, 'reauth') === '1';
  if (guest !== undefined && !isAgain && !isDamaged(visit)) return redirect(goalOf(visit, house));
  const name = isAgain ? (guest?.user.login ?? '') : '';
  return name === '' && house.identity.checks.asksNameFirst() ? nameForm(visit, house) : form(visit, house, { name });
}

/** The first of two pages, where the site asks for the name first. */
const isNameAlone = ({ form }: Visit, { identity }: House): boolean =>
  form.pwd === undefined && form.method === undefined && identity.checks.asksNameFirst();

/** The next page is the same for every name, so that it does not tell which accounts there are. */
function named(visit: Visit, house: House): PageAnswer {
  const name = textOf(visit.form, 'log').trim();
  const fault = 'Type your user name or your email address.';
  return name === '' ? nameForm(visit, house, fault) : form(visit, house, { name });
}

function nameForm(visit: Visit, house: House, fault?: string): PageAnswer {
  const words = fault === undefined ? toldIn(visit) : undefined;
  const damaged = damagedIn(visit);
  return page(house, {
    title: 'Sign in',
    status: fault === undefined ? 200 : 400,
    body: html`${damaged && alert(damaged)}${words && note(words)}
<form method="post" action="${house.at(signInPath)}">
${hidden('redirect_to', returnTo(askedFor(visit), house.url) ?? '')}
${field({ name: 'log', label: 'User name or email address', autocomplete: 'username', fault, focus: true })}
<button class="full">Continue</button>
</form>
${forgotten(house)}`,
  });
}

const forgotten = ({ at }: House): Html =>
  html`<p><a class="link" href="${at(signInPath)}?action=lostpassword">Forgot your password?</a></p>`;

async function attempt(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  const { identity } = house;
  const [login, password] = [textOf(visit.form, 'log'), textOf(visit.form, 'pwd')];
  const remember = textOf(visit.form, 'rememberme') !== '';
  const client = clientOf(visit);
  const outcome = await identity.signIn.attempt({ login, password, remember, client, form: visit.form }).catch(asFault);
  if (outcome instanceof Problem) return form(visit, house, { name: login, fault: outcome.message });
  return (await goOn(visit, guest, house, outcome)) ?? form(visit, house, { name: login, failed: true });
}

const clientOf = ({ address, headers }: Visit): Client => ({ address, agent: String(headers['user-agent'] ?? '') });

/** Nothing, if nobody was let in. */
async function goOn(
  visit: Visit,
  guest: Guest,
  house: House,
  { started, pending, cookies = [] }: SignInOutcome,
): Promise<PageAnswer | undefined> {
  const kept = cookies.map(({ name, value, seconds }) => cookieFor(house, name, value, seconds));
  if (pending !== undefined)
    return stepForm(visit, house, pending, Object.keys(pending.faults).length > 0 ? 400 : 403, kept);
  if (started === undefined) return undefined;
  if (guest !== undefined) await house.identity.sessions.end(guest);
  const given = [cookieOfSession(house, started), ...kept];
  return redirect(goalOf(visit, house), {
    headers: { 'Set-Cookie': cookieIn(visit, stepCookie) === undefined ? given : [...given, noStep(house)] },
  });
}

const stepCookie = 'site_sign_in';
const stepPath = `${signInPath}?action=step`;
const noStep = (house: House): string => cookieFor(house, stepCookie, '', 0);

/** What is asked after the password. Who is not in the middle of a sign-in begins one. */
export async function signInStep(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  const { signIn } = house.identity;
  const key = cookieIn(visit, stepCookie) ?? '';
  const pending = visit.method === 'GET' ? await signIn.pending(key) : undefined;
  if (pending !== undefined) return stepForm(visit, house, pending, 200);
  const outcome = visit.method === 'POST' ? await signIn.answer(key, visit.form, clientOf(visit)) : {};
  return (await goOn(visit, guest, house, outcome)) ?? stepOver(visit, house);
}

function stepForm(
  visit: Visit,
  house: House,
  { key, form }: PendingSignIn,
  status: number,
  cookies: readonly string[] = [],
): PageAnswer {
  return page(house, {
    title: form.title,
    ...sheetOf([form]),
    status,
    headers: { 'Set-Cookie': [cookieFor(house, stepCookie, key, signInLife / second), ...cookies] },
    body: html`${note(form.reason)}
<form method="post" action="${house.at(stepPath)}">
${hidden('redirect_to', returnTo(askedFor(visit), house.url) ?? '')}
${form.body}
<button class="full">${form.button}</button>
${form.others}</form>
<p><a class="link" href="${house.at(signInPath)}">Back to sign in</a></p>`,
  });
}

function stepOver(visit: Visit, house: House): PageAnswer {
  const goal = returnTo(askedFor(visit), house.url);
  const query = new URLSearchParams({ step: 'over', ...(goal !== undefined && { redirect_to: goal }) });
  return redirect(`${house.at(signInPath)}?${query}`, { status: 303, headers: { 'Set-Cookie': noStep(house) } });
}

const askedFor = ({ form, query }: Visit): string => textOf(form, 'redirect_to') || textOf(query, 'redirect_to');

const goalOf = (visit: Visit, { url, at }: House): string => returnTo(askedFor(visit), url) ?? at('/account');

interface Filled {
  readonly name: string;
  /** Nobody is let in by it. */
  readonly failed?: true;
  /** What else was wrong. */
  readonly fault?: string;
}

function form(visit: Visit, house: House, { name, failed, fault }: Filled): PageAnswer {
  const faultIn = failed ? 'alert' : undefined;
  const isSent = failed || fault !== undefined;
  const words = isSent ? undefined : toldIn(visit);
  const wrong = failed ? 'The user name or the password is wrong. Please try again.' : (fault ?? damagedIn(visit));
  const besides = besidesOf(house, 'sign-in', visit);
  return page(house, {
    title: 'Sign in',
    ...besides.sheet,
    body: html`${wrong && alert(wrong)}${words && note(words)}
<form method="post" action="${house.at(signInPath)}">
${hidden('redirect_to', returnTo(askedFor(visit), house.url) ?? '')}
${field({ name: 'log', label: 'User name or email address', value: name, autocomplete: 'username', faultIn, focus: name === '' })}
${field({ name: 'pwd', label: 'Password', type: 'password', autocomplete: 'current-password', faultIn, focus: name !== '' })}
${check('rememberme', 'Stay signed in on this device for 14 days', 'forever')}
${besides.body}<button class="full">Sign in</button>
</form>
${forgotten(house)}`,
  });
}

// Where somebody goes on to after signing in: to a page of this host, never to another.

/** No longer address is taken at all. */
const longest = 8000;

/**
 * The path, query and fragment of an address on the host of `base`; nothing when it leads anywhere else. The host itself is
 * left out, so that a site that was opened under another name of the same machine stays there.
 */
export function returnTo(asked: string, base: string): string | undefined {
  // Browsers drop line breaks and tabs and take a backslash for a slash: what is checked here must be what they see.
  if (asked === '' || asked.length > longest || /[\s\\\p{Cc}]/u.test(asked)) return undefined;
  const home = new URL(`${base}/`);
  if (!URL.canParse(asked, home)) return undefined;
  const found = new URL(asked, home);
  const isOurs = found.origin === home.origin && found.username === '' && found.password === '';
  // Two slashes in front would name a host.
  return isOurs && !found.pathname.startsWith('//') ? `${found.pathname}${found.search}${found.hash}` : undefined;
}
