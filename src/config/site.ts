// The site's own settings as a deployment file may give them. What is stored later beats them.

import type { SiteSettings } from '#lib/site-settings.ts';
import { isLocale } from '#lib/site-settings.ts';
import { isZone } from '#lib/wall-time.ts';
import { at, flag, known, object, oneOf, type Place, text, whole, wrong } from './check.ts';

/** A plain line: control characters would travel into headers, titles and feeds. */
function line(value: unknown, place: Place): string {
  const given = text(value, place);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u001f\u007f]/.test(given) ? wrong(place, 'must be one line of text.') : given;
}

function zone(value: unknown, place: Place): string {
  const given = line(value, place);
  const fits = given === '' || isZone(given);
  return fits ? given : wrong(place, 'must be a time zone such as Europe/London, or empty.');
}

function locale(value: unknown, place: Place): string {
  const given = line(value, place);
  const fits = given === '' || isLocale(given);
  return fits ? given : wrong(place, 'must be a language such as en_GB or de_DE, or empty for en_US.');
}

/** Loose on purpose: only a message that arrives proves an address. */
function address(value: unknown, place: Place): string {
  const given = line(value, place);
  const fits = given === '' || /^[^\s@<>,;"]+@[^\s@<>,;"]*[^\s@<>,;".]$/.test(given);
  return fits ? given : wrong(place, 'must be an email address such as office@example.org, or empty.');
}

function offset(value: unknown, place: Place): number {
  const fits = typeof value === 'number' && value >= -12 && value <= 14 && Number.isInteger(value * 4);
  return fits ? value : wrong(place, 'must be a number of hours from -12 to 14, in steps of 0.25.');
}

type Checks = { readonly [K in keyof SiteSettings]: (value: unknown, place: Place) => SiteSettings[K] };

const checks: Checks = {
  title: line,
  description: line,
  email: address,
  timezone: zone,
  gmt_offset: offset,
  date_format: line,
  time_format: line,
  start_of_week: whole(0, 6),
  language: locale,
  use_smilies: flag,
  default_category: whole(0),
  default_post_format: line,
  posts_per_page: whole(1),
  show_on_front: oneOf('posts', 'page'),
  page_on_front: whole(0),
  page_for_posts: whole(0),
  default_ping_status: oneOf('open', 'closed'),
  default_comment_status: oneOf('open', 'closed'),
  site_logo: (value, place) => (value === null ? null : whole(0)(value, place)),
  site_icon: whole(0),
};

export const siteDefaults: SiteSettings = {
  title: 'Gatehouse',
  description: '',
  email: '',
  timezone: '',
  gmt_offset: 0,
  date_format: 'F j, Y',
  time_format: 'g:i a',
  start_of_week: 1,
  language: 'en_US',
  use_smilies: true,
  default_category: 1,
  default_post_format: '0',
  posts_per_page: 10,
  show_on_front: 'posts',
  page_on_front: 0,
  page_for_posts: 0,
  default_ping_status: 'open',
  default_comment_status: 'open',
  site_logo: null,
  site_icon: 0,
};

export function siteSettings(value: unknown, place: Place): SiteSettings {
  const given = object(value, place);
  known(Object.keys(given), Object.keys(checks), place, 'setting');
  const checked = Object.entries(given).map(([key, item]) => [key, checks[key as keyof Checks](item, at(place, key))]);
  const settings: SiteSettings = { ...siteDefaults, ...Object.fromEntries(checked) };
  if (settings.timezone !== '' && given.gmt_offset !== undefined) {
    wrong(place, 'has both timezone and gmt_offset; remove one of them.');
  }
  return settings;
}
