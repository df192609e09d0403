// The makers of captchas: by which name a form sends an answer, what a page loads for it, and how each judges an answer.

import { Problem } from '#kernel/problem.ts';
import { type Html, html } from '#lib/html.ts';
import { parseJsonObject } from '#lib/objects.ts';
import { second } from '#lib/spans.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { CaptchaSettings } from './settings.ts';

/** Where a form stands that asks for one, as settings name it. */
export type Place = 'login' | 'register' | 'reset_pass' | 'comments';

interface Maker {
  readonly title: string;
  /** What the site sends to have an answer judged. */
  readonly judge: { readonly origin: string; readonly path: string };
  /** The member of a form, or of what a program sends, that holds the answer. */
  readonly field: string;
  /** Of the settings: the two keys. */
  readonly keys: { readonly site: keyof CaptchaSettings; readonly secret: keyof CaptchaSettings };
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** What is loaded from it. */
  script(settings: CaptchaSettings): string;
  box(settings: CaptchaSettings, place: Place): Html;
}

const google: Maker = {
  title: 'Google',
  judge: { origin: 'https://www.google.com', path: '/recaptcha/api/siteverify' },
  field: 'g-recaptcha-response',
  keys: { site: 'site_key', secret: 'secret_key' },
  sources: {
    'script-src': ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    'frame-src': ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
    'connect-src': ['https://www.google.com/recaptcha/'],
  },
  script({ type, site_key, language }) {
    const query = new URLSearchParams({
      ...(type === 'v3' && { render: site_key }),
      ...(language && { hl: language }),
    });
    return `https://www.google.com/recaptcha/api.js?${query}`;
  },
  box({ type, site_key, theme, invis_position }, place) {
    if (type === 'v3')
      return html`<input type="hidden" name="g-recaptcha-response" data-captcha="${site_key}" data-action="${place}">`;
    if (type === 'invisible')
      return html`<div class="g-recaptcha" data-captcha data-sitekey="${site_key}" data-size="invisible" data-badge="${invis_position}" data-callback="captchaSolved"></div>`;
    return html`<div class="g-recaptcha" data-sitekey="${site_key}" data-theme="${theme ? 'dark' : 'light'}"></div>`;
  },
};

const cloudflare: Maker = {
  title: 'Cloudflare',
  judge: { origin: 'https://challenges.cloudflare.com', path: '/turnstile/v0/siteverify' },
  field: 'cf-turnstile-response',
  keys: { site: 'cf_site_key', secret: 'cf_secret_key' },
  sources: {
    'script-src': ['https://challenges.cloudflare.com'],
    'frame-src': ['https://challenges.cloudflare.com'],
  },
  script: () => 'https://challenges.cloudflare.com/turnstile/v0/api.js',
  box: ({ cf_site_key, cf_theme, cf_size }, place) =>
    html`<div class="cf-turnstile" data-sitekey="${cf_site_key}" data-theme="${cf_theme}" data-size="${cf_size}" data-action="${place}"></div>`,
};

const hcaptchas = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];

const hcaptcha: Maker = {
  title: 'hCaptcha',
  judge: { origin: 'https://api.hcaptcha.com', path: '/siteverify' },
  field: 'h-captcha-response',
  keys: { site: 'hc_site_key', secret: 'hc_secret_key' },
  sources: { 'script-src': hcaptchas, 'frame-src': hcaptchas, 'style-src': hcaptchas, 'connect-src': hcaptchas },
  script: () => 'https://js.hcaptcha.com/1/api.js',
  box: ({ hc_site_key, hc_theme, hc_size }) =>
    html`<div class="h-captcha" data-sitekey="${hc_site_key}" data-theme="${hc_theme}" data-size="${hc_size}"></div>`,
};

export const makers: Readonly<Record<CaptchaSettings['provider'], Maker>> = { google, cloudflare, hcaptcha };

/** `unjudged`: nobody said whether it is right, and that is not the visitor's fault. */
export type Judged =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly codes: readonly string[] }
  | { readonly kind: 'unjudged'; readonly why: 'keys' | 'unreachable'; readonly codes: readonly string[] };

interface Question {
  readonly maker: Maker;
  readonly secret: string;
  readonly answer: string;
  readonly place: Place;
  /** The least that a visitor must look like a person, where that is said. */
  readonly threshold: number | undefined;
}

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Instead of the makers. */
  readonly base: string | undefined;
}

const patience = 5 * second;
const most = 16_384;

/** Asks the maker, and tells it neither who the visitor is nor where they are. */
export async function judged({ outgoing, base }: Needs, question: Question): Promise<Judged> {
  const { maker, secret, answer } = question;
  const { origin, path } = maker.judge;
  try {
    const fetched = await outgoing.fetch(`${(base ?? origin).replace(/\/$/, '')}${path}`, {
      name: 'captcha',
      method: 'POST',
      types: ['application/json'],
      errors: [400],
      most,
      within: patience,
      withinHost: true,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ secret, response: answer }).toString(),
    });
    return readIn(await fetched.text(), question);
  } catch (error) {
    if (error instanceof Upstream) return { kind: 'unjudged', why: 'unreachable', codes: [error.fault] };
    if (error instanceof Problem) return { kind: 'unjudged', why: 'unreachable', codes: [error.code] };
    throw error;
  }
}

/** These are about the keys of the site, not about the visitor. */
const ofKeys = /(?:secret|sitekey|site-key|keys)/;

function readIn(text: string, { place, threshold }: Question): Judged {
  const said = parseJsonObject(text);
  if (said === undefined) return { kind: 'unjudged', why: 'unreachable', codes: ['senseless'] };
  const codes = codesIn(said['error-codes']);
  if (said.success !== true)
    return codes.some((code) => ofKeys.test(code))
      ? { kind: 'unjudged', why: 'keys', codes }
      : { kind: 'wrong', codes };
  if (typeof said.action === 'string' && said.action !== '' && said.action !== place)
    return { kind: 'wrong', codes: ['another-form'] };
  if (threshold !== undefined && !(typeof said.score === 'number' && said.score >= threshold))
    return { kind: 'wrong', codes: ['low-score'] };
  return { kind: 'right' };
}

/** Names alone: whatever else it says is not written down. */
const codesIn = (said: unknown): string[] =>
  Array.isArray(said) ? said.filter((code) => typeof code === 'string' && /^[a-z-]{1,64}$/.test(code)).slice(0, 8) : [];
