// The account page of two-factor authentication: turning it on and off, new recovery codes, remembered devices.

import type { Caller } from '#kernel/caller.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { browserName } from '#lib/browser-name.ts';
import { type Html, html } from '#lib/html.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { SignIn } from '#site/identity/sign-in/sign-in.ts';
import type { User } from '#site/identity/users/user.ts';
import { accountPath, type HouseNow } from '#site/pages/door.ts';
import { alert, asking, field, hidden, note, textOf } from '#site/pages/forms.ts';
import { moment, page, redirect } from '#site/pages/layout.ts';
import { type Room, signedIn } from '#site/pages/signed-in.ts';
import type { RememberedDevices } from './devices.ts';
import type { Factors, SetUp } from './factors.ts';
import { appKey, codeField, codeInput, emailedWords, recoveryCodes, wrongCode } from './sheets.ts';
import { isOnItsWay } from './steps.ts';

export const twoFactorPath = '/account/two-factor';

interface PageDeps {
  readonly factors: Factors;
  readonly devices: RememberedDevices;
  readonly signIn: Pick<SignIn, 'proves'>;
}

/** What the page says besides how things stand. */
interface Shown {
  readonly fault?: string;
  readonly done?: string;
  /** The field that is wrong, by the form it stands in. */
  readonly wrong?: { readonly form: string; readonly field: string; readonly words: string };
  readonly codes?: readonly string[];
  /** How the code was emailed that is asked for now. */
  readonly emailed?: string;
}

const doneWords: Readonly<Record<string, string>> = {
  app: 'The authenticator app is set up.',
  email: 'Emailed codes are turned on.',
  off: 'It is turned off.',
  forgotten: 'The device is forgotten. A code is asked for on it again.',
};

const wrongPassword = 'This is not your password.';

export function createTwoFactorPage({ factors, devices, signIn }: PageDeps) {
  const passwordField = (form: string, { wrong }: Shown): Html =>
    field({
      name: 'sure',
      label: 'Your password',
      type: 'password',
      autocomplete: 'current-password',
      fault: wrong?.form === form && wrong.field === 'sure' ? wrong.words : undefined,
    });
  const codeFault = (form: string, { wrong }: Shown): string | undefined =>
    wrong?.form === form && wrong.field === codeField ? wrong.words : undefined;

  async function appSection(user: User, { app }: SetUp, room: Room, shown: Shown): Promise<Html> {
    if (app) {
      const off = html`${hidden('do', 'app-off')}${passwordField('app-off', shown)}<button class="wrong">Remove the app</button>`;
      return html`<h2>Authenticator app</h2>
<p>An app is set up. You sign in with its codes.</p>
${asking('Remove the app …', room.form(off), shown.wrong?.form === 'app-off')}`;
    }
    if (!factors.isAvailable('Two_Factor_Totp')) return html``;
    const pending = await factors.pending(user);
    const form = html`${hidden('do', 'app')}${appKey(pending, room.name.title, user.login)}${recoveryCodes(pending.codes)}
${field({ name: codeField, label: 'Code from the app', autocomplete: 'one-time-code', longest: 20, fault: codeFault('app', shown) })}
${passwordField('app', shown)}<button>Turn on</button>`;
    return html`<h2>Authenticator app</h2>
<p>An app on your phone shows a new code every 30 seconds. Any app for time-based codes (TOTP) will do.</p>
${asking('Set up an app …', room.form(form), shown.wrong?.form === 'app')}`;
  }

  async function emailSection(user: User, { email }: SetUp, room: Room, shown: Shown): Promise<Html> {
    if (email) {
      const off = html`${hidden('do', 'email-off')}${passwordField('email-off', shown)}<button class="wrong">Turn off emailed codes</button>`;
      return html`<h2>Emailed codes</h2>
<p>A code can be emailed to ${user.email} when you sign in.</p>
${asking('Turn off emailed codes …', room.form(off), shown.wrong?.form === 'email-off')}`;
    }
    if (!factors.isAvailable('Two_Factor_Email')) return html``;
    if (user.email === '') return html`<h2>Emailed codes</h2>\n<p>Your account has no email address.</p>\n`;
    if (shown.emailed !== undefined) {
      const { codes } = await factors.pending(user);
      const confirm = html`${hidden('do', 'email-code')}${recoveryCodes(codes)}${codeInput('Code from the email', codeFault('email-code', shown))}<button>Turn on emailed codes</button>`;
      return html`<h2>Emailed codes</h2>\n${note(shown.emailed)}\n${room.form(confirm)}`;
    }
    const on = html`${hidden('do', 'email')}${passwordField('email', shown)}<button>Email me a code</button>`;
    return html`<h2>Emailed codes</h2>
<p>A code is emailed to ${user.email} each time you sign in. An app is safer.</p>
${asking('Use emailed codes …', room.form(on), shown.wrong?.form === 'email')}`;
  }

  const codesSection = ({ app, email, codes }: SetUp, room: Room, shown: Shown): Html | undefined => {
    if (!(app || email) || !factors.isAvailable('Two_Factor_Backup_Codes')) return undefined;
    const renew = html`${hidden('do', 'codes')}${passwordField('codes', shown)}<button>Make new recovery codes</button>`;
    return html`<h2>Recovery codes</h2>
<p>You have ${codes} left. Each lets you sign in once, for example if you lose your phone.</p>
${asking('Make new recovery codes …', room.form(renew), shown.wrong?.form === 'codes')}`;
  };

  async function devicesSection(user: User, room: Room): Promise<Html | undefined> {
    const all = await devices.list(user);
    if (all.length === 0) return undefined;
    const forget = (id: string, words: string) =>
      room.form(html`${hidden('do', 'forget')}${hidden('device', id)}<button class="quiet">${words}</button>`);
    return html`<h2>Remembered devices</h2>
<p>No code is asked for on these devices for 30 days.</p>
<ul class="list">${all.map(
      ({ id, device, created_at, used_at }) => html`<li><h3>${browserName(device.agent)}</h3>
<dl><dt>Remembered since</dt><dd>${moment(room, created_at)}</dd>
<dt>Last sign-in</dt><dd>${moment(room, used_at)}</dd>
<dt>IP address</dt><dd>${device.ip}</dd></dl>
${forget(String(id), 'Forget this device')}</li>
`,
    )}</ul>
${all.length > 1 && forget('all', 'Forget all devices')}`;
  }

  async function show(user: User, room: Room, shown: Shown = {}): Promise<PageAnswer> {
    const setUp = await factors.setUpOf(user);
    const isRequired = await factors.isRequired(user);
    const { fault, done, wrong, codes = [] } = shown;
    const words = done !== undefined && Object.hasOwn(doneWords, done) ? doneWords[done] : undefined;
    const problem = fault ?? (wrong && 'Nothing was changed. Look at the field that is marked below.');
    return page(room, {
      title: 'Two-factor authentication',
      wide: true,
      status: problem === undefined ? 200 : 400,
      body: html`${problem && alert(problem)}${words && note(words)}
<p>${stateOf(setUp, isRequired)}</p>
${recoveryCodes(codes)}${await appSection(user, setUp, room, shown)}
${await emailSection(user, setUp, room, shown)}
${codesSection(setUp, room, shown)}
${await devicesSection(user, room)}
<p><a class="link" href="${room.at(accountPath)}">Back to your account</a></p>`,
    });
  }

  const backTo = (room: Room, done: string): PageAnswer =>
    redirect(`${room.at(twoFactorPath)}?done=${done}`, { status: 303 });

  async function off(user: User, what: 'app' | 'email', room: Room): Promise<PageAnswer> {
    const { app, email } = await factors.setUpOf(user);
    const isLast = what === 'app' ? !email : !app;
    if (isLast && (await factors.isRequired(user)))
      return show(user, room, {
        fault: 'Your account must use two-factor authentication. Set up another method first.',
      });
    await factors.turnOff(user, isLast ? 'all' : what);
    return backTo(room, 'off');
  }

  async function sent({ form, address }: Visit, user: User, room: Room): Promise<PageAnswer> {
    const what = textOf(form, 'do');
    const code = textOf(form, codeField);
    const wrongIn = (name: string, words: string): Promise<PageAnswer> =>
      show(user, room, { wrong: { form: what, field: name, words } });
    if (what === 'forget') {
      const id = textOf(form, 'device');
      await devices.forget(user, id === 'all' ? undefined : Number(/^\d{1,15}$/.exec(id)?.[0] ?? 0));
      return backTo(room, 'forgotten');
    }
    if (what === 'email-code') {
      if (await factors.turnOnEmail(user, code)) return backTo(room, 'email');
      const wrong = { form: what, field: codeField, words: wrongCode };
      return show(user, room, { wrong, emailed: emailedWords.waiting });
    }
    if (!(await signIn.proves(user, textOf(form, 'sure'), address))) return wrongIn('sure', wrongPassword);
    switch (what) {
      case 'app':
        return (await factors.turnOnApp(user, code)) ? backTo(room, 'app') : wrongIn(codeField, wrongCode);
      case 'email': {
        const emailed = await factors.emailCode(user, 'two-factor-confirm-email');
        return show(
          user,
          room,
          isOnItsWay(emailed) ? { emailed: emailedWords[emailed] } : { fault: emailedWords[emailed] },
        );
      }
      case 'codes':
        return show(user, room, { codes: await factors.renewCodes(user) });
      case 'app-off':
        return off(user, 'app', room);
      case 'email-off':
        return off(user, 'email', room);
      default:
        return show(user, room);
    }
  }

  const userOf = (caller: Caller): User => credentialOf(caller)!.user;
  return {
    pages: (house: HouseNow): Page[] => [
      signedIn(
        house,
        twoFactorPath,
        (visit, caller, room) => show(userOf(caller), room, { done: textOf(visit.query, 'done') }),
        (visit, caller, room) => sent(visit, userOf(caller), room),
      ),
    ],
    accountLink: async (user: User) => ({
      title: 'Two-factor authentication',
      words: stateOf(await factors.setUpOf(user), await factors.isRequired(user)),
      path: twoFactorPath,
      link: 'Set up two-factor authentication',
    }),
  };
}

function stateOf({ app, email }: SetUp, isRequired: boolean): string {
  const state = app || email ? 'It is on' : 'It is off';
  return `${state}${app ? ': you sign in with a code of your app.' : email ? ': you sign in with an emailed code.' : '.'}${isRequired ? ' Your account must use it.' : ''}`;
}
