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
  '': 'As the browser asks',
  ...Object.fromEntries(codes.map((code) => [code, names.of(code) ?? code])),
};

const siteKey = (maker: string) => line('Key of the site', `The public key that ${maker} gave this site.`);
const secretKey = (maker: string) => line('Secret key', `The key that only ${maker} and this site know.`);

const keys = {
  site_key: siteKey('Google'),
  secret_key: secretKey('Google'),
  cf_site_key: siteKey('Cloudflare'),
  cf_secret_key: secretKey('Cloudflare'),
  hc_site_key: siteKey('hCaptcha'),
  hc_secret_key: secretKey('hCaptcha'),
};

const places = {
  login: flag(false, 'When signing in', 'Everybody who signs in solves one.'),
  register: unavailable(
    flag(false, 'When signing up', 'Everybody who makes an account solves one.'),
    'the site has no page to sign up at',
  ),
  reset_pass: flag(false, 'For a new password', 'Everybody who has forgotten a password solves one.'),
  comments: flag(false, 'For comments', 'Whoever comments without having signed in solves one.'),
};

const theme = 'Colours of the box';
const size = 'Size of the box';
const asShown = 'How the box looks on your pages.';
const sizes = { normal: ['Usual'], compact: ['Small'] } as const;

const appearance = {
  v3_include_location: named(
    { everywhere: 'On all pages', required: 'Where it is needed' },
    'required',
    'Where the script is loaded',
    'On all pages it knows visitors better, and more is sent to its maker. Where visitors are asked first, it is loaded where it is needed.',
  ),
  language: named(languages, '', 'Language', 'The language of the box.'),
  theme: flag(false, 'Dark', 'The box is dark.'),
  invis_position: named(
    { bottomleft: 'On the left, below', bottomright: 'On the right, below' },
    'bottomright',
    'Place of the badge',
    'Where the badge of the maker is shown.',
  ),
  cf_theme: explained({ auto: ['As the browser'], light: ['Light'], dark: ['Dark'] }, 'light', theme, asShown),
  cf_size: explained(sizes, 'normal', size, asShown),
  hc_theme: explained({ light: ['Light'], dark: ['Dark'] }, 'light', theme, asShown),
  hc_size: explained(sizes, 'normal', size, asShown),
};

const consent = {
  gdpr: flag(true, 'Ask first', 'Nothing is loaded from the maker before a visitor has agreed.'),
  on_page_opt_in: flag(true, 'Ask on the page', 'Visitors can agree where they are, without the page loading anew.'),
};

const limits = {
  v3_threshold: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0.5,
    title: 'From when on somebody is human',
    description: '0 takes everybody for human, 1 nobody. Begin with 0.5.',
  },
  error_threshold: count(7, 0, 'Failed captchas before a lockout', 'So many lock an address out. 0 locks nobody out.'),
  check_period: minutes(5, 1, 'Within minutes', 'For how many minutes a failed captcha counts.'),
} as const satisfies Record<string, SettingSchema>;

const sections = [
  { title: 'Keys', fields: ['type', ...Object.keys(keys)] },
  { title: 'Where', fields: [...Object.keys(places), 'v3_include_location'] },
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
      'Maker',
      'Whose captcha is shown.',
    ),
    type: explained(
      {
        v2: ['Second version', 'Visitors tick a box, and sometimes solve a riddle.'],
        invisible: ['Invisible', 'Nothing is shown, but to those who look like programs.'],
        v3: ['Third version', 'Visitors are judged by what they do, and solve nothing.'],
      },
      'v3',
      'Kind',
      'The keys must have been made for this kind.',
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
  title: 'Captchas',
  description: 'Has visitors prove that they are human before they sign in, sign up or comment.',
  help: 'Register this site with one of the makers and enter the two keys that it gives you. Visitors’ data goes to that maker.',
  settings,
  lockouts: [
    {
      type: 'recaptcha',
      label: 'Captcha',
      reason: 'Too many failed captchas',
      limits: ({ error_threshold, check_period }: CaptchaSettings) => limitsOfHosts(error_threshold, check_period),
    },
  ],
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    recaptcha: CaptchaSettings;
  }
}
