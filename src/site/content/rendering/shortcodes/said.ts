// What shortcodes say, read with bounds: it comes from whoever writes a text, and goes into HTML.
import { meaning } from '#lib/html-tokens.ts';

/** What a shortcode says of itself: `name="value"`, `name='value'`, `name=value`, or a value alone. */
const attribute =
  /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s'"]+))(?=\s|$)|"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/dg;

/** A stretch of a text, and of the same text as it is searched. */
export interface Stretch {
  readonly text: string;
  readonly searched: string;
  readonly start: number;
  readonly end: number;
}

/** By name, in small letters; those without one by their place, from 0. */
export function attributesIn({ text, searched, start, end }: Stretch): Record<string, string> {
  const said: [string, string][] = [];
  let place = 0;
  for (const { 1: name, indices } of searched.slice(start, end).matchAll(attribute)) {
    const [from, until] = indices!.findLast((one) => one !== undefined)!;
    const value = unbroken(text.slice(start + from, start + until));
    said.push([name === undefined ? String(place++) : name.toLowerCase(), value]);
  }
  return Object.fromEntries(said);
}

/** Without the breaks that lines are given by paragraphs. */
const unbroken = (value: string): string =>
  value.includes('\n')
    ? value
        .split('\n')
        .map((line, at, { length }) => (at === length - 1 ? line : line.trimEnd().replace(/<br \/>$/, '')))
        .join('\n')
    : value;

const textOf = (said: unknown): string => (typeof said === 'string' ? meaning(said).trim() : '');

/** A whole number, at most so large; nothing for anything else. */
export function numberOf(said: unknown, most: number): number | undefined {
  const [digits] = /^\d{1,15}(?=\D|$)/.exec(textOf(said)) ?? [];
  return digits === undefined ? undefined : Math.min(Number(digits), most);
}

/** The numbers in a list. */
export const numbersOf = (said: unknown, most: number): number[] =>
  Array.from(textOf(said).matchAll(/\d+/g).take(most), ([digits]) => Number(digits)).filter(Number.isSafeInteger);

/** Nobody says more or longer ones, and each may be shown with every picture. */
const mostClasses = 20;
const longestClass = 100;

/** Names that may stand in the attribute for classes, or be an id. */
export const classesOf = (said: unknown): string[] =>
  textOf(said)
    .split(/\s+/, mostClasses)
    .map((name) => name.replace(/[^\w-]/g, '').slice(0, longestClass))
    .filter((name) => name !== '');

/** One of the words that mean something here. */
export function wordOf<Word extends string>(said: unknown, words: readonly Word[]): Word | undefined {
  const word = textOf(said).toLowerCase();
  return words.find((one) => one === word);
}

const no = new Set(['', '0', 'false', 'no', 'off']);

export const isWanted = (said: unknown): boolean => !no.has(textOf(said).toLowerCase());

export interface Address {
  /** As it was written. */
  readonly text: string;
  readonly path: string;
}

/** Of a page or a file, in full or from the root of the site: whatever else an address may do is no address here. */
export function addressOf(said: unknown, site: string): Address | undefined {
  const text = textOf(said).replaceAll(' ', '%20');
  if (text.length > longest || !/^(?:https?:\/\/|\/)[^\s"<>]+$/i.test(text)) return undefined;
  const url = URL.parse(text, site);
  return url !== null && /^https?:$/.test(url.protocol) ? { text, path: url.pathname } : undefined;
}

/** No browser goes to a longer one. */
const longest = 8_192;
