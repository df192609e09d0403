// What is wrong with what managers say of captchas, and what changes with it.
import { Problem } from '#kernel/problem.ts';
import type { Along, Check, Values } from '../../settings/types.ts';
import { makers } from './makers.ts';
import type { CaptchaSettings } from './said.ts';

const makerOf = ({ provider }: Values) => makers[provider as CaptchaSettings['provider']];

const keysOf = (values: Values): readonly unknown[] => {
  const { site, secret } = makerOf(values).keys;
  return [values[site], values[secret]];
};

export const demandKeys: Check = ({ after }) =>
  keysOf(after).every((key) => typeof key === 'string' && key !== '')
    ? []
    : [
        new Problem(
          400,
          'secsuite.recaptcha.missing-keys',
          `${makerOf(after).title} gives you two keys for this site. Please enter both.`,
        ),
      ];

/** By which others an answer is judged, or another kind of it. */
const decisive = (values: Values): string => JSON.stringify([values.provider, values.type, ...keysOf(values)]);

export const forgetTrial: Along = (before, after) =>
  decisive(before) === decisive(after) ? after : { ...after, validated: false, last_error: '' };
