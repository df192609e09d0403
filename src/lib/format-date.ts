// Times as people read them, in a format that the site chooses: in `F j, Y` or `g:i a` each letter stands for a part of the time.
import { Lru } from './lru.ts';
import type { Moment, Zone } from './wall-time.ts';

export interface DateStyle {
  readonly zone: Zone;
  /** As the interface writes a language: en_GB. */
  readonly language: string;
}

interface Time extends DateStyle {
  /** What the clock of the site shows. */
  readonly wall: Temporal.PlainDateTime;
  readonly utc: Temporal.PlainDateTime;
}

/** Lists of records show the same dates again and again. */
const formatted = new Lru<string, string>(2000);
const longestKey = 200;

/** A backslash keeps the letter behind it, and everything that stands for nothing stays as it is. */
export function formatDate(format: string, moment: Moment, style: DateStyle): string {
  const key = `${moment.wall} ${moment.utc} ${style.language} ${style.zone.timezone} ${format}`;
  const known = formatted.get(key);
  if (known !== undefined) return known;
  const text = textOf(format, moment, style);
  if (key.length <= longestKey) formatted.set(key, text);
  return text;
}

function textOf(format: string, { wall, utc }: Moment, style: DateStyle): string {
  const [shown, inUtc] = [dateTimeIn(wall), dateTimeIn(utc)];
  return shown === undefined || inUtc === undefined ? '' : filled(format, { ...style, wall: shown, utc: inUtc });
}

function dateTimeIn(text: string): Temporal.PlainDateTime | undefined {
  try {
    return Temporal.PlainDateTime.from(text);
  } catch {
    return undefined;
  }
}

/** For software: `2026-11-20T12:00:00+01:00`. */
export const isoTime = (moment: Moment, style: DateStyle): string => formatDate('c', moment, style);

const filled = (format: string, time: Time): string =>
  format.replace(/\\([\s\S]?)|[a-z]/gi, (letter: string, kept: string | undefined) =>
    letter.startsWith('\\') ? (kept ?? '') : String(parts[letter]?.(time) ?? letter),
  );

const two = (number: number): string => String(number).padStart(2, '0');
const twelve = (hours: number): number => hours % 12 || 12;

const ordinals = ['th', 'st', 'nd', 'rd'];
const ordinal = (number: number): string => (number > 10 && number < 14 ? 'th' : (ordinals[number % 10] ?? 'th'));

/** As if the time were UTC. `Intl` formats such a number 20 times as fast as it formats a `PlainDateTime`. */
const epochOf = (time: Temporal.PlainDateTime): number => time.toZonedDateTime('UTC').epochMilliseconds;

const minutesAhead = ({ wall, utc }: Time): number => Math.round(utc.until(wall).total('minutes'));

function offset(time: Time, between: string): string {
  const ahead = minutesAhead(time);
  const minutes = Math.abs(ahead);
  return `${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${between}${two(minutes % 60)}`;
}

const named =
  (options: Intl.DateTimeFormatOptions) =>
  ({ wall, language }: Time): string =>
    formatterOf(language, options).format(epochOf(wall));

const formatters = new Map<string, Intl.DateTimeFormat>();
/** Languages are settings of sites, so there are few formatters. */
function formatterOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const locale = language.split('_').slice(0, 2).join('-');
  const known = formatters.get(key) ?? new Intl.DateTimeFormat([locale, 'en-US'], { ...options, timeZone: 'UTC' });
  formatters.set(key, known);
  return known;
}

const noon = 12;

/** By the letters that stand for them. */
const parts: Readonly<Record<string, (time: Time) => string | number>> = {
  d: ({ wall }) => two(wall.day),
  D: named({ weekday: 'short' }),
  j: ({ wall }) => wall.day,
  l: named({ weekday: 'long' }),
  N: ({ wall }) => wall.dayOfWeek,
  S: ({ wall }) => ordinal(wall.day),
  w: ({ wall }) => wall.dayOfWeek % 7,
  z: ({ wall }) => wall.dayOfYear - 1,
  W: ({ wall }) => two(wall.weekOfYear ?? 0),
  F: named({ month: 'long' }),
  m: ({ wall }) => two(wall.month),
  M: named({ month: 'short' }),
  n: ({ wall }) => wall.month,
  t: ({ wall }) => wall.daysInMonth,
  L: ({ wall }) => (wall.inLeapYear ? 1 : 0),
  o: ({ wall }) => wall.yearOfWeek ?? wall.year,
  Y: ({ wall }) => String(wall.year).padStart(4, '0'),
  y: ({ wall }) => two(wall.year % 100),
  a: ({ wall }) => (wall.hour < noon ? 'am' : 'pm'),
  A: ({ wall }) => (wall.hour < noon ? 'AM' : 'PM'),
  g: ({ wall }) => twelve(wall.hour),
  G: ({ wall }) => wall.hour,
  h: ({ wall }) => two(twelve(wall.hour)),
  H: ({ wall }) => two(wall.hour),
  i: ({ wall }) => two(wall.minute),
  s: ({ wall }) => two(wall.second),
  u: () => '000000',
  v: () => '000',
  e: (time) => time.zone.timezone || offset(time, ':'),
  O: (time) => offset(time, ''),
  P: (time) => offset(time, ':'),
  p: (time) => (minutesAhead(time) === 0 ? 'Z' : offset(time, ':')),
  T: (time) => (minutesAhead(time) === 0 ? 'UTC' : offset(time, ':')),
  Z: (time) => minutesAhead(time) * 60,
  c: (time) => filled('Y-m-d\\TH:i:sP', time),
  r: (time) => filled('D, d M Y H:i:s O', { ...time, language: 'en_US' }),
  U: ({ utc }) => Math.floor(epochOf(utc) / 1000),
};
