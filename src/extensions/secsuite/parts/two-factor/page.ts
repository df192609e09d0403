// The account page of two-factor authentication: turning it on and off, new recovery codes, remembered devices.
import type { Caller } from '#kernel/caller.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import type { AccountLink } from '#site/identity/checks.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { SignIn } from '#site/identity/sign-in/sign-in.ts';
import type { User } from '#site/identity/users/user.ts';
import { accountPath, type HouseNow } from '#site/pages/door.ts';
import { alert, note, textOf } from '#site/pages/forms.ts';
import { page, redirect } from '#site/pages/layout.ts';
import { type Room, signedIn } from '#site/pages/signed-in.ts';
import {
  appSection,
  codesSection,
  devicesSection,
  emailSection,
  passwordlessSection,
  type Shown,
} from './account-sections.ts';
import type { RememberedDevices } from './devices.ts';
import type { Factors, SetUp } from './factors.ts';
import { codeField, emailedWords, isOnItsWay, recoveryCodes, wrongCode } from './sheets.ts';

export const twoFactorPath = '/account/two-factor';

interface PageDeps {
  readonly factors: Factors;
  readonly devices: RememberedDevices;
  readonly signIn: Pick<SignIn, 'proves'>;
}

const doneWords: Readonly<Record<string, string>> = {
  app: 'The authenticator app is set up.',
  email: 'Emailed codes are turned on.',
  off: 'It is turned off.',
  forgotten: 'The device is forgotten. You need a code on it again.',
  kept: 'You need a code after each sign-in, with or without your password.',
  unkept: 'You need no code when you sign in without your password.',
};

async function show({ factors, devices }: PageDeps, user: User, room: Room, shown: Shown = {}): Promise<PageAnswer> {
  const setUp = await factors.setUpOf(user);
  const section = { factors, user, setUp, room, shown };
  const { fault, done = '', wrong, codes = [] } = shown;
  const words = Object.hasOwn(doneWords, done) ? doneWords[done] : undefined;
  const problem = fault ?? (wrong && 'Nothing was changed. Please correct the marked field below.');
  return page(room, {
    title: 'Two-factor authentication',
    wide: true,
    status: problem === undefined ? 200 : 400,
    body: html`${problem && alert(problem)}${words && note(words)}
<p>${stateOf(setUp, await factors.isRequired(user))}</p>
${recoveryCodes(codes)}${await appSection(section)}
${await emailSection(section)}
${codesSection(section)}
${factors.mayBypass(user) && passwordlessSection(section, await factors.isKept(user))}
${devicesSection(room, await devices.list(user))}
<p><a class="link" href="${room.at(accountPath)}">Back to your account</a></p>`,
  });
}

const backTo = (room: Room, done: string): PageAnswer =>
  redirect(`${room.at(twoFactorPath)}?done=${done}`, { status: 303 });

async function turnOff(deps: PageDeps, user: User, what: 'app' | 'email', room: Room): Promise<PageAnswer> {
  const { factors } = deps;
  const { app, email } = await factors.setUpOf(user);
  const isLast = what === 'app' ? !email : !app;
  const fault = 'Your account must use two-factor authentication. Set up another method first.';
  if (isLast && (await factors.isRequired(user))) return show(deps, user, room, { fault });
  await factors.turnOff(user, isLast ? 'all' : what);
  return backTo(room, 'off');
}

type Deed = (deps: PageDeps, user: User, room: Room, form: Visit['form']) => Promise<PageAnswer>;

const wrongCodeIn = (form: string): Shown => ({ wrong: { form, field: codeField, words: wrongCode } });

/** What the forms of the page ask for without the password. */
const deeds: Readonly<Record<string, Deed>> = {
  async forget({ devices }, user, room, form) {
    const id = textOf(form, 'device');
    await devices.forget(user, id === 'all' ? undefined : Number(/^\d{1,15}$/.exec(id)?.[0] ?? 0));
    return backTo(room, 'forgotten');
  },
  async keep({ factors }, user, room) {
    await factors.keep(user, true);
    return backTo(room, 'kept');
  },
  // The code was emailed to a user who typed the password.
  async 'email-code'(deps, user, room, form) {
    if (await deps.factors.turnOnEmail(user, textOf(form, codeField))) return backTo(room, 'email');
    return show(deps, user, room, { ...wrongCodeIn('email-code'), emailed: emailedWords.waiting });
  },
};

/** What they ask for with it. */
const provenDeeds: Readonly<Record<string, Deed>> = {
  async app(deps, user, room, form) {
    const isOn = await deps.factors.turnOnApp(user, textOf(form, codeField));
    return isOn ? backTo(room, 'app') : show(deps, user, room, wrongCodeIn('app'));
  },
  async email(deps, user, room) {
    const emailed = await deps.factors.emailCode(user, 'two-factor-confirm-email');
    const words = emailedWords[emailed];
    return show(deps, user, room, isOnItsWay(emailed) ? { emailed: words } : { fault: words });
  },
  codes: async (deps, user, room) => show(deps, user, room, { codes: await deps.factors.renewCodes(user) }),
  async unkeep({ factors }, user, room) {
    await factors.keep(user, false);
    return backTo(room, 'unkept');
  },
  'app-off': (deps, user, room) => turnOff(deps, user, 'app', room),
  'email-off': (deps, user, room) => turnOff(deps, user, 'email', room),
};

const deedOf = (all: Readonly<Record<string, Deed>>, name: string): Deed | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

async function sent(deps: PageDeps, { form, address }: Visit, user: User, room: Room): Promise<PageAnswer> {
  const name = textOf(form, 'do');
  const [deed, proven] = [deedOf(deeds, name), deedOf(provenDeeds, name)];
  if (deed !== undefined) return deed(deps, user, room, form);
  if (proven === undefined) return show(deps, user, room);
  const isProven = await deps.signIn.proves(user, textOf(form, 'sure'), address);
  const words = 'This is not your password.';
  return isProven
    ? proven(deps, user, room, form)
    : show(deps, user, room, { wrong: { form: name, field: 'sure', words } });
}

const userOf = (caller: Caller): User => credentialOf(caller)!.user;

export const createTwoFactorPage = (deps: PageDeps) => ({
  pages: (house: HouseNow): Page[] => [
    signedIn(
      house,
      twoFactorPath,
      ({ query }, caller, room) => show(deps, userOf(caller), room, { done: textOf(query, 'done') }),
      (visit, caller, room) => sent(deps, visit, userOf(caller), room),
    ),
  ],
  accountLink: async (user: User): Promise<AccountLink> => ({
    path: twoFactorPath,
    title: 'Two-factor authentication',
    about: stateOf(await deps.factors.setUpOf(user), await deps.factors.isRequired(user)),
  }),
});

function stateOf({ app, email }: SetUp, isRequired: boolean): string {
  const how = app ? 'It is on: you sign in with a code of your app.' : 'It is on: you sign in with an emailed code.';
  return `${app || email ? how : 'It is off.'}${isRequired ? ' Your account must use it.' : ''}`;
}
