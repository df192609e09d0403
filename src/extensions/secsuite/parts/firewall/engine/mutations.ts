// What a condition may do to a value before it looks at it.
// Shortcodes and blocks in a text are read as what they say of themselves.
import { attributesOf, fullName, piecesOf } from '#site/content/rendering/blocks.ts';
import { attributesIn } from '#site/content/rendering/shortcodes/said.ts';
import { longestMutated, most } from './rule.ts';
import { isContainer, isRecord, isScalar, isTrue, textOf, urlDecoded } from './subject.ts';

/** In the place of a text that is too long to be worked with. */
export const tooMuch = Symbol('too much');

export type Mutate = (value: unknown) => unknown;

/** What each makes of a value; `undefined` where it is none for it. */
const mutations: Readonly<Record<string, Mutate>> = {
  json_decode: (value) => (typeof value === 'string' ? parsed(value) : undefined),
  json_encode: (value) => encoded(value),
  base64_decode: (value) => (typeof value === 'string' ? fromBase64(value) : undefined),
  urldecode: (value) => (typeof value === 'string' ? urlDecoded(value) : undefined),
  intval: (value) => (isScalar(value) ? leadingInteger(textOf(value)) : undefined),
  getArrayValues: (value) => (isContainer(value) ? leavesOf(value) : undefined),
  getShortcodeAtts: (value) => (typeof value === 'string' ? shortcodeAttributes(value) : undefined),
  getBlockAtts: (value) => (typeof value === 'string' ? blockAttributes(value) : undefined),
};

export const isMutation = (name: unknown): boolean => typeof name === 'string' && Object.hasOwn(mutations, name);

/** One after the other, until nothing is left to go on with. A list with a name that nobody knows does nothing. */
export function mutating(names: readonly string[]): Mutate {
  if (!names.every(isMutation)) return (value) => value;
  if (names.length > most.mutations) return () => tooMuch;
  const steps = names.map((name) => mutations[name]!);
  return (value) => {
    let now = value;
    for (const step of steps) {
      if (isTooLong(now)) return tooMuch;
      const next = step(now);
      if (next !== undefined) now = next;
      if (now === null || now === false || now === 0 || now === tooMuch) return now;
    }
    return isTooLong(now) ? tooMuch : now;
  };
}

const isTooLong = (value: unknown): boolean => typeof value === 'string' && value.length > longestMutated;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Deeper values than anybody takes are not written out. */
const deepest = 512;

function encoded(value: unknown): string | false {
  if (isDeeper(value, deepest)) return false;
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((one) => (isContainer(one) ? Object.values(one).filter(isContainer) : []));
  }
  return false;
}

const fromBase64 = (text: string): string =>
  Buffer.from(text.replace(/[^A-Za-z0-9+/]+/g, ''), 'base64').toString('utf8');

function leadingInteger(text: string): number {
  const [leading] = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(text) ?? ['0'];
  const number = Math.trunc(Number(leading));
  return Number.isFinite(number) && number !== 0 ? number : 0;
}

/** `key=value` of all that is no map or list, however deep it stands. */
function leavesOf(root: object): string | typeof tooMuch {
  const pieces: string[] = [];
  const open = [Object.entries(root).values()];
  let length = 0;
  while (open.length > 0) {
    const { value: entry } = open.at(-1)!.next();
    if (entry === undefined) {
      open.pop();
      continue;
    }
    const [name, value] = entry;
    if (isContainer(value)) open.push(Object.entries(value).values());
    else if (isScalar(value) && isTrue(value))
      length += pieces[pieces.push(`${name}=${textOf(value)}`) - 1]!.length + 1;
    if (length > longestMutated) return tooMuch;
  }
  return pieces.join('&');
}

type Said = Record<string, unknown>;

const newSaid = (): Said => Object.create(null) as Said;

/** Nobody writes more of them into one text. */
const mostTags = 5_000;

const tag = /\[([^\s[\]<>&/="'\0]+)(?=[\s/\]])([^[\]]*)\]/g;

/** By name; those that say nothing are an empty text, and what is said again is added to what was said. */
export function shortcodeAttributes(text: string): Said {
  const all = newSaid();
  for (const [, name = '', inner = ''] of text.matchAll(tag).take(mostTags)) {
    const said = inner.endsWith('/') ? inner.slice(0, -1) : inner;
    const attributes = Object.entries(attributesIn({ text: said, searched: said, start: 0, end: said.length }));
    all[name] ??= '';
    if (attributes.length === 0) continue;
    const known = isRecord(all[name]) ? all[name] : newSaid();
    for (const [key, value] of attributes) known[key] = `${known[key] ?? ''}${isOpen(value) ? '' : value}`;
    all[name] = known;
  }
  return all;
}

/** Whether a tag begins in it that does not end. */
const isOpen = (value: string): boolean => value.lastIndexOf('<') > value.lastIndexOf('>');

/** By name, those within others too; of those that come again, what they say is added to what was said. */
export function blockAttributes(text: string): Said {
  const all = newSaid();
  for (const { mark } of piecesOf(text)) {
    if (mark === undefined || mark.ends) continue;
    const name = fullName(mark.name);
    all[name] ??= newSaid();
    addTo(all[name] as Said, attributesOf(mark), 0);
  }
  return all;
}

const deepestField = 64;

function addTo(said: Said, more: object, depth: number): void {
  for (const [name, value] of Object.entries(more))
    said[name] = joined(Object.hasOwn(said, name) ? said[name] : undefined, value, depth);
}

/** Lists and records were read a moment ago and are nobody else's, so they are added to where they are: copies would be slow. */
function joined(known: unknown, value: unknown, depth: number): unknown {
  if (known === undefined || known === null) return value;
  if (isScalar(known) && isScalar(value)) return textOf(known) + textOf(value);
  if (Array.isArray(known) && Array.isArray(value)) {
    for (const one of value) known.push(one);
    return known;
  }
  if (!isRecord(known) || !isRecord(value) || depth >= deepestField) return [known, value];
  addTo(known, value, depth + 1);
  return known;
}
