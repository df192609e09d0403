// What a picture is to be, as far as it is drawn: how large, of which kind, what is told of it, whose it is.
import type { Draws } from '#lib/draws.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import type { Fake } from '../fake.ts';
import type { AttachmentArgs, FileType } from './args.ts';
import type { Dating } from './dates.ts';
import { type Words, wordsBy } from './words.ts';

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
