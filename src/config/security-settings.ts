// Settings of the security suite that only the operator lays down: its emergency switches, and whom it may ask outside.
import { setting } from './setting.ts';
import * as read from './values.ts';

export const ofSecurity = {
  securitySuite: setting({
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether the security suite defends the site; off, it can still be looked at and set',
    file: true,
  }),
  firewall: setting({
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether firewall rules are run; off is for the moment when one keeps everybody out',
    file: true,
  }),
  frontServer: setting({
    parse: read.frontServer,
    default: 'nginx',
    value: 'nginx|apache',
    meaning: 'Which web server stands in front of the site: the security suite writes rules for it',
    file: true,
  }),
  siteKind: setting({
    parse: read.siteKind,
    shown: 'none',
    value: 'kind',
    meaning:
      'What the first set-up recommends the site to be set up as: `ecommerce`, `network`, `non-profit`, `blog`, `portfolio` or `brochure`',
    file: true,
  }),
  breachedUrl: setting({
    parse: read.baseUrl,
    shown: 'none: nobody is asked',
    value: 'url',
    meaning:
      'Where it is asked whether a password was made public by a breach, such as `https://api.pwnedpasswords.com`: five signs of its hash are sent, and nothing else',
    file: true,
  }),
  blocklistUrl: setting({
    parse: read.baseUrl,
    shown: 'none: nobody is asked',
    value: 'url',
    meaning: 'The registry that sites share addresses of attackers by',
    file: true,
  }),
  placesUrl: setting({
    parse: read.baseUrl,
    shown: 'none: the database that comes with the program',
    value: 'url',
    meaning: 'Where it is asked in which place an address is, when the database does not know it',
    file: true,
  }),
  captchaUrl: setting({
    parse: read.baseUrl,
    shown: 'the provider of the captcha',
    value: 'url',
    meaning: 'Where answers to captchas are verified, instead of at their provider',
    file: true,
  }),
};
