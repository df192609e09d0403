// Captchas: whoever fills in a form where one stands proves not to be a program.
import { Problem } from '#kernel/problem.ts';
import type { Services } from '#site/extension.ts';
import type { Guard, Refusal } from '#site/hooks/guards.ts';
import type { Check, FormName } from '#site/identity/checks.ts';
import type { Event } from '../../logs/entry.ts';
import type { Settings } from '../../settings/types.ts';
import { type Judged, judged } from './judged.ts';
import { demandKeys, forgetTrial } from './keys.ts';
import { makers, type Place } from './makers.ts';
import type { CaptchaSettings } from './said.ts';
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
  const now = () => settings.of<CaptchaSettings>(id);
  const isUsable = (): boolean => isRunning() && settings.secret(id, secretOf(now())) !== '';
  const standsAt = (place: Place): boolean => isUsable() && now()[place];

  async function demand(place: Place, sent: Readonly<Record<string, unknown>>, from: string): Promise<void> {
    if (!standsAt(place)) return;
    const answer = sent[makers[now().provider].field];
    const isSent = typeof answer === 'string' && answer !== '' && answer.length <= longest;
    if (!isSent) throw await refused(needs, place, from, 'form-not-submitted', []);
    const verdict = await verdictOn(needs, place, answer);
    await keepTrial(needs, verdict);
    if (verdict.kind === 'wrong') throw await refused(needs, place, from, 'incorrect', verdict.codes);
  }

  const check: Check = {
    attempt: ({ by, form, from }) =>
      by === 'password' && form !== undefined ? demand('login', form, from) : undefined,
    lost: ({ form, from }) => demand('reset_pass', form, from),
    besides: (form, query) => (standsAt(places[form]) ? captchaIn(now(), places[form], query) : undefined),
    everywhere: () => (isUsable() ? captchaEverywhere(now()) : undefined),
  };
  const guard: Guard = {
    known: async ({ address }, { user, asked }) => {
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
  const said = settings.of<CaptchaSettings>(id);
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
  const { validated, last_error } = settings.of<CaptchaSettings>(id);
  if (verdict.kind === 'unjudged')
    log({ module: id, code: 'not-judged', type: 'warning', data: { why: verdict.why, codes: verdict.codes } });
  const isTrial = verdict.kind !== 'unjudged' || verdict.why === 'keys';
  const found =
    verdict.kind === 'unjudged'
      ? { validated: false, last_error: 'The maker of the captcha does not take the secret key of this site.' }
      : { validated: true, last_error: '' };
  if (isTrial && (found.validated !== validated || found.last_error !== last_error)) await settings.keep(id, found);
}

const words = {
  'form-not-submitted': 'Please show first that you are no program: solve the captcha of this form.',
  incorrect: 'The captcha was not solved, or is too old by now. Please try once more.',
};

/** It is written down and counted before anybody is told. */
async function refused(
  { failed, log }: Needs,
  place: Place,
  from: string,
  why: keyof typeof words,
  codes: readonly string[],
): Promise<Problem> {
  const problem = new Problem(400, `secsuite.recaptcha.${why}`, words[why]);
  const { code, message } = problem;
  log({ module: id, code: 'failed-validation', type: 'notice', data: { place, error: { code, message }, codes } });
  await failed(from);
  return problem;
}
