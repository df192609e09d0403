// Blocks and shortcodes that are made when they are shown. What they show is looked up first, for all there are; then they are
// written, which asks nobody anything: so what is made of the same text and the same finds is the same, and made once.
import type { Post } from '../posts/post.ts';

export interface Asked {
  /** As they were written; nobody vouches for their types. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The record in whose text it stands. */
  readonly of: Post | undefined;
  /** The reader can edit that record. */
  readonly forEditor?: boolean | undefined;
}

export interface Placed extends Asked {
  /** What stands in it: of a block as it is shown, of a shortcode as it was written. */
  readonly inner: string;
  readonly page: Page;
}

/** The whole of what is being written. */
export interface Page {
  /** The next number of its kind, from 1. */
  next(kind: string): number;
  /** This id, or with a number behind it where it was given before. */
  unique(id: string): string;
  /** The shortcodes in a piece of text. */
  shortcodes(text: string): string;
}

/** `Found` has to be data: what was found is compared by what it says. */
export interface Live<Found = unknown> {
  /** Word of these topics may make it find another. */
  readonly rests?: readonly string[];
  /** How many that differ are looked up for one text, where that is dear. */
  readonly most?: number;
  /** The attributes that `find` looks at, where those are not all: however the others differ, it is looked up once. */
  readonly reads?: readonly string[];
  /** It is written also where nothing was looked up for it, such as in what stands for an address: then nothing was found. */
  readonly always?: true;
  find?(asked: Asked): Promise<Found>;
  write(placed: Placed, found: Found): string;
}

/** One whose finds are known to itself alone. */
export const live = <Found>(one: Live<Found>): Live => one as Live;
