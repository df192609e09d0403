// The sections of the account page of two-factor authentication. Each form asks for the password, but for those that take nothing away.
import { browserName } from '#lib/browser-name.ts';
import { type Html, html } from '#lib/html.ts';
import type { User } from '#site/identity/users/user.ts';
import { asking, field, hidden, note } from '#site/pages/forms.ts';
import { moment } from '#site/pages/layout.ts';
import type { Room } from '#site/pages/signed-in.ts';
import type { RememberedDevice } from './devices.ts';
import type { Factors, SetUp } from './factors.ts';
import { appKey, codeField, codeInput, recoveryCodes } from './sheets.ts';

/** What the page says besides how things stand. */
export interface Shown {
  readonly fault?: string;
  readonly done?: string;
  /** The field that is wrong, and the form it stands in. */
  readonly wrong?: { readonly form: string; readonly field: string; readonly words: string };
  readonly codes?: readonly string[];
  /** How the code was emailed that is asked for now. */
  readonly emailed?: string;
}

/** What a section is made of. */
export interface SectionDeps {
  readonly factors: Pick<Factors, 'isAvailable' | 'pending'>;
  readonly user: User;
  readonly setUp: SetUp;
  readonly room: Room;
  readonly shown: Shown;
}

const faultIn = ({ wrong }: Shown, form: string, name: string): string | undefined =>
  wrong?.form === form && wrong.field === name ? wrong.words : undefined;

/** Folded away, until something in it is wrong. */
function question({ room, shown }: SectionDeps, form: string, words: string, inside: Html, button: Html): Html {
  const password = field({
    name: 'sure',
    label: 'Your password',
    type: 'password',
    autocomplete: 'current-password',
    fault: faultIn(shown, form, 'sure'),
  });
  return asking(words, room.form(html`${hidden('do', form)}${inside}${password}${button}`), shown.wrong?.form === form);
}

export async function appSection(deps: SectionDeps): Promise<Html | undefined> {
  const { factors, user, setUp, room, shown } = deps;
  if (setUp.app)
    return html`<h2>Authenticator app</h2>
<p>An app is set up. You sign in with its codes.</p>
${question(deps, 'app-off', 'Remove the app …', html``, html`<button class="wrong">Remove the app</button>`)}`;
  if (!factors.isAvailable('Two_Factor_Totp')) return undefined;
  const pending = await factors.pending(user);
  const inside = html`${appKey(pending, room.name.title, user.login)}${recoveryCodes(pending.codes)}
${field({ name: codeField, label: 'Code from the app', autocomplete: 'one-time-code', longest: 20, fault: faultIn(shown, 'app', codeField) })}`;
  return html`<h2>Authenticator app</h2>
<p>An app on your phone shows a new code every 30 seconds. You can use any app for time-based codes (TOTP).</p>
${question(deps, 'app', 'Set up an app …', inside, html`<button>Turn on</button>`)}`;
}

async function emailForm(deps: SectionDeps): Promise<Html> {
  const { factors, user, setUp, room, shown } = deps;
  if (setUp.email)
    return html`<p>A code can be emailed to ${user.email} when you sign in.</p>
${question(deps, 'email-off', 'Turn off emailed codes …', html``, html`<button class="wrong">Turn off emailed codes</button>`)}`;
  if (user.email === '') return html`<p>Your account has no email address.</p>\n`;
  if (shown.emailed === undefined)
    return html`<p>A code is emailed to ${user.email} each time you sign in. An app is safer.</p>
${question(deps, 'email', 'Use emailed codes …', html``, html`<button>Email me a code</button>`)}`;
  const { codes } = await factors.pending(user);
  const code = codeInput('Code from the email', faultIn(shown, 'email-code', codeField));
  return html`${note(shown.emailed)}
${room.form(html`${hidden('do', 'email-code')}${recoveryCodes(codes)}${code}<button>Turn on emailed codes</button>`)}`;
}

export async function emailSection(deps: SectionDeps): Promise<Html | undefined> {
  if (!deps.factors.isAvailable('Two_Factor_Email')) return undefined;
  return html`<h2>Emailed codes</h2>\n${await emailForm(deps)}`;
}

export function codesSection(deps: SectionDeps): Html | undefined {
  const { factors, setUp } = deps;
  if (!(setUp.app || setUp.email) || !factors.isAvailable('Two_Factor_Backup_Codes')) return undefined;
  return html`<h2>Recovery codes</h2>
<p>You have ${setUp.codes} left. Each lets you sign in once, for example if you lose your phone.</p>
${question(deps, 'codes', 'Make new recovery codes …', html``, html`<button>Make new recovery codes</button>`)}`;
}

/** For members of a group that is asked for no code after a sign-in without a password. */
export function passwordlessSection(deps: SectionDeps, isKept: boolean): Html {
  const ask = html`${hidden('do', 'keep')}<button>Require a code then too</button>`;
  return html`<h2>Sign-in without a password</h2>
<p>${isKept ? 'You need a code when you sign in with a passkey or a link.' : 'You need no code when you sign in with a passkey or a link.'}</p>
${isKept ? question(deps, 'unkeep', 'Do not require a code then …', html``, html`<button class="wrong">Do not require a code then</button>`) : deps.room.form(ask)}`;
}

export function devicesSection(room: Room, all: readonly RememberedDevice[]): Html | undefined {
  if (all.length === 0) return undefined;
  const forget = (id: string, words: string): Html =>
    room.form(html`${hidden('do', 'forget')}${hidden('device', id)}<button class="quiet">${words}</button>`);
  const item = ({
    id,
    device,
    created_at,
    used_at,
  }: RememberedDevice): Html => html`<li><h3>${browserName(device.agent)}</h3>
<dl><dt>Remembered since</dt><dd>${moment(room, created_at)}</dd>
<dt>Last sign-in</dt><dd>${moment(room, used_at)}</dd>
<dt>IP address</dt><dd>${device.ip}</dd></dl>
${forget(String(id), 'Forget this device')}</li>
`;
  return html`<h2>Remembered devices</h2>
<p>On these devices you need no code for 30 days.</p>
<ul class="list">${all.map(item)}</ul>
${all.length > 1 && forget('all', 'Forget all devices')}`;
}
