// Captchas: what tells people from programs, by one of three makers.
import { limitsOfHosts, type Module, type SettingSchema, type SettingsOf } from '../../module.ts';
import {
  count,
  explained,
  flag,
  forAll,
  line,
  minutes,
  named,
  settingsCard,
  unavailable,
  when,
} from '../../setting-schemas.ts';

// The languages that a captcha can be shown in, by the codes of its makers.
const codes = [
  ...['ar', 'af', 'am', 'hy', 'az', 'eu', 'bn', 'bg', 'ca', 'zh-HK', 'zh-CN', 'zh-TW', 'hr', 'cs', 'da', 'nl', 'en-GB'],
  ...['en', 'et', 'fil', 'fi', 'fr', 'fr-CA', 'gl', 'ka', 'de', 'de-AT', 'de-CH', 'el', 'gu', 'iw', 'hi', 'hu', 'is'],
  ...['id', 'it', 'ja', 'kn', 'ko', 'lo', 'lv', 'lt', 'ms', 'ml', 'mr', 'mn', 'no', 'fa', 'pl', 'pt', 'pt-BR', 'pt-PT'],
  ...['ro', 'ru', 'sr', 'si', 'sk', 'sl', 'es', 'es-419', 'sw', 'sv', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'vi', 'zu'],
];

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });

/** Each code with what the language is called; the empty one leaves it to the browser. */
const languages: Readonly<Record<string, string>> = {
  '': 'As the browser is set',
  ...Object.fromEntries(codes.map((code) => [code, names.of(code) ?? code])),
};

const siteKey = (maker: string) => line('Site key', `The public key from ${maker} for this site.`);
const secretKey = (maker: string) => line('Secret key', `The secret key from ${maker} for this site.`);

const keys = {
  site_key: siteKey('Google'),
  secret_key: secretKey('Google'),
  cf_site_key: siteKey('Cloudflare'),
  cf_secret_key: secretKey('Cloudflare'),
  hc_site_key: siteKey('hCaptcha'),
  hc_secret_key: secretKey('hCaptcha'),
};

const places = {
  login: flag(false, 'When signing in', 'The sign-in page shows a CAPTCHA.'),
  register: unavailable(
    flag(false, 'When signing up', 'The sign-up page shows a CAPTCHA.'),
    'the site has no sign-up page',
  ),
  reset_pass: flag(false, 'For a new password', 'The page for a new password shows a CAPTCHA.'),
  comments: flag(false, 'For comments', 'The comment form shows visitors a CAPTCHA.'),
};

const theme = 'Colors of the box';
const size = 'Size of the box';
const asShown = 'Size of the box on your pages.';
const sizes = { normal: ['Normal'], compact: ['Small'] } as const;

const appearance = {
  v3_include_location: named(
    { everywhere: 'On all pages', required: 'Only where it is needed' },
    'required',
    'Pages that load the script',
    'On all pages, the CAPTCHA knows visitors better, but sends more data to its provider. If visitors must agree first, the script loads only where it is needed.',
  ),
  language: named(languages, '', 'Language', 'The language of the box.'),
  theme: flag(false, 'Dark', 'The box is dark.'),
  invis_position: named(
    { bottomleft: 'Bottom left', bottomright: 'Bottom right' },
    'bottomright',
    'Place of the badge',
    'Position of the badge of the CAPTCHA provider.',
  ),
  cf_theme: explained({ auto: ['As the browser'], light: ['Light'], dark: ['Dark'] }, 'light', theme, asShown),
  cf_size: explained(sizes, 'normal', size, asShown),
  hc_theme: explained({ light: ['Light'], dark: ['Dark'] }, 'light', theme, asShown),
  hc_size: explained(sizes, 'normal', size, asShown),
};

const consent = {
  gdpr: flag(true, 'Ask first', 'The page loads nothing from the CAPTCHA provider before a visitor agrees.'),
  on_page_opt_in: flag(true, 'Ask on the page', 'Visitors can agree without reloading the page.'),
};

const limits = {
  v3_threshold: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0.5,
    title: 'Minimum score for humans',
    description: '0 accepts all visitors as human, 1 accepts none. Start with 0.5.',
  },
  error_threshold: count(
    7,
    0,
    'Failed CAPTCHAs before a lockout',
    'Number of failed CAPTCHAs that locks out an IP address. 0 locks out no IP address.',
  ),
  check_period: minutes(5, 1, 'Within minutes', 'Number of minutes that a failed CAPTCHA counts.'),
} as const satisfies Record<string, SettingSchema>;

const sections = [
  { title: 'Keys', fields: ['type', ...Object.keys(keys)] },
  { title: 'Forms', fields: [...Object.keys(places), 'v3_include_location'] },
  {
    title: 'Appearance',
    fields: [...Object.keys(appearance).filter((name) => name !== 'v3_include_location'), ...Object.keys(consent)],
  },
  { title: 'Lockouts', fields: Object.keys(limits) },
];

const ofGoogle = (type: string) => when({ provider: ['google'], type: [type] });

const settings = settingsCard({
  properties: {
    provider: explained(
      { google: ['Google'], cloudflare: ['Cloudflare'], hcaptcha: ['hCaptcha'] },
      'google',
      'CAPTCHA provider',
      'CAPTCHA provider.',
    ),
    type: explained(
      {
        v2: ['Second version', 'Visitors tick a box, and sometimes solve a puzzle.'],
        invisible: ['Invisible', 'Only visitors who look like bots see a CAPTCHA.'],
        v3: ['Third version', 'The provider scores visitors by their behavior. They solve no puzzle.'],
      },
      'v3',
      'Kind',
      'The keys must be for this type.',
    ),
    ...keys,
    ...places,
    ...appearance,
    ...consent,
    ...limits,
    validated: { type: 'boolean', default: false, readonly: true },
    last_error: { type: 'string', default: '', readonly: true },
  },
  uiSchema: { 'ui:sections': sections },
  conditional: {
    ...forAll(['type', 'site_key', 'secret_key', 'language'], when({ provider: ['google'] })),
    ...forAll(['cf_site_key', 'cf_secret_key', 'cf_theme', 'cf_size'], when({ provider: ['cloudflare'] })),
    ...forAll(['hc_site_key', 'hc_secret_key', 'hc_theme', 'hc_size'], when({ provider: ['hcaptcha'] })),
    ...forAll(['v3_include_location', 'v3_threshold'], ofGoogle('v3')),
    theme: ofGoogle('v2'),
    invis_position: ofGoogle('invisible'),
    on_page_opt_in: when({ gdpr: [true] }),
  },
  ours: ['validated', 'last_error'],
  secret: ['secret_key', 'cf_secret_key', 'hc_secret_key'],
  onboard: [
    ...['provider', 'type', 'site_key', 'secret_key', 'cf_site_key', 'cf_secret_key'],
    ...['hc_site_key', 'hc_secret_key', ...Object.keys(places)],
  ],
  import: ['provider', 'type', ...Object.keys(keys)],
});

export type CaptchaSettings = SettingsOf<{ readonly settings: typeof settings }>;

export const recaptcha = {
  id: 'recaptcha',
  type: 'lockout',
  standing: 'default-inactive',
  onboard: true,
  keywords: ['recaptcha', 'turnstile', 'hcaptcha', 'cloudflare'],
  title: 'CAPTCHAs',
  description: 'Lets visitors show that they are human before they sign in, sign up or comment.',
  help: 'Register this site with a CAPTCHA provider and enter the two keys. The provider receives data of your visitors.',
  settings,
  lockouts: [
    {
      type: 'recaptcha',
      label: 'CAPTCHA',
      reason: 'Too many failed CAPTCHAs',
      limits: ({ error_threshold, check_period }: CaptchaSettings) => limitsOfHosts(error_threshold, check_period),
    },
  ],
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    recaptcha: CaptchaSettings;
  }
}
