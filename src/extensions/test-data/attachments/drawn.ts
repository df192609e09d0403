// What a picture is to be, as far as it is drawn: how large, of which kind, when it was added, what is told of it, whose it is.

import type { Faker } from '@faker-js/faker';
import { invalidParam } from '#kernel/errors.ts';
import type { Draws } from '#lib/draws.ts';
import { escapeHtml } from '#lib/html.ts';
import { withoutSteering } from '#lib/printable.ts';
import { day, second } from '#lib/spans.ts';
import { readMoment, utcTime } from '#lib/wall-time.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import type { AttachmentArgs, FileType } from '../arguments.ts';
import { type Fake, lineOf } from '../fake.ts';

export interface Drawn {
  readonly type: FileType;
  readonly size: Dimensions;
  readonly words: Words;
  readonly name: string;
  readonly date: string;
  readonly author: number;
  /** 0 for none. */
  readonly parent: number;
}

interface Asked extends AttachmentArgs {
  readonly sizeBy: (draws: Draws) => Dimensions;
  readonly dateBy: Dating;
  readonly authors: readonly number[];
  readonly parents: readonly number[];
  readonly today: Date;
}

export const drawingOf =
  (asked: Asked, fakeBy: Fake) =>
  (draws: Draws): Drawn => {
    const { file_types: types, sizeBy, dateBy, authors, parents, today } = asked;
    const type = types.length === 0 ? 'jpg' : draws.pick(types);
    return {
      type,
      size: sizeBy(draws),
      words: wordsBy(fakeBy(draws), asked),
      name: `${uuidBy(draws)}.${type}`,
      date: dateBy(draws, today),
      author: draws.pick(authors),
      parent: draws.pick(parents),
    };
  };

/** Of version 4, in which all else is chance. */
function uuidBy(draws: Draws): string {
  const digits = (many: number): string =>
    Array.from({ length: many }, () => draws.integer(0, 15).toString(16)).join('');
  return [digits(8), digits(4), `4${digits(3)}`, `${draws.pick(['8', '9', 'a', 'b'])}${digits(3)}`, digits(12)].join(
    '-',
  );
}

interface AskedDays {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/** A time by the clock of the site: in the last 30 days, where nobody says. */
type Dating = (draws: Draws, today: Date) => string;

const usual = 30 * day;

/** Throws what is no day, and what ends before it begins. */
export function datesAsked({ min, max }: AskedDays = {}): Dating {
  const [first, last] = [min, max].map(beginningOf);
  if (first !== undefined && last !== undefined && first > last)
    throw refused('date_range.min must not be after date_range.max.');
  return (draws, today) => {
    const to = last === undefined ? Math.max(today.getTime(), first ?? 0) : last + day - second;
    const from = first ?? Math.min(today.getTime(), to) - usual;
    return utcTime(new Date(from + Math.floor((draws.number() * (to - from)) / second) * second));
  };
}

const utc = { timezone: '', offset: 0 };

function beginningOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, date] = /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:$|[T ]\d\d:\d\d)/.exec(text) ?? [];
  const moment = date === undefined ? undefined : readMoment(utc, `${date}T00:00:00`, 'utc');
  // The 30th of February is no day, and not the 2nd of March.
  if (moment === undefined || !moment.utc.startsWith(date!))
    throw refused('date_range must have dates such as 2025-01-31.');
  return Date.parse(`${moment.utc}Z`);
}

const refused = (message: string) => invalidParam('date_range', { code: 'rest_invalid_date', message });

interface Words {
  readonly title: string;
  readonly alt: string;
  readonly caption: string;
  readonly description: string;
}

/** Who took a photograph, and where it was had; nothing of one that was drawn here. */
export interface Origin {
  readonly url: string;
  readonly author: string | undefined;
}

type Wanted = Pick<AttachmentArgs, 'generate_alt_text' | 'generate_caption' | 'generate_description'>;

/** Drawn in any case: what one picture is called does not depend on what else is told of it. */
function wordsBy(fake: Faker, wanted: Wanted): Words {
  const title = lineOf(fake, 3, 8);
  const [alt, caption] = [lineOf(fake, 3, 8), fake.lorem.sentence({ min: 10, max: 20 })];
  const description = fake.lorem.sentences({ min: 3, max: 5 });
  return {
    title,
    alt: wanted.generate_alt_text ? alt : '',
    caption: wanted.generate_caption ? caption : '',
    description: wanted.generate_description ? description : '',
  };
}

/** As they are kept, with whose picture it is. */
export function saidOf({ title, alt, caption, description }: Words, origin: Origin | undefined) {
  const by = origin?.author === undefined ? undefined : `photo by ${origin.author}`;
  const owed = origin === undefined ? 'Placeholder image' : `Photo by ${origin.author ?? new URL(origin.url).hostname}`;
  const lines = [caption, caption !== '' || origin !== undefined ? escapeHtml(owed) : ''];
  return {
    title,
    alt_text: alt !== '' && by !== undefined ? `${alt}, ${by}` : alt,
    excerpt: lines.filter((line) => line !== '').join('\n'),
    content: description,
  };
}

const longest = 100;

/** As a service tells it; nothing, where it tells none. */
export function authorTold(told: unknown): string | undefined {
  if (typeof told !== 'string') return undefined;
  const name = withoutSteering(told.slice(0, 1_000).toWellFormed())
    .replace(/[\s<>]+/g, ' ')
    .trim();
  return name === '' ? undefined : [...name].slice(0, longest).join('');
}
