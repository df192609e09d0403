// What a condition may do to a value before it looks at it.
import { blockAttributes, shortcodeAttributes } from './markup.ts';
import { longestMutated, most } from './rule.ts';
import { isContainer, isScalar, isTrue, textOf, urlDecoded } from './texts.ts';

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
