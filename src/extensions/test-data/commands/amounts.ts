// How much of everything a site is filled with: as the command line says, or what makes one worth looking at.

import { type Ask, type Option, WrongUse } from '#cli/command.ts';
import { keysOf } from '#lib/objects.ts';

/** So many where nobody says, and at most in one run. */
const bounds = {
  terms: [18, 1_000],
  users: [8, 1_000],
  media: [20, 100],
  pages: [5, 100],
  posts: [50, 900],
  comments: [100, 1_000],
} as const;

type Name = keyof typeof bounds;
export type Wanted = Readonly<Record<Name, number>>;

const names = keysOf(bounds);

const meant: Readonly<Record<Name, string>> = {
  terms: 'How many categories and tags',
  users: 'How many users',
  media: 'How many pictures for the media library',
  pages: 'How many pages',
  posts: 'How many posts',
  comments: 'How many comments under these posts; a tenth of them waits for a decision',
};

const optionOf = (name: Name): Option => {
  const [usual, most] = bounds[name];
  return { value: 'N', meaning: `${meant[name]} (default: ${usual}, at most ${most})` };
};

export const amounts = Object.fromEntries(names.map((name) => [name, optionOf(name)]));

/** Refuses what cannot be meant before anything is opened. */
export function wantedOf({ options }: Pick<Ask, 'options'>): Wanted {
  const wanted = Object.fromEntries(names.map((name) => [name, amountOf(name, options[name])])) as Wanted;
  if (wanted.posts > 0) return wanted;
  if (options.comments !== undefined && wanted.comments > 0)
    throw new WrongUse('Comments are made under the posts of the same run, and --posts 0 makes none.');
  return { ...wanted, comments: 0 };
}

function amountOf(name: Name, said: string | undefined): number {
  const [usual, most] = bounds[name];
  if (said === undefined) return usual;
  if (/^\d{1,9}$/.test(said) && Number(said) <= most) return Number(said);
  throw new WrongUse(`--${name} takes a number from 0 to ${most}.`);
}

const longest = 64;

/** The one given; nothing, where none is. */
export function seedOf({ options: { seed } }: Pick<Ask, 'options'>): string | undefined {
  if (seed !== undefined && [...seed].length > longest)
    throw new WrongUse(`--seed takes a text of at most ${longest} characters.`);
  return seed;
}
