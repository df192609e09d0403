// Values that are about people, firms, places and moments. None of them is of anybody: names are drawn, addresses are those that
// are set aside for examples.
import type { Faker } from '@faker-js/faker';
import { t } from '#kernel/schema.ts';
import type { Draws } from '#lib/draws.ts';
import { formatDate } from '#lib/format-date.ts';
import { day, minute, second } from '#lib/spans.ts';
import { momentAt, readMoment } from '#lib/wall-time.ts';
import { type Draw, drawing, kind } from './kind.ts';
import { bounds } from './pattern.ts';
import { Unreadable } from './seeing.ts';

/** What a template may name, and how it is drawn. */
type Parts = Readonly<Record<string, (fake: Faker) => string | number>>;

const form = (usual: string) => t.string({ default: usual, maxLength: bounds.template });

/** `{name}` or `{{name}}`, in whatever way its words are joined. */
function filled(template: string, parts: Parts): (fake: Faker) => string {
  const named = new Map(Object.entries(parts).map(([name, part]) => [plainName(name), part]));
  const pieces = template.split(/\{\{?([A-Za-z_ ]{1,30})\}?\}/).map((piece, at) => {
    if (at % 2 === 0) return () => piece;
    const part = named.get(plainName(piece));
    if (part === undefined)
      throw new Unreadable(
        `\`${piece.trim()}\` is not a name for templates. Use one of: ${Object.keys(parts).join(', ')}.`,
      );
    return part;
  });
  return (fake) => pieces.map((piece) => piece(fake)).join('');
}

const plainName = (name: string): string => name.toLowerCase().replace(/[_ ]/g, '');

const people = (sex: 'male' | 'female' | undefined): Parts => ({
  name: (fake) => `${fake.person.firstName(sex)} ${fake.person.lastName(sex)}`,
  first_name: (fake) => fake.person.firstName(sex),
  last_name: (fake) => fake.person.lastName(sex),
  title: (fake) => fake.person.prefix(sex),
  suffix: (fake) => fake.person.suffix(),
  job: (fake) => fake.person.jobTitle(),
});

export const person = drawing(
  { template: form('{first_name} {last_name}'), gender: t.choice(['', 'any', 'male', 'female'], { default: '' }) },
  ({ template, gender }) => {
    const drawn = filled(template, people(gender === 'male' || gender === 'female' ? gender : undefined));
    return (_, fake) => drawn(fake);
  },
);

const firms: Parts = {
  name: (fake) => fake.company.name(),
  catch_phrase: (fake) => fake.company.catchPhrase(),
  bs: (fake) => fake.company.buzzPhrase(),
};

export const company = drawing({ template: form('{name}') }, ({ template }) => {
  const drawn = filled(template, firms);
  return (_, fake) => drawn(fake);
});

const places: Parts = {
  latitude: (fake) => fake.location.latitude(),
  longitude: (fake) => fake.location.longitude(),
  country: (fake) => fake.location.country(),
  country_code: (fake) => fake.location.countryCode(),
  city: (fake) => fake.location.city(),
  street: (fake) => fake.location.streetAddress(),
  postcode: (fake) => fake.location.zipCode(),
};

export const geo = drawing({ template: form('{latitude}, {longitude}') }, ({ template }) => {
  const drawn = filled(template, places);
  return (_, fake) => drawn(fake);
});

export const timezone = drawing({}, () => (_, fake) => fake.location.timeZone());

const utc = { timezone: '', offset: 0 };
const units: Readonly<Record<string, number>> = {
  second,
  minute,
  hour: 60 * minute,
  day,
  week: 7 * day,
  month: 30 * day,
  year: 365 * day,
};

/** The ends of a span of time, once it is known which day it is. */
type Times = (today: number) => readonly [from: number, to: number];

/** As `-30 days`, from today, or two of them, in whichever order. */
function timesOf(said: string | readonly string[] | { readonly min: string; readonly max: string }): Times {
  if (typeof said === 'string') {
    const other = endOf(said);
    return (today) => [Math.min(today, other(today)), Math.max(today, other(today))];
  }
  const [from, to] = ('min' in said ? [said.min, said.max] : said).map(endOf) as [End, End];
  return (today) => [Math.min(from(today), to(today)), Math.max(from(today), to(today))];
}

type End = (today: number) => number;

function endOf(said: string): End {
  const text = said.trim().toLowerCase();
  if (text === 'now' || text === 'today') return (today) => today;
  const [, sign, count, unit] = /^([+-]?)(\d{1,4}) ?([a-z]{3,6}?)s?$/.exec(text) ?? [];
  const length = unit === undefined ? undefined : units[unit];
  if (length !== undefined) return (today) => today + (sign === '-' ? -1 : 1) * Number(count) * length;
  const moment = readMoment(utc, /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : said.trim(), 'utc');
  if (moment === undefined) throw new Unreadable('A time must be a date, or an interval such as `-30 days`.');
  return () => Date.parse(`${moment.utc}Z`);
}

const time = t.string({ maxLength: 40 });

export const date = kind(
  {
    interval: t.optional(
      t.anyOf([time, t.list(time, { minItems: 2, maxItems: 2 }), t.object({ min: time, max: time })]),
    ),
    format: t.string({ default: 'Y-m-d H:i:s', maxLength: 100 }),
  },
  ({ interval = '-30 days', format }) => {
    const times = timesOf(interval);
    return ({ today }): Draw => {
      const [from, to] = times(today.getTime());
      return (draws) => {
        const drawn = new Date(from + Math.floor((draws.number() * (to - from)) / second) * second);
        return formatDate(format, momentAt(utc, drawn), { zone: utc, language: 'en_US' });
      };
    };
  },
);

/** Those that documents use and nobody has. */
const networks = ['192.0.2', '198.51.100', '203.0.113'];
const domains = ['example.com', 'example.net', 'example.org'];

export const ip = drawing({}, () => (draws) => `${draws.pick(networks)}.${draws.integer(1, 254)}`);
export const domain = drawing({}, () => (draws, fake) => `${word(fake)}.${draws.pick(domains)}`);
export const email = drawing({}, () => emailOf);
export const userAgent = drawing({}, () => (_, fake) => fake.internet.userAgent());

const word = (fake: Faker): string => fake.lorem.word().toLowerCase();

const emailOf = (draws: Draws, fake: Faker): string => {
  const [first, last] = [fake.person.firstName(), fake.person.lastName()].map((name) =>
    name.toLowerCase().replace(/[^a-z]/g, ''),
  );
  return `${first}.${last}@${draws.pick(domains)}`;
};
