// The two steps that two-factor authentication adds to a sign-in: asking for a code, and setting it up.
import { html } from '#lib/html.ts';
import type { Step, StepFaults, StepForm, StepResult } from '#site/identity/checks.ts';
import type { User } from '#site/identity/users/user.ts';
import { check, textOf } from '#site/pages/forms.ts';
import type { AboutNow } from '#site/platform/about.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Settings } from '../../settings/types.ts';
import type { RememberedDevices } from './devices.ts';
import type { Emailed, Factors } from './factors.ts';
import { appKey, codeField, codeInput, emailedWords, hintOf, otherButton, recoveryCodes, wrongCode } from './sheets.ts';

interface StepDeps {
  readonly factors: Factors;
  readonly devices: RememberedDevices;
  readonly about: AboutNow;
  readonly settings: Pick<Settings, 'of'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly matches: Matchables['matches'];
  isRunning(module: string): boolean;
}

/** The method that a code is asked for by. */
type Asked = 'app' | 'email';
const methodOf = { app: 'Two_Factor_Totp', email: 'Two_Factor_Email' } as const;

export function createCodeStep({ factors, devices, logs, settings, matches, isRunning }: StepDeps): Step {
  const log = (user: User, what: 'successful' | 'failed', ...data: string[]): void =>
    logs.write({ module: 'two_factor', code: `${what}_authentication::${[user.id, ...data]}`, type: 'debug' });
  const mayRemember = (user: User): boolean =>
    isRunning('fingerprinting') && matches(settings.of('two-factor').remember_group, user);

  async function askedBy(user: User): Promise<Asked | undefined> {
    const { app, email } = await factors.setUpOf(user);
    if (app || email) return app ? 'app' : 'email';
    return user.email !== '' && (await factors.isRequired(user)) ? 'email' : undefined;
  }

  return {
    name: 'two-factor',
    kind: 'proof',
    async due(user, { setCookie }) {
      const asked = factors.isOn() ? await askedBy(user) : undefined;
      const cookie = asked && mayRemember(user) ? await devices.recognize(user) : undefined;
      if (cookie === undefined) return asked;
      setCookie(cookie);
      logs.write({ module: 'two_factor', code: `remember_success::${user.id}`, type: 'debug' });
      return undefined;
    },
    async form(user, why, faults) {
      const setUp = await factors.setUpOf(user);
      const isByEmail = why === 'email';
      const emailed = isByEmail ? await factors.emailCode(user, 'two-factor-email') : undefined;
      return {
        title: 'Enter your code',
        reason: emailed ? emailedWords[emailed] : 'Open your authenticator app, and type the code that it shows.',
        body: html`<p>For <strong>${user.login}</strong>.</p>
${codeInput('Code', faults[codeField], hintOf(setUp))}
${mayRemember(user) && check('remember_device', 'Do not ask for a code on this device for 30 days', '1')}`,
        button: 'Sign in',
        others: html`${isByEmail && otherButton('resend', 'Email a new code')}${!isByEmail && setUp.email && otherButton('email', 'Email a code instead')}${isByEmail && setUp.app && otherButton('app', 'Use the authenticator app instead')}`,
      };
    },
    async take({ user, why, form, setCookie }) {
      const other = textOf(form, 'other');
      if (other === 'app' || other === 'email') return { again: other };
      if (other === 'resend') {
        await factors.emailCode(user, 'two-factor-email', true);
        return { again: 'email' };
      }
      const method = await factors.verify(user, textOf(form, codeField));
      if (method === undefined) {
        log(user, 'failed', methodOf[why as Asked], 'invalid_code');
        return { faults: { [codeField]: wrongCode } };
      }
      log(user, 'successful', method);
      const isRemembered = textOf(form, 'remember_device') !== '' && mayRemember(user);
      const cookie = isRemembered ? await devices.remember(user) : undefined;
      if (cookie !== undefined) setCookie(cookie);
      return {};
    },
  };
}

/** Why it is set up, and whether an emailed code is being tried: `required`, `offered,email`. */
interface SetUpReason {
  readonly isRequired: boolean;
  readonly isTryingEmail: boolean;
}

const reasonOf = (why: string): SetUpReason => ({
  isRequired: why.startsWith('required'),
  isTryingEmail: why.endsWith(',email'),
});

export function createSetUpStep({ factors, settings, about }: StepDeps): Step {
  const canApp = () => factors.isAvailable('Two_Factor_Totp');
  const canEmail = (user: User) => user.email !== '' && factors.isAvailable('Two_Factor_Email');

  async function dueFor(user: User): Promise<string | undefined> {
    const { app, email } = await factors.setUpOf(user);
    if (app || email || !(canApp() || canEmail(user))) return undefined;
    if (await factors.isRequired(user)) return 'required';
    return (await factors.isOffered(user)) ? 'offered' : undefined;
  }

  async function emailForm(user: User, { isRequired }: SetUpReason, faults: StepFaults): Promise<StepForm> {
    const outcome = await factors.emailCode(user, 'two-factor-confirm-email');
    return {
      title: 'Enter the emailed code',
      reason: emailedWords[outcome],
      body: html`${recoveryCodes((await factors.pending(user)).codes)}${codeInput('Code from the email', faults[codeField])}`,
      button: 'Turn on and sign in',
      others: html`${canApp() && otherButton('back', 'Use an authenticator app instead')}${!isRequired && otherButton('skip', 'Not now')}`,
    };
  }

  async function appForm(user: User, { isRequired }: SetUpReason, faults: StepFaults): Promise<StepForm> {
    const pending = await factors.pending(user);
    const { title } = await about();
    const reason = isRequired
      ? 'Your account must use two-factor authentication. Set up an app now.'
      : settings.of('two-factor').on_board_welcome;
    return {
      title: 'Set up two-factor authentication',
      reason,
      body: html`${appKey(pending, title, user.login)}${recoveryCodes(pending.codes)}${codeInput('Code from the app', faults[codeField])}`,
      button: 'Turn on and sign in',
      others: html`${canEmail(user) && otherButton('email', 'Use emailed codes instead')}${!isRequired && otherButton('skip', 'Not now')}`,
    };
  }

  /** Without an app, all there is to choose is email. */
  const emailOnlyForm = async (user: User, { isRequired }: SetUpReason): Promise<StepForm> => ({
    title: 'Set up two-factor authentication',
    reason: isRequired
      ? 'Your account must use two-factor authentication.'
      : settings.of('two-factor').on_board_welcome,
    body: html`<p>From now on, a code is emailed to you when you sign in.</p>
${recoveryCodes((await factors.pending(user)).codes)}`,
    button: 'Turn on and sign in',
    others: html`${!isRequired && otherButton('skip', 'Not now')}`,
  });

  /** A user who must give a code was emailed one a moment ago: the address is proven. */
  async function takeEmail(user: User, { isRequired }: SetUpReason, use: () => Promise<void>): Promise<StepResult> {
    if (!isRequired) return { again: 'offered,email' };
    await factors.turnOnEmail(user, 'proven', use);
    return {};
  }

  return {
    name: 'two-factor-setup',
    kind: 'task',
    due: async (user) => (factors.isOn() ? dueFor(user) : undefined),
    form(user, why, faults) {
      const reason = reasonOf(why);
      if (reason.isTryingEmail) return emailForm(user, reason, faults);
      return canApp() ? appForm(user, reason, faults) : emailOnlyForm(user, reason);
    },
    async take({ user, why, form, use }) {
      const reason = reasonOf(why);
      const other = textOf(form, 'other');
      if (other === 'skip' && !reason.isRequired) {
        await factors.decline(user);
        return {};
      }
      if (other === 'back') return { again: reason.isRequired ? 'required' : 'offered' };
      const isEmail = other === 'email' || (!canApp() && !reason.isTryingEmail);
      if (isEmail && canEmail(user)) return takeEmail(user, reason, use);
      const code = textOf(form, codeField);
      const isOn = reason.isTryingEmail
        ? await factors.turnOnEmail(user, code, use)
        : await factors.turnOnApp(user, code, use);
      return isOn ? {} : { faults: { [codeField]: wrongCode } };
    },
  };
}

/** Whether a code is on its way that can be typed. */
export const isOnItsWay = (emailed: Emailed): boolean => emailed === 'sent' || emailed === 'waiting';
