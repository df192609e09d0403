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
  terms: 'Number of categories and tags',
  users: 'Number of users',
  media: 'Number of pictures for the media library',
  pages: 'Number of pages',
  posts: 'Number of posts',
  comments: 'Number of comments on these posts; 10 % of them wait for approval',
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
    throw new WrongUse('Comments need posts of the same run, so give more than 0 --posts or --comments 0.');
  return { ...wanted, comments: 0 };
}

function amountOf(name: Name, said: string | undefined): number {
  const [usual, most] = bounds[name];
  if (said === undefined) return usual;
  if (/^\d{1,9}$/.test(said) && Number(said) <= most) return Number(said);
  throw new WrongUse(`--${name} must be a number from 0 to ${most}.`);
}

const longest = 64;

/** The one given; nothing, where none is. */
export function seedOf({ options: { seed } }: Pick<Ask, 'options'>): string | undefined {
  if (seed !== undefined && [...seed].length > longest)
    throw new WrongUse(`--seed can have at most ${longest} characters.`);
  return seed;
}
