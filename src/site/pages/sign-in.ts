// Signing in with a name and a password, and going on to where one was.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { html } from '#lib/html.ts';
import { besidesOf } from './besides.ts';
import { cookieOfSession, type Guest, type House } from './door.ts';
import { alert, asFault, check, field, hidden, note, textOf } from './forms.ts';
import { page, redirect } from './layout.ts';
import { returnTo } from './return-to.ts';

export const signInPath = '/login';

/** The page to sign in at, coming back to this path of the site. `again`: also who is signed in already. */
export function toSignIn({ at }: House, back: string, again: boolean): string {
  const query = new URLSearchParams({ redirect_to: at(back), ...(again && { reauth: '1' }) });
  return `${at(signInPath)}?${query}`;
}

/** What the last step says on the way back here. */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  loggedout: { true: 'You are signed out. See you soon.' },
  checkemail: {
    confirm:
      'If somebody here has this name or address, a message with a link is on its way to them. The link works for a day. If nothing comes, please look among the unwanted mail.',
  },
  password: { changed: 'Your new password is set. Please sign in with it.' },
  reauth: { 1: 'Please sign in to go on. This step asks once more who you are.' },
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
    ? 'This link seems to be damaged. Please open it once more from the message, or ask for a new one below.'
    : undefined;

export async function signIn(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  if (visit.method === 'POST') return attempt(visit, guest, house);
  const isAgain = textOf(visit.query, 'reauth') === '1';
  if (guest !== undefined && !isAgain && !isDamaged(visit)) return redirect(goalOf(visit, house));
  return form(visit, house, { name: isAgain ? (guest?.user.login ?? '') : '' });
}

async function attempt(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  const { identity } = house;
  const [login, password] = [textOf(visit.form, 'log'), textOf(visit.form, 'pwd')];
  const remember = textOf(visit.form, 'rememberme') !== '';
  const client = { address: visit.address, agent: String(visit.headers['user-agent'] ?? '') };
  const started = await identity.signIn.attempt({ login, password, remember, client, form: visit.form }).catch(asFault);
  if (started instanceof Problem) return form(visit, house, { name: login, fault: started.message });
  if (started === undefined) return form(visit, house, { name: login, failed: true });
  if (guest !== undefined) await identity.sessions.end(guest);
  return redirect(goalOf(visit, house), { headers: { 'Set-Cookie': cookieOfSession(house, started) } });
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
  const wrong = failed
    ? 'That did not work. Please check the name and the password, and try again.'
    : (fault ?? damagedIn(visit));
  const besides = besidesOf(house, 'sign-in', visit);
  return page(house, {
    title: 'Sign in',
    ...besides.sheet,
    body: html`${wrong && alert(wrong)}${words && note(words)}
<form method="post" action="${house.at(signInPath)}">
${hidden('redirect_to', returnTo(askedFor(visit), house.url) ?? '')}
${field({ name: 'log', label: 'User name or email address', value: name, autocomplete: 'username', faultIn, focus: name === '' })}
${field({ name: 'pwd', label: 'Password', type: 'password', autocomplete: 'current-password', faultIn, focus: name !== '' })}
${check('rememberme', 'Stay signed in on this device for two weeks', 'forever')}
${besides.body}<button class="full">Sign in</button>
</form>
<p><a class="link" href="${house.at(signInPath)}?action=lostpassword">Forgotten your password?</a></p>`,
  });
}
