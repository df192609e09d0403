// Captchas: whoever fills in a form where one stands proves not to be a program.
import { defineError, Problem } from '#kernel/problem.ts';
import type { Refusal } from '#kernel/request-guard.ts';
import type { Services } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Check, FormName } from '#site/identity/checks.ts';
import type { Event } from '../../logs/entry.ts';
import type { Along, Settings, Check as SettingsCheck } from '../../settings/types.ts';
import { type Judged, judged, makers, type Place } from './makers.ts';
import type { CaptchaSettings } from './settings.ts';
import { captchaEverywhere, captchaIn } from './shown.ts';

export interface Captcha {
  /** Refuses whoever sends no right answer, with a `Problem`; `sent`: what their form sent. Where none stands, it lets everybody pass. */
  demand(place: Place, sent: Readonly<Record<string, unknown>>, from: string): Promise<void>;
  /** Whoever signs in or asks for a new password is asked. */
  readonly check: Check;
  /** Who is asked about comments. */
  readonly guard: Guard;
}

interface Needs extends Pick<Services, 'outgoing'> {
  readonly settings: Pick<Settings, 'of' | 'secret' | 'keep' | 'check' | 'along'>;
  /** Whether the module runs. */
  isRunning(): boolean;
  /** Where answers are judged instead of at their makers. */
  readonly captchaUrl: string | undefined;
  /** Counts it; what it throws is the answer. */
  failed(from: string): void | Promise<void>;
  log(event: Event): void;
}

const id = 'recaptcha';
/** Answers are some two thousand signs. */
const longest = 8192;

const places: Readonly<Record<FormName, Place>> = { 'sign-in': 'login', 'lost-password': 'reset_pass' };

export function createCaptcha(needs: Needs): Captcha {
  const { settings, isRunning } = needs;
  settings.check(id, demandKeys);
  settings.along(id, forgetTrial);
  const now = () => settings.of(id);
  const isUsable = (): boolean => isRunning() && settings.secret(id, secretOf(now())) !== '';
  const standsAt = (place: Place): boolean => isUsable() && now()[place];

  async function demand(place: Place, sent: Readonly<Record<string, unknown>>, from: string): Promise<void> {
    if (!standsAt(place)) return;
    const answer = sent[makers[now().provider].field];
    const isSent = typeof answer === 'string' && answer !== '' && answer.length <= longest;
    if (!isSent) throw await refused(needs, place, from, captchaErrors.formNotSubmitted(), []);
    const verdict = await verdictOn(needs, place, answer);
    await keepTrial(needs, verdict);
    if (verdict.kind === 'wrong') throw await refused(needs, place, from, captchaErrors.incorrect(), verdict.codes);
  }

  const check: Check = {
    attempt: ({ by, form, from }) =>
      by === 'password' && form !== undefined ? demand('login', form, from) : undefined,
    lost: ({ form, from }) => demand('reset_pass', form, from),
    besides: (form, query) => (standsAt(places[form]) ? captchaIn(now(), places[form], query) : undefined),
    everywhere: () => (isUsable() ? captchaEverywhere(now()) : undefined),
  };
  const guard: Guard = {
    whenFailing: 'closed',
    onCaller: async ({ address }, { user, asked }) => {
      if (user !== undefined || asked?.method !== 'POST' || asked.route !== comments) return undefined;
      return demand('comments', asked.params, address).then(() => undefined, refusing);
    },
  };
  return { demand, check, guard };
}

function refusing(problem: unknown): Refusal {
  if (!(problem instanceof Problem)) throw problem;
  return { problem };
}

/** Where strangers comment, once a site lets them. */
const comments = '/core/v2/comments';

const secretOf = ({ provider }: CaptchaSettings): string => makers[provider].keys.secret;

async function verdictOn(
  { settings, outgoing, captchaUrl, log }: Needs,
  place: Place,
  answer: string,
): Promise<Judged> {
  const said = settings.of(id);
  const verdict = await judged(
    { outgoing, base: captchaUrl },
    {
      maker: makers[said.provider],
      secret: settings.secret(id, secretOf(said)),
      answer,
      place,
      threshold: said.provider === 'google' && said.type === 'v3' ? said.v3_threshold : undefined,
    },
  );
  log({ module: id, code: 'validate-response', type: 'debug', data: { provider: said.provider, place, ...verdict } });
  return verdict;
}

/**
 * Whether the keys work, as managers are told it. Whom nobody can judge is let pass: it is not their fault, and what else guards the form
 * stands.
 */
async function keepTrial({ settings, log }: Needs, verdict: Judged): Promise<void> {
  const { validated, last_error } = settings.of(id);
  if (verdict.kind === 'unjudged')
    log({ module: id, code: 'not-judged', type: 'warning', data: { why: verdict.why, codes: verdict.codes } });
  const isTrial = verdict.kind !== 'unjudged' || verdict.why === 'keys';
  const found =
    verdict.kind === 'unjudged'
      ? { validated: false, last_error: 'The CAPTCHA provider refuses the secret key of this site.' }
      : { validated: true, last_error: '' };
  if (isTrial && (found.validated !== validated || found.last_error !== last_error)) await settings.keep(id, found);
}

/** It is written down and counted before anybody is told. */
async function refused(
  { failed, log }: Needs,
  place: Place,
  from: string,
  problem: Problem,
  codes: readonly string[],
): Promise<Problem> {
  const { code, message } = problem;
  log({ module: id, code: 'failed-validation', type: 'notice', data: { place, error: { code, message }, codes } });
  await failed(from);
  return problem;
}

export const captchaErrors = {
  missingKeys: defineError(
    400,
    'secsuite.recaptcha.missing-keys',
    (maker: string) => `Enter both keys that ${maker} gave you for this site.`,
  ),
  formNotSubmitted: defineError(400, 'secsuite.recaptcha.form-not-submitted', 'Solve the CAPTCHA of this form first.'),
  incorrect: defineError(
    400,
    'secsuite.recaptcha.incorrect',
    'The CAPTCHA was not solved, or it has expired. Try again.',
  ),
};

const makerOf = ({ provider }: CaptchaSettings) => makers[provider];

const keysOf = (values: CaptchaSettings): readonly unknown[] => {
  const { site, secret } = makerOf(values).keys;
  return [values[site], values[secret]];
};

const demandKeys: SettingsCheck<CaptchaSettings> = ({ after }) =>
  keysOf(after).every((key) => key !== '') ? [] : [captchaErrors.missingKeys(makerOf(after).title)];

/** By which others an answer is judged, or another kind of it. */
const decisive = (values: CaptchaSettings): string => JSON.stringify([values.provider, values.type, ...keysOf(values)]);

const forgetTrial: Along<CaptchaSettings> = (before, after) =>
  decisive(before) === decisive(after) ? after : { ...after, validated: false, last_error: '' };
