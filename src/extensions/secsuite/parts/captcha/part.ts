// CAPTCHAs in forms.

import { part } from '../../part.ts';
import { captchaErrors, createCaptcha } from './captcha.ts';
import { recaptcha } from './settings.ts';

export const captchaPart = part({
  name: 'captcha',
  errors: captchaErrors,
  modules: [recaptcha],
  logged: {
    recaptcha: {
      label: 'CAPTCHA',
      codes: {
        'failed-validation': 'The CAPTCHA was not solved',
        'validate-response': 'A CAPTCHA was checked',
        'not-judged': 'A CAPTCHA could not be checked, and the request was allowed',
      },
    },
  },
  make: ({ outgoing, operator }, { settings, logs, defence, defends }) => ({
    captcha: createCaptcha({
      outgoing,
      settings,
      log: logs.write,
      captchaUrl: operator.security.captchaUrl,
      isRunning: () => defends('recaptcha'),
      failed: (from) => defence.refuseStruck('recaptcha', from),
    }),
  }),
  guards: ({ captcha }) => [captcha.guard],
  checks: ({ captcha }) => [captcha.check],
  notices: [
    ({ settings, switches }) => {
      const { validated, last_error } = switches.isActive('recaptcha') ? settings.of('recaptcha') : {};
      if (validated !== false || typeof last_error !== 'string' || last_error === '') return undefined;
      return {
        id: 'recaptcha-error',
        severity: 'error',
        title: 'The CAPTCHA does not work',
        message: 'The keys of the CAPTCHA are wrong, so forms show no CAPTCHA.',
        actions: {},
      };
    },
  ],
});
