// Query strings and urlencoded forms with bracket syntax, as this family of interfaces reads and writes them.

import { blanked } from '#lib/plus.ts';
import { Problem } from '../problem.ts';
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

const tooMuch = (message: string): Problem =>
  new Problem(400, 'rest_invalid_param', message, { params: {}, details: [] });

const newBranch = (): Branch => ({ members: new Map(), next: 0 });

/** What most queries are: names and values in which every sign stands for itself. */
const plainly = /^(?:[a-z]\w*=[\w,:-]*(?:&|$))*$/i;
const longestPlain = 256;

function plainQuery(text: string): Query {
  const out: Query = {};
  for (let from = 0; from < text.length; ) {
    const mark = text.indexOf('&', from);
    const end = mark < 0 ? text.length : mark;
    const split = text.indexOf('=', from);
    out[text.slice(from, split)] = text.slice(split + 1, end);
    from = end + 1;
  }
  return out;
}

/** Reads the names and values in the order sent; a name sent again replaces what it said before. */
export function parseQuery(text: string): Query {
  if (text.length <= longestPlain && plainly.test(text)) return plainQuery(text);
  const root = newBranch();
  let keys = 0;
  for (let from = 0; from < text.length; ) {
    const mark = text.indexOf('&', from);
    const end = mark < 0 ? text.length : mark;
    const pair = text.slice(from, end);
    from = end + 1;
    if (pair === '') continue;
    if (++keys > mostKeys) throw tooMuch(`Please send fewer arguments; at most ${mostKeys} are read.`);
    putPair(root, pair);
  }
  return membersOf(root);
}

function putPair(root: Branch, pair: string): void {
  const split = pair.indexOf('=');
  const steps = nameIn(pair);
  if (steps.length > mostLevels) throw tooMuch(`Please nest arguments at most ${mostLevels} levels deep.`);
  if (steps.length === 0 || steps.includes('__proto__')) return;
  put(root, steps, split < 0 ? '' : decode(pair.slice(split + 1)));
}

/** The name in a pair, step by step; none where it says none. */
export const nameIn = (pair: string): string[] => stepsOf(decode(pair.split('=', 1)[0]!));

function decode(raw: string): string {
  const spaced = blanked(raw);
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
  if (/^(?:0|[1-9]\d{0,14})$/.test(step)) branch.next = Math.max(branch.next, Number(step) + 1);
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
