// When a value is what a condition looks for: one entry for each kind of match.
// Values are compared as forms send them: "10" is 10, and any word is true.
import { eachToken, meaning } from '#lib/html-tokens.ts';
import { filterPost } from '#site/content/filter/filter.ts';
import { addresses } from '#site/content/filter/lists.ts';
import { keyPath, lookUp } from './parameter.ts';
import type { Finding, Pattern } from './patterns.ts';
import { longestInspected, type Match, most } from './rule.ts';
import { type Run, spend, spendOn } from './run.ts';
import {
  isContainer,
  isScalar,
  isTrue,
  lowered,
  lowerOf,
  type Subject,
  subjectOf,
  textOf,
  wordsOf,
} from './subject.ts';

const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;

/** Words are told from numbers by how they begin. */
export const isNumeric = (text: string): boolean => text.charCodeAt(0) < 58 && numeric.test(text);

export type Matcher = (subject: Subject, run: Run) => boolean;

/** What matchers are made with. */
export interface Kit {
  /** Nothing for a pattern that cannot be read. */
  pattern(written: unknown): Pattern | undefined;
}

type Maker = (match: Match, kit: Kit, level: number) => Matcher;

const never: Matcher = () => false;

export const isMatchType = (type: unknown): boolean => typeof type === 'string' && Object.hasOwn(makers, type);

/** Those that stand too deep in others never match. */
export const matcherOf = (match: Match | undefined, kit: Kit, level: number): Matcher =>
  match !== undefined && match !== null && isMatchType(match.type) && level <= most.levels
    ? makers[match.type]!(match, kit, level)
    : never;

/** Of texts, numbers and truths alone. */
const ofText =
  (test: (text: string) => boolean): Matcher =>
  ({ text }, run) => {
    if (text === undefined) return false;
    spendOn(run, text);
    return test(text);
  };

const needleOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? '' : isScalar(value) ? lowered(textOf(value)) : undefined;

function contains({ value }: Match): Matcher {
  const needle = needleOf(value);
  if (needle === undefined) return never;
  return (subject, run) => isIn(needle, subject, run) === true;
}

function containsNot({ value }: Match): Matcher {
  const needle = needleOf(value);
  if (needle === undefined) return never;
  return (subject, run) => isIn(needle, subject, run) === false;
}

/** Nothing where the value is no text. */
function isIn(needle: string, subject: Subject, run: Run): boolean | undefined {
  const text = wordsOf(subject);
  if (text === undefined) return undefined;
  spendOn(run, text);
  return lowerOf(subject).includes(needle);
}

/** Whether a text is clean, as asked for; an empty one is neither. */
function clean(test: (text: string) => boolean): Maker {
  return ({ value }) => (typeof value === 'boolean' ? ofText((text) => text !== '' && test(text) === value) : never);
}

/** Looked for is what should not be there: where all of a long text has to fit, too much is kept for going back over it. */
const isPlain = (text: string): boolean => !/[^\w$\u0080-\ud7ff\ue000-\ufffc\ufffe\uffff\p{L}]/u.test(text);
const isSpaced = (text: string): boolean => !/[^\w$\u0080-\ud7ff\ue000-\ufffc\ufffe\uffff\p{L} ,-]/u.test(text);

const quotes: Maker = () => ofText((text) => /["']/.test(text));

const ordered =
  (test: (order: number) => boolean): Maker =>
  ({ value }) =>
  (subject) => {
    const order = looselyOrdered(subject.value, value);
    return order !== undefined && test(order);
  };

/** Nothing for what is no single value. */
function isListed(list: readonly unknown[], { value, text = '' }: Subject, run: Run): boolean | undefined {
  if (isContainer(value)) return undefined;
  spendOn(run, text);
  spend(run, list.length >> 4);
  return list.some(looselyEqualTo(value));
}

function isFound(finding: Finding, run: Run): boolean {
  if (finding === 'unsure') run.tooLong = true;
  return finding === true;
}

function inspected({ value }: Match, kit: Kit): Matcher {
  const pattern = kit.pattern(value);
  if (pattern === undefined) return never;
  return (subject, run) => {
    const text = wordsOf(subject);
    if (text === undefined) return false;
    spend(run, 1 + (text.length >> 7));
    return isFound(pattern.find(subject), run);
  };
}

const dangerous: Matcher = ({ text }, run) => {
  if (text === undefined) return false;
  spend(run, 1 + (text.length >> 5));
  if (text.length <= longestInspected) return isDangerous(text);
  const ends = [text.slice(0, longestInspected), text.slice(-longestInspected)];
  return isFound(ends.some(isDangerous) || 'unsure', run);
};

function ofKeys({ key, match }: Match, kit: Kit, level: number): Matcher {
  const paths = [key ?? []].flat().flatMap((one) => (typeof one === 'string' ? (keyPath(one) ?? []) : []));
  const inner = matcherOf(match, kit, level + 1);
  return ({ value }, run) =>
    isContainer(value) &&
    paths.some((path) => {
      const found = lookUp(value, path);
      spend(run, found.length);
      return found.some((one) => inner(subjectOf(one), run));
    });
}

function ofContents({ match }: Match, kit: Kit, level: number): Matcher {
  const inner = matcherOf(match, kit, level + 1);
  return ({ value }, run) => {
    const contents = isContainer(value) ? run.view.contentsOf(value) : undefined;
    return contents !== undefined && contents.text !== '' && inner(contents, run);
  };
}

function currentUserCannot({ value }: Match): Matcher {
  if (!isScalar(value)) return never;
  const name = textOf(value);
  return (_, { pass, user }) => pass !== 'early' && !(user?.can(name) || user?.roles.includes(name));
}

const texts = (value: unknown): string[] =>
  isContainer(value) ? Object.values(value).flatMap((one) => (isScalar(one) ? [textOf(one)] : [])) : [];

const makers: Readonly<Record<string, Maker>> = {
  isset: () => () => true,
  equals:
    ({ value }) =>
    (subject) =>
      subject.value !== null && looselyEqual(subject.value, value),
  equals_strict: ({ value }) => (isScalar(value) ? (subject) => subject.value === value : never),
  more_than: ordered((order) => order > 0),
  less_than: ordered((order) => order < 0),
  contains,
  stripos: contains,
  not_contains: containsNot,
  quotes,
  inline_js_xss: quotes,
  inline_xss: () => ofText((text) => /["']/.test(text) && /[>=]/.test(text)),
  regex: inspected,
  ctype_digit: clean((text) => !/\D/.test(text)),
  ctype_alnum: clean(isPlain),
  ctype_special: clean(isSpaced),
  is_numeric: clean(isNumeric),
  in_array: ({ value }) => (Array.isArray(value) ? (subject, run) => isListed(value, subject, run) === true : never),
  not_in_array: ({ value }) =>
    Array.isArray(value) ? (subject, run) => isListed(value, subject, run) === false : never,
  /** A list that is sent may leave numbers out, and is a map then. */
  array_in_array: ({ value }) => {
    const wanted = new Set(Array.isArray(value) ? texts(value) : []);
    return (subject) => texts(subject.value).some((one) => wanted.has(one));
  },
  array_key_value: ofKeys,
  hostname:
    () =>
    (subject, { view }) =>
      typeof subject.value === 'string' && leadsAway(subject.value, view.asked.siteHost),
  file_contains: ofContents,
  current_user_cannot: currentUserCannot,
  general_xss: () => dangerous,
};

/** A tag, an attribute, or the scheme of an address. */
const isDangerous = (html: string): boolean =>
  html.includes('<') && signsOf(html).join('\n') !== signsOf(filterPost(html)).join('\n');

function signsOf(html: string): string[] {
  const signs: string[] = [];
  eachToken(html.replaceAll('\0', ''), (token) => {
    if (token.kind === 'close') signs.push(`/${token.name}`);
    if (token.kind !== 'open') return;
    signs.push(token.name);
    for (const { name, written } of token.attributes)
      signs.push(isAddress(name) ? `${name} ${meaning(written).split(':').length}` : name);
  });
  return signs;
}

const isAddress = (name: string): boolean => addresses.has(name) || name === 'srcset';

const named = /^https?:\/\/([^/?#]*)/i;

function leadsAway(address: string, siteHost: string): boolean {
  if (address === '') return false;
  const [, authority = ''] = named.exec(/^http/i.test(address) ? address : `https://${address}`) ?? [];
  const [, host] =
    /^(\[[\da-f:.]+\]|[^\s\\:[\]]+)(?::\d*)?$/i.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  return host?.toLowerCase() !== siteHost.toLowerCase() || /[\\\p{Cc}]/u.test(authority);
}

const numberOf = (value: string | number): number | undefined =>
  typeof value === 'number' ? value : isNumeric(value) ? Number(value) : undefined;

/** Less than 0 where `one` comes first; two that are equal make 0. */
export function looselyOrdered(one: unknown, other: unknown): number | undefined {
  if (!isScalar(one) || !isScalar(other)) return undefined;
  if (typeof one === 'boolean' || typeof other === 'boolean') return Number(isTrue(one)) - Number(isTrue(other));
  if (one === other) return 0;
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left === right ? 0 : left - right;
  return Buffer.compare(Buffer.from(textOf(one)), Buffer.from(textOf(other)));
}

export const looselyEqual = (one: unknown, other: unknown): boolean => looselyEqualTo(one)(other);

/** Nothing equals "", `false` and 0. Which number a text is, is worked out once, however many it is compared with. */
export function looselyEqualTo(one: unknown): (other: unknown) => boolean {
  if (one === null) return (other) => other === '' || other === false || other === 0;
  if (!isScalar(one)) return () => false;
  let known: { readonly number: number | undefined } | undefined;
  const number = (): number | undefined => {
    if (typeof one === 'boolean') return undefined;
    known ??= { number: numberOf(one) };
    return known.number;
  };
  return (other) => {
    if (!isScalar(other)) return false;
    if (typeof one === 'boolean' || typeof other === 'boolean') return isTrue(one) === isTrue(other);
    return one === other || (number() !== undefined && number() === numberOf(other));
  };
}
