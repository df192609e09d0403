// The makers of captchas: where each judges an answer, by which name a form sends it, and what a page loads for it.
import { type Html, html } from '#lib/html.ts';
import type { CaptchaSettings } from './said.ts';

/** Where a form stands that asks for one, as settings name it. */
export type Place = 'login' | 'register' | 'reset_pass' | 'comments';

export interface Maker {
  readonly title: string;
  /** What the site sends to have an answer judged. */
  readonly judge: { readonly origin: string; readonly path: string };
  /** The member of a form, or of what a program sends, that holds the answer. */
  readonly field: string;
  /** Of the settings: the two keys. */
  readonly keys: { readonly site: keyof CaptchaSettings; readonly secret: string };
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
