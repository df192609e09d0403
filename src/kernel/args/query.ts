// Query strings and urlencoded forms with bracket syntax, as this family of interfaces reads and writes them.

import { plusToSpaces } from '#lib/form-encoding.ts';
import { kernelErrors } from '../errors.ts';
import type { Problem } from '../problem.ts';
import { mostInText, toList } from './checks.ts';
import { cleanText } from './json.ts';

/** What a query can say: text, a list, or an object of these. */
type QueryValue = string | QueryValue[] | { [name: string]: QueryValue };
type Query = Record<string, QueryValue>;

const mostKeys = 1000;
const mostLevels = 64;

/** `a[x]=1&a[]=2` while it is being read; `next` is the number that the next `[]` gets. */
interface Branch {
  members: Map<string, string | Branch>;
  next: number;
}

/** One value of a name: on its own as in `a=1`, or the item of a list as in `a[]=1`. */
interface Occurrence {
  readonly text: string;
  readonly isItem: boolean;
}

/** Every value of a name that was sent several times; `undefined` where it has named members, as in `a[x]=1`. */
type Occurrences = Map<string, Occurrence[] | undefined>;

/** Where a query keeps what only lists read: the values that a later one replaced. No member of the query itself. */
const repeats = Symbol('repeats');

const tooMuch = (message: string): Problem => kernelErrors.invalidParam(message).with({ params: {}, details: [] });

const newBranch = (): Branch => ({ members: new Map(), next: 0 });

/** What most queries are: names and values in which every sign stands for itself. */
const plainly = /^(?:[a-z]\w*=[\w,:-]*(?:&|$))*$/i;
const longestPlain = 256;

/** Nothing where a name is sent again. */
function plainQuery(text: string): Query | undefined {
  const out: Query = {};
  for (let from = 0; from < text.length; ) {
    const mark = text.indexOf('&', from);
    const end = mark < 0 ? text.length : mark;
    const split = text.indexOf('=', from);
    const name = text.slice(from, split);
    if (Object.hasOwn(out, name)) return undefined;
    out[name] = text.slice(split + 1, end);
    from = end + 1;
  }
  return out;
}

/** Reads the names and values in the order sent; a name sent again replaces what it said before, but see `listIn`. */
export function parseQuery(text: string): Query {
  const plain = text.length <= longestPlain && plainly.test(text) ? plainQuery(text) : undefined;
  if (plain !== undefined) return plain;
  const root = newBranch();
  const sent: Occurrences = new Map();
  let keys = 0;
  for (let from = 0; from < text.length; ) {
    const mark = text.indexOf('&', from);
    const end = mark < 0 ? text.length : mark;
    const pair = text.slice(from, end);
    from = end + 1;
    if (pair === '') continue;
    if (++keys > mostKeys) throw tooMuch(`Send at most ${mostKeys} arguments.`);
    putPair(root, sent, pair);
  }
  return withRepeats(membersOf(root), sent);
}

function withRepeats<Q extends object>(query: Q, sent: Occurrences): Q {
  if (sent.size === 0) return query;
  const several = [...sent].filter(([, values = []]) => values.length > 1 && values.some(({ isItem }) => !isItem));
  return several.length === 0 ? query : Object.defineProperty(query, repeats, { value: new Map(several) });
}

const noRepeats: Occurrences = new Map();

const repeatsIn = (query: object | undefined): Occurrences =>
  (query as { [repeats]?: Occurrences })?.[repeats] ?? noRepeats;

/** What these say together: a later one replaces what an earlier one said, and repeated names stay known. */
export const mergedQueries = (...queries: readonly (object | undefined)[]): Record<string, unknown> =>
  withRepeats(Object.assign({}, ...queries), allRepeats(queries));

function allRepeats(queries: readonly (object | undefined)[]): Occurrences {
  const some = queries.map(repeatsIn).filter(({ size }) => size > 0);
  return some.length < 2 ? (some[0] ?? noRepeats) : new Map(some.flatMap((one) => [...one]));
}

/** Every value of the names that were sent several times: for those who look at all that a handler may read. */
export const repeatedValues = (query: object): readonly (readonly [name: string, text: string])[] =>
  [...repeatsIn(query)].flatMap(([name, values = []]) => values.map(({ text }) => [name, text] as const));

/**
 * The one list that a name means which was sent several times, for an argument that takes lists: `a=1&a=2,3&a[]=4` has the items
 * 1, 2, 3 and 4. Nothing where the name was sent once, or as `a[]` only: then the query says it already.
 */
export function listIn(query: object, name: string): string[] | undefined {
  const values = repeatsIn(query).get(name);
  if (values === undefined) return undefined;
  const list: string[] = [];
  for (const { text, isItem } of values) {
    if (isItem) list.push(text);
    else for (const item of toList(text)) list.push(String(item));
    if (list.length > mostInText) throw tooMuch(`Send at most ${mostInText} items in the list ${name}.`);
  }
  return list;
}

function putPair(root: Branch, sent: Occurrences, pair: string): void {
  const split = pair.indexOf('=');
  const steps = nameIn(pair);
  if (steps.length > mostLevels) throw tooMuch(`Nest arguments at most ${mostLevels} levels deep.`);
  if (steps.length === 0 || steps.includes('__proto__')) return;
  const text = split < 0 ? '' : decode(pair.slice(split + 1));
  put(root, steps, text);
  note(sent, steps, text);
}

const isNumber = (step: string): boolean => /^(?:0|[1-9]\d{0,14})$/.test(step);

function note(sent: Occurrences, [name = '', item, ...deeper]: readonly string[], text: string): void {
  const isList = deeper.length === 0 && (item === undefined || item === '' || isNumber(item));
  const known = sent.has(name) ? sent.get(name) : [];
  if (isList) known?.push({ text, isItem: item !== undefined });
  sent.set(name, isList ? known : undefined);
}

/** The name in a pair, step by step; none where it says none. */
export const nameIn = (pair: string): string[] => stepsOf(decode(pair.split('=', 1)[0]!));

function decode(raw: string): string {
  const spaced = plusToSpaces(raw);
  if (!spaced.includes('%')) return cleanText(spaced);
  try {
    return cleanText(decodeURIComponent(spaced));
  } catch {
    return cleanText(decodeLeniently(spaced));
  }
}

/** A stray percent sign is text, and bytes that are not UTF-8 become replacement characters. */
export const decodeLeniently = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));

/** `a.b[x][]` → `['a_b', 'x', '']`; none when there is no name. */
function stepsOf(key: string): string[] {
  const name = key.trimStart();
  const open = name.indexOf('[');
  if (open < 0) return name === '' ? [] : [plain(name)];
  if (open === 0) return [];
  if (!name.includes(']', open)) return [`${plain(name.slice(0, open))}_${name.slice(open + 1)}`];
  const steps = [plain(name.slice(0, open))];
  for (let from = open; name[from] === '[' && steps.length <= mostLevels; ) {
    const close = name.indexOf(']', from);
    if (close < 0) break;
    steps.push(name.slice(from + 1, close));
    from = close + 1;
  }
  return steps;
}

const plain = (name: string): string => (/[. ]/.test(name) ? name.replace(/[. ]/g, '_') : name);

function put(root: Branch, steps: readonly string[], value: string): void {
  let branch = root;
  const last = steps.length - 1;
  for (let at = 0; at < last; at++) {
    const name = numbered(branch, steps[at] ?? '');
    const known = branch.members.get(name);
    const inner = typeof known === 'object' ? known : newBranch();
    branch.members.set(name, inner);
    branch = inner;
  }
  branch.members.set(numbered(branch, steps[last] ?? ''), value);
}

function numbered(branch: Branch, step: string): string {
  if (step === '') return String(branch.next++);
  if (isNumber(step)) branch.next = Math.max(branch.next, Number(step) + 1);
  return step;
}

function membersOf(branch: Branch): Query {
  const out: Query = {};
  for (const [name, value] of branch.members) {
    if (name !== '__proto__') out[name] = typeof value === 'string' ? value : branchValue(value);
  }
  return out;
}

/** Numbered from 0 without a gap is a list; anything else keeps its names. */
function branchValue(branch: Branch): QueryValue {
  const names = [...branch.members.keys()];
  if (!names.every((name, at) => name === String(at))) return membersOf(branch);
  return [...branch.members.values()].map((value) => (typeof value === 'string' ? value : branchValue(value)));
}

/** Writes arguments back for `Link` headers: `true` is 1, `false` and "" are the bare name, empty lists are left out. */
export const formatQuery = (entries: Iterable<readonly [name: string, value: unknown]>): string =>
  [...entries].flatMap(([name, value]) => written(name, value)).join('&');

function written(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, member]) => written(`${name}[${key}]`, member));
  const text = value === true ? '1' : value === false ? '' : String(value);
  return [text === '' ? encode(name) : `${encode(name)}=${encode(text)}`];
}

/** Forms write a blank as "+" and leave fewer characters bare than an address would. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
