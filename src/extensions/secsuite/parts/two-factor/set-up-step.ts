// The step of a sign-in in which users set two-factor authentication up: those who must, and those to whom it is offered.
import { html } from '#lib/html.ts';
import type { SignInWay, Step, StepAnswer, StepFaults, StepForm, StepResult } from '#site/identity/checks.ts';
import type { User } from '#site/identity/users/user.ts';
import { textOf } from '#site/pages/forms.ts';
import type { AboutNow } from '#site/platform/about.ts';
import type { Settings } from '../../settings/types.ts';
import type { Factors } from './factors.ts';
import { appKey, codeField, codeInput, emailedWords, otherButton, recoveryCodes, wrongCode } from './sheets.ts';

export interface SetUpStepDeps {
  readonly factors: Factors;
  readonly settings: Pick<Settings, 'of'>;
  readonly about: AboutNow;
}

/** Why it is set up. `offered,email`: a code was emailed to see whether it arrives. */
type Why = 'required' | 'offered' | 'offered,email';

const canApp = (factors: Factors): boolean => factors.isAvailable('Two_Factor_Totp');
const canEmail = (factors: Factors, user: User): boolean =>
  user.email !== '' && factors.isAvailable('Two_Factor_Email');

async function dueFor(factors: Factors, user: User, by: SignInWay): Promise<Why | undefined> {
  const { app, email } = await factors.setUpOf(user);
  const canSetUp = canApp(factors) || canEmail(factors, user);
  if (!factors.isOn() || app || email || !canSetUp || (await factors.isBypassed(user, by))) return undefined;
  if (await factors.isRequired(user)) return 'required';
  return (await factors.isOffered(user)) ? 'offered' : undefined;
}

const button = 'Turn on and sign in';
const skipButton = otherButton('skip', 'Not now');

async function emailForm(factors: Factors, user: User, faults: StepFaults): Promise<StepForm> {
  const emailed = await factors.emailCode(user, 'two-factor-confirm-email');
  const { codes } = await factors.pending(user);
  return {
    title: 'Enter the emailed code',
    reason: emailedWords[emailed],
    body: html`${recoveryCodes(codes)}${codeInput('Code from the email', faults[codeField])}`,
    button,
    others: html`${canApp(factors) && otherButton('back', 'Use an authenticator app instead')}${skipButton}`,
  };
}

function createForm({ factors, settings, about }: SetUpStepDeps) {
  return async (user: User, why: Why, faults: StepFaults): Promise<StepForm> => {
    if (why === 'offered,email') return emailForm(factors, user, faults);
    const isRequired = why === 'required';
    const pending = await factors.pending(user);
    const app = canApp(factors) && appKey(pending, (await about()).title, user.login);
    return {
      title: 'Set up two-factor authentication',
      reason: isRequired
        ? 'Your account must use two-factor authentication. Set it up now.'
        : settings.of('two-factor').on_board_welcome,
      body: html`${app || html`<p>From now on, you receive a code by email when you sign in.</p>\n`}${recoveryCodes(pending.codes)}
${app && codeInput('Code from the app', faults[codeField])}`,
      button,
      others: html`${app && canEmail(factors, user) && otherButton('email', 'Use emailed codes instead')}${!isRequired && skipButton}`,
    };
  };
}

/** A user who must give a code typed an emailed one a moment ago, so the address is proven. */
async function chooseEmail(factors: Factors, user: User, why: Why, use: () => Promise<void>): Promise<StepResult> {
  if (why !== 'required') return { again: 'offered,email' };
  await factors.turnOnEmail(user, 'proven', use);
  return {};
}

async function take(factors: Factors, { user, why, form, use }: StepAnswer): Promise<StepResult> {
  const [other, code] = [textOf(form, 'other'), textOf(form, codeField)];
  const isOffered = why !== 'required';
  const { app, email } = await factors.setUpOf(user);
  // It was set up elsewhere: this sign-in would go past the code, and put another app in the place of theirs.
  if (app || email) return { over: true };
  if (isOffered && other === 'skip') await factors.decline(user);
  if (isOffered && other === 'skip') return {};
  if (isOffered && other === 'back') return { again: 'offered' };
  const isTrying = why === 'offered,email';
  const isEmail = other === 'email' || (!canApp(factors) && !isTrying);
  if (isEmail && canEmail(factors, user)) return chooseEmail(factors, user, why as Why, use);
  const isOn = isTrying ? await factors.turnOnEmail(user, code, use) : await factors.turnOnApp(user, code, use);
  return isOn ? {} : { faults: { [codeField]: wrongCode } };
}

export function createSetUpStep(deps: SetUpStepDeps): Step {
  const form = createForm(deps);
  return {
    name: 'two-factor-setup',
    kind: 'task',
    due: (user, { by }) => dueFor(deps.factors, user, by),
    form: (user, why, faults) => form(user, why as Why, faults),
    take: (answer) => take(deps.factors, answer),
  };
}
