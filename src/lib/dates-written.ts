// Times as people read them, in a form that they choose: in `F j, Y` or `g:i a` each letter stands for a part of the time.
import type { Moment, Zone } from './wall-time.ts';

export interface Written {
  readonly zone: Zone;
  /** As the interface writes a language: en_GB. */
  readonly language: string;
}

interface Time extends Written {
  /** What the clock of the site shows, kept as if it were that of the world. */
  readonly wall: Date;
  readonly moment: Date;
}

/** What is no letter, or none of these, stands as it is; so does what a backslash stands before. */
export function dateWritten(form: string, { wall, utc }: Moment, how: Written): string {
  const time = { ...how, wall: new Date(`${wall}Z`), moment: new Date(`${utc}Z`) };
  if (Number.isNaN(time.wall.getTime()) || Number.isNaN(time.moment.getTime())) return '';
  return written(form, time);
}

/** For programs: `2026-11-20T12:00:00+01:00`. */
export const exactTime = (moment: Moment, how: Written): string => dateWritten('c', moment, how);

const written = (form: string, time: Time): string =>
  form.replace(/\\([\s\S]?)|[a-z]/gi, (sign: string, kept: string | undefined) =>
    sign.startsWith('\\') ? (kept ?? '') : String(parts[sign]?.(time) ?? sign),
  );

const two = (number: number): string => String(number).padStart(2, '0');
const twelve = (hours: number): number => hours % 12 || 12;
const dayOf = ({ wall }: Time): number => wall.getUTCDay() || 7;

const day = 24 * 60 * 60 * 1000;
const dayOfYear = ({ wall }: Time): number =>
  Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / day);

/** A week belongs to the year of its Thursday. */
function week(time: Time): { year: number; number: number } {
  const thursday = new Date(time.wall.getTime() + (4 - dayOf(time)) * day);
  const year = thursday.getUTCFullYear();
  return { year, number: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / day / 7) + 1 };
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

const ordinals = ['th', 'st', 'nd', 'rd'];
const ordinal = (number: number): string => (number > 10 && number < 14 ? 'th' : (ordinals[number % 10] ?? 'th'));

const ahead = ({ wall, moment }: Time): number => Math.round((wall.getTime() - moment.getTime()) / 60_000);

function offset(time: Time, between: string): string {
  const minutes = Math.abs(ahead(time));
  return `${ahead(time) < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${between}${two(minutes % 60)}`;
}

const named =
  (options: Intl.DateTimeFormatOptions) =>
  ({ wall, language }: Time): string =>
    formatOf(language, options).format(wall);

const formats = new Map<string, Intl.DateTimeFormat>();
/** Languages are the settings of sites: there are few. */
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const locale = language.split('_').slice(0, 2).join('-');
  const known = formats.get(key) ?? new Intl.DateTimeFormat([locale, 'en-US'], { ...options, timeZone: 'UTC' });
  formats.set(key, known);
  return known;
}

const noon = 12;

/** By the letters that stand for them. */
const parts: Readonly<Record<string, (time: Time) => string | number>> = {
  d: ({ wall }) => two(wall.getUTCDate()),
  D: named({ weekday: 'short' }),
  j: ({ wall }) => wall.getUTCDate(),
  l: named({ weekday: 'long' }),
  N: dayOf,
  S: ({ wall }) => ordinal(wall.getUTCDate()),
  w: ({ wall }) => wall.getUTCDay(),
  z: dayOfYear,
  W: (time) => two(week(time).number),
  F: named({ month: 'long' }),
  m: ({ wall }) => two(wall.getUTCMonth() + 1),
  M: named({ month: 'short' }),
  n: ({ wall }) => wall.getUTCMonth() + 1,
  t: ({ wall }) => daysIn(wall.getUTCFullYear(), wall.getUTCMonth()),
  L: ({ wall }) => (daysIn(wall.getUTCFullYear(), 1) === 29 ? 1 : 0),
  o: (time) => week(time).year,
  Y: ({ wall }) => String(wall.getUTCFullYear()).padStart(4, '0'),
  y: ({ wall }) => two(wall.getUTCFullYear() % 100),
  a: ({ wall }) => (wall.getUTCHours() < noon ? 'am' : 'pm'),
  A: ({ wall }) => (wall.getUTCHours() < noon ? 'AM' : 'PM'),
  g: ({ wall }) => twelve(wall.getUTCHours()),
  G: ({ wall }) => wall.getUTCHours(),
  h: ({ wall }) => two(twelve(wall.getUTCHours())),
  H: ({ wall }) => two(wall.getUTCHours()),
  i: ({ wall }) => two(wall.getUTCMinutes()),
  s: ({ wall }) => two(wall.getUTCSeconds()),
  u: () => '000000',
  v: () => '000',
  e: (time) => time.zone.timezone || offset(time, ':'),
  O: (time) => offset(time, ''),
  P: (time) => offset(time, ':'),
  p: (time) => (ahead(time) === 0 ? 'Z' : offset(time, ':')),
  T: (time) => (ahead(time) === 0 ? 'UTC' : offset(time, ':')),
  Z: (time) => ahead(time) * 60,
  c: (time) => written('Y-m-d\\TH:i:sP', time),
  r: (time) => written('D, d M Y H:i:s O', { ...time, language: 'en_US' }),
  U: ({ moment }) => Math.floor(moment.getTime() / 1000),
};
