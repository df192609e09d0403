// What managers say of captchas, what is wrong with it, and what changes with it.
import { Problem } from '#kernel/problem.ts';
import type { Along, Check, Values } from '../settings/types.ts';
import { makers } from './makers.ts';

export interface CaptchaSettings {
  readonly provider: 'google' | 'cloudflare' | 'hcaptcha';
  readonly type: 'v2' | 'invisible' | 'v3';
  readonly site_key: string;
  readonly language: string;
  readonly v3_threshold: number;
  readonly theme: boolean;
  readonly invis_position: string;
  readonly cf_site_key: string;
  readonly cf_theme: string;
  readonly cf_size: string;
  readonly hc_site_key: string;
  readonly hc_theme: string;
  readonly hc_size: string;
  readonly login: boolean;
  readonly register: boolean;
  readonly reset_pass: boolean;
  readonly comments: boolean;
  readonly gdpr: boolean;
  /** Whether an answer was ever judged by these keys. */
  readonly validated: boolean;
  /** Why none can be. */
  readonly last_error: string;
}

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
