// What is told of a picture that shows nothing.
import type { Faker } from '@faker-js/faker';
import { escapeHtml } from '#lib/html.ts';
import { withoutSteering } from '#lib/printable.ts';
import { lineOf } from '../words.ts';
import type { AttachmentArgs } from './args.ts';

export interface Words {
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
export function wordsBy(fake: Faker, wanted: Wanted): Words {
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
