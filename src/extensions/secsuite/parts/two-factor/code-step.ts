// The step of a sign-in that asks for a code.
import { html } from '#lib/html.ts';
import type { Step } from '#site/identity/checks.ts';
import type { User } from '#site/identity/users/user.ts';
import { check, textOf } from '#site/pages/forms.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Settings } from '../../settings/types.ts';
import type { RememberedDevices } from './devices.ts';
import type { Factors } from './factors.ts';
import { codeField, codeInput, emailedWords, hintOf, otherButton, wrongCode } from './sheets.ts';

export interface CodeStepDeps {
  readonly factors: Factors;
  readonly devices: RememberedDevices;
  readonly settings: Pick<Settings, 'of'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly matches: Matchables['matches'];
  isRunning(module: string): boolean;
}

/** The method that a code is asked for by. */
type Asked = 'app' | 'email';
const methodOf = { app: 'Two_Factor_Totp', email: 'Two_Factor_Email' } as const;

async function askedBy(factors: Factors, user: User): Promise<Asked | undefined> {
  const { app, email } = await factors.setUpOf(user);
  if (app || email) return app ? 'app' : 'email';
  return user.email !== '' && (await factors.isRequired(user)) ? 'email' : undefined;
}

/** What is asked after a further button; nothing, if none was pressed. A way that the user has not set up is no way in. */
async function otherWay(factors: Factors, user: User, why: string, other: string): Promise<string | undefined> {
  if (other === 'app' || other === 'email') return (await factors.setUpOf(user))[other] ? other : why;
  if (other !== 'resend' || why !== 'email') return undefined;
  await factors.emailCode(user, 'two-factor-email', true);
  return why;
}

export function createCodeStep({ factors, devices, logs, settings, matches, isRunning }: CodeStepDeps): Step {
  const log = (code: string, ...data: (string | number)[]): void =>
    logs.write({ module: 'two_factor', code: `${code}::${data}`, type: 'debug' });
  const mayRemember = (user: User): boolean =>
    isRunning('fingerprinting') && matches(settings.of('two-factor').remember_group, user);
  return {
    name: 'two-factor',
    kind: 'proof',
    async due(user, { by, setCookie }) {
      const isAsked = factors.isOn() && !(await factors.isBypassed(user, by));
      const asked = isAsked ? await askedBy(factors, user) : undefined;
      const cookie = asked && mayRemember(user) ? await devices.recognize(user) : undefined;
      if (cookie === undefined) return asked;
      setCookie(cookie);
      log('remember_success', user.id);
      return undefined;
    },
    async form(user, why, faults) {
      const setUp = await factors.setUpOf(user);
      const isByEmail = why === 'email';
      const emailed = isByEmail ? await factors.emailCode(user, 'two-factor-email') : undefined;
      return {
        title: 'Enter your code',
        reason: emailed ? emailedWords[emailed] : 'Open your authenticator app, and enter the code that it shows.',
        body: html`<p>For <strong>${user.login}</strong>.</p>
${codeInput('Code', faults[codeField], hintOf(setUp))}
${mayRemember(user) && check('remember_device', 'Do not ask for a code on this device for 30 days', '1')}`,
        button: 'Sign in',
        others: html`${isByEmail && otherButton('resend', 'Email a new code')}${!isByEmail && setUp.email && otherButton('email', 'Email a code instead')}${isByEmail && setUp.app && otherButton('app', 'Use the authenticator app instead')}`,
      };
    },
    async take({ user, why, form, setCookie }) {
      const again = await otherWay(factors, user, why, textOf(form, 'other'));
      if (again !== undefined) return { again };
      const method = await factors.verify(user, textOf(form, codeField));
      if (method === undefined) log('failed_authentication', user.id, methodOf[why as Asked], 'invalid_code');
      if (method === undefined) return { faults: { [codeField]: wrongCode } };
      log('successful_authentication', user.id, method);
      const isRemembered = textOf(form, 'remember_device') !== '' && mayRemember(user);
      const cookie = isRemembered ? await devices.remember(user) : undefined;
      if (cookie !== undefined) setCookie(cookie);
      return {};
    },
  };
}
