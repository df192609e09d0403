// How the blocks of the site are written as HTML.
import { escapeHtml } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { balanced } from '../balanced.ts';

// What somebody wrote into the mark of a block, read as what it has to be: nobody vouches for any of it.

/** `usual` for what is no number, and nothing beyond the bounds. */
export function wholeIn(said: unknown, [least, most]: readonly [number, number], usual: number): number {
  if (typeof said !== 'number' || Number.isNaN(said)) return usual;
  return Math.min(Math.max(Math.floor(said), least), most);
}

export const isSet = (said: unknown, usual = false): boolean => (typeof said === 'boolean' ? said : usual);

/** One of these; the first for anything else. */
export const choiceOf = <const T extends string>(said: unknown, [usual, ...others]: readonly [T, ...T[]]): T =>
  others.find((one) => one === said) ?? usual;

/** As many characters of it as anybody needs. */
export const textIn = (said: unknown, most = 200): string =>
  typeof said === 'string' ? said.slice(0, most).toWellFormed() : '';

/** Numbers of records, each once; also those of objects that have one. */
export function idsIn(said: unknown, most: number): number[] {
  const list = Array.isArray(said) ? said.slice(0, most) : [said];
  const ids = list.map((one: unknown) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : one));
  return [...new Set(ids)].filter((id): id is number => Number.isSafeInteger(id) && (id as number) > 0);
}

const classes = { longest: 1000, most: 20 };

/** The classes somebody gave it: words without any sign that means something in HTML. */
const classesIn = (said: unknown): string[] =>
  textIn(said, classes.longest)
    .split(/\s+/)
    .filter((word) => /^[\w-]+$/.test(word))
    .slice(0, classes.most);

export type Attributes = Readonly<Record<string, unknown>>;

const sides = ['', 'left', 'center', 'right', 'wide', 'full'] as const;

/** The class of the block, with those that are its own before and those somebody chose behind. */
export function classOf(name: string, { align, textAlign, className }: Attributes, ...own: (string | false)[]): string {
  const [side, text] = [choiceOf(align, sides), choiceOf(textAlign, ['', 'left', 'center', 'right'])];
  const all = [
    ...own,
    text !== '' && `has-text-align-${text}`,
    `wp-block-${name}`,
    side !== '' && `align${side}`,
    ...classesIn(className),
  ];
  return ` class="${all.filter((one) => one !== false).join(' ')}"`;
}

/** HTML of other records: it ends what it begins, and what looks like a shortcode in it is none of this text. */
export const quoted = (html: string): string => unbracketed(balanced(html));

/** Text as HTML, also in attributes. */
export const worded = (text: string): string => unbracketed(escapeHtml(text));

const unbracketed = (html: string): string => html.replaceAll('[', '&#91;');

/** What it says, without its tags. */
export const saidIn = (html: string): string => readText(html).replace(/\s+/g, ' ').trim();
