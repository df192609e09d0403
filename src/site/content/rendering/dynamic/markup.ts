// How the blocks of the site are written as HTML.
import { escapeHtml } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { balanced } from '../balanced.ts';
import { choiceOf, classesIn } from './attributes.ts';

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
