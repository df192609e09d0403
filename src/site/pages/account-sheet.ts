// What a person sees of their own account.
import { randomUUID } from 'node:crypto';
import type { PageAnswer } from '#kernel/http/page.ts';
import { browserName } from '#lib/browser-name.ts';
import { type Html, html, type Part } from '#lib/html.ts';
import type {
  ApplicationPassword,
  NewApplicationPassword,
} from '../identity/application-passwords/application-passwords.ts';
import type { AccountLink } from '../identity/checks.ts';
import type { ListedSession, Session } from '../identity/sessions/sessions.ts';
import { moverCapability } from '../transfer/import/sent/how.ts';
import { readingCheck, secretNote } from './authorise-sheets.ts';
import { accountPath, askerOf, type House } from './door.ts';
import { exportCapability, exportPath } from './export.ts';
import { alert, asking, field, hidden, note } from './forms.ts';
import { importPath } from './import-sheet.ts';
import { moment, page } from './layout.ts';
import { type PasswordFaults, passwordFields } from './new-password.ts';
import { signOutForm } from './sign-out.ts';

// The forms of the account page: each asks for one deed, and comes back to the page.
export const accountPurpose = 'account';

const accountForm = ({ at, identity }: House, guest: Session, deed: string, body: Part): Html =>
  html`<form method="post" action="${at(accountPath)}">
${[hidden('_wpnonce', identity.sessions.token(guest, accountPurpose)), hidden('do', deed)]}
${body}
</form>`;

export interface AccountFaults extends PasswordFaults {
  readonly all?: string;
  readonly name?: string;
  readonly current?: string;
  readonly email?: string;
  /** The password typed beside a new address. */
  readonly sure?: string;
}

/** What was typed and refused. */
export interface Typed {
  readonly name?: string;
  /** A new app may only read. */
  readonly isReading?: boolean;
  readonly email?: string;
}

interface State {
  readonly status?: number;
  /** What was done just now, as the address says it. */
  readonly done?: string;
  readonly faults?: AccountFaults;
  readonly typed?: Typed;
  readonly made?: NewApplicationPassword;
}

const told: Readonly<Record<string, string>> = {
  revoked: 'The app password is revoked. The app can no longer act for you.',
  'revoked-all': 'All app passwords are revoked. The apps can no longer act for you.',
  password: 'Your new password is set. You are signed out everywhere else.',
  email: 'Your new email address is set. You are signed out everywhere else.',
  'session-ended': 'The session has ended.',
  'other-sessions-ended': 'You are signed out everywhere else.',
  'email-spelling': 'Your email address is saved as you wrote it.',
};

export async function accountPage(house: House, guest: Session, state: State): Promise<PageAnswer> {
  const { faults = {}, done = '', made, typed = {}, status } = state;
  const { available, list } = house.identity.applicationPasswords;
  const held = await list(guest.user);
  const words = Object.hasOwn(told, done) ? told[done] : undefined;
  const isFaulty = Object.keys(faults).length > 0;
  return page(house, {
    title: 'Your account',
    status,
    wide: true,
    body: html`${isFaulty && alert(faults.all ?? 'Nothing was changed. Please correct the marked fields below.')}${words && note(words)}${made && secretNote(made)}
${who(house, guest)}
<h2>Your email address</h2>
${emailForm(house, guest, faults, typed.email)}
<h2>Your password</h2>
${passwordForm(house, guest, faults)}
${furtherPages(house, await house.identity.checks.account(guest.user))}<h2>Apps that act for you</h2>
<p>Each app has its own password, so you can revoke one without changing the others.</p>
${apps(house, guest, held)}${available ? newApp(house, guest, faults.name, typed) : unavailable}
${moving(house, guest)}<h2>Your sessions</h2>
${await ownSessions(house, guest)}
<h2>Sign out everywhere</h2>
<p>This ends your sessions on all devices, including this one. Apps keep working.</p>
${asking('Sign out on all devices …', accountForm(house, guest, 'sign-out-everywhere', html`<button class="wrong">Yes, sign out everywhere</button>`))}`,
  });
}

/** Pages of extensions about how the user signs in. */
const furtherPages = ({ at }: House, links: readonly AccountLink[]): Html | undefined =>
  links.length === 0
    ? undefined
    : html`<h2>More about signing in</h2>
<ul>${links.map(
        ({ path, title, about }) => html`<li><a class="link" href="${at(path)}">${title}</a>: ${about}</li>
`,
      )}</ul>
`;

const who = (house: House, guest: Session): Html => {
  const { name, login, email, roles } = guest.user;
  return html`<dl><dt>Name</dt><dd><strong>${name}</strong></dd>
<dt>User name</dt><dd>${login}</dd>
<dt>Email address</dt><dd>${email === '' ? 'none: you cannot receive a link for a new password' : email}</dd>
<dt>Role</dt><dd>${roles.length === 0 ? 'none' : roles.map((role) => house.identity.roles.labelOf(role)).join(', ')}</dd></dl>
${signOutForm(house, guest)}
<p><a class="link" href="${house.at('/')}"><span>To the front page of <bdi lang="${house.name.language}">${house.name.title}</bdi></span></a></p>`;
};

function apps(house: House, guest: Session, held: readonly ApplicationPassword[]): Html {
  if (held.length === 0) return html`<p>No apps yet.</p>`;
  const all = accountForm(house, guest, 'revoke-all', html`<button class="wrong">Yes, revoke all</button>`);
  return html`<ul class="list">${held.map((one) => app(house, guest, one))}</ul>
${held.length > 1 && asking('Revoke all app passwords …', all)}`;
}

const app = (
  house: House,
  guest: Session,
  { uuid, name, created_at, last_used, last_ip, rest_api_permissions }: ApplicationPassword,
): Html => {
  const button = html`${hidden('uuid', uuid)}<button class="wrong"><span>Yes, revoke it for “<bdi>${name}</bdi>”</span></button>`;
  return html`<li><h3><bdi>${name}</bdi></h3>
<dl><dt>Created</dt><dd>${moment(house, created_at)}</dd>
<dt>Rights</dt><dd>${rest_api_permissions === 'read' ? 'read' : 'read and change'}</dd>
<dt>Last used</dt><dd>${last_used === null ? 'never' : moment(house, last_used)}</dd>
${last_ip !== null && last_ip !== '' && html`<dt>From</dt><dd>${last_ip}</dd>`}</dl>
${asking(html`Revoke<span class="unseen"> the password of “${name}”</span> …`, accountForm(house, guest, 'revoke', button))}</li>`;
};

const unavailable = html`<p>You cannot create app passwords, because this site does not use HTTPS.</p>`;

const newApp = (
  house: House,
  guest: Session,
  fault: string | undefined,
  { name: value = '', isReading }: Typed,
): Html => {
  const hint = 'For an app that cannot request a password itself. The password is shown once.';
  const name = { name: 'name', label: 'Name of the app', value, hint, fault, longest: 250 };
  return accountForm(
    house,
    guest,
    'add',
    html`${hidden('uuid', randomUUID())}${field({ ...name, autocomplete: 'off', focus: fault !== undefined })}
${readingCheck(isReading)}<button>Create password</button>`,
  );
};

/** For whoever may move content in or out; nothing for anybody else. */
function moving(house: House, guest: Session): Html | undefined {
  const asker = askerOf(house, guest);
  const link = (path: string, words: string): Html =>
    html`<li><a class="link" href="${house.at(path)}">${words}</a></li>\n`;
  const ways = [
    asker.can(moverCapability) && link(importPath, 'Import content from another site'),
    asker.can(exportCapability) && link(exportPath, 'Export the content of this site'),
  ].filter((way) => way !== false);
  return ways.length === 0 ? undefined : html`<h2>Import and export</h2>\n<ul>${ways}</ul>\n`;
}

/** Shown at once to who has none yet. */
const emailForm = (house: House, guest: Session, { email, sure }: AccountFaults, typed?: string): Html => {
  const held = guest.user.email;
  const isWrong = email !== undefined || sure !== undefined;
  const hint = 'Gatehouse sends links for a new password and notices about your account to this email address.';
  const address = { name: 'email', label: 'New email address', type: 'email', value: typed ?? '', hint } as const;
  const body = html`
${field({ ...address, autocomplete: 'email', fault: email, focus: email !== undefined, longest: 100 })}
${field({ name: 'sure', label: 'Your password', type: 'password', autocomplete: 'current-password', fault: sure, focus: sure !== undefined })}
<button>Change email address</button>`;
  const question = held === '' ? 'Add an email address …' : 'Change the email address …';
  return asking(question, accountForm(house, guest, 'email', body), held === '' || isWrong);
};

const passwordForm = (house: House, guest: Session, faults: AccountFaults): Html =>
  accountForm(
    house,
    guest,
    'password',
    html`<input type="text" name="username" value="${guest.user.login}" autocomplete="username" hidden>
${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', fault: faults.current, focus: faults.current !== undefined })}
${passwordFields(faults, false, guest.user, house.identity)}
<button>Change password</button>`,
  );

// The sessions of an account as its user sees them, one for each browser.

const mostShown = 50;

async function ownSessions(house: House, guest: Session): Promise<Html> {
  const all = await house.identity.sessions.list(guest.user);
  const others = all.filter(({ id }) => id !== guest.id);
  const shown = [...all.filter(({ id }) => id === guest.id), ...others].slice(0, mostShown);
  return html`<p>You have one session in each browser where you are signed in. Sign out a session that you do not know, and change your password.</p>
${all.length > shown.length && html`<p>You have ${String(all.length)} sessions. The list shows ${String(mostShown)} of them: this one and the newest others.</p>`}
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
