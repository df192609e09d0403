// What a text must hold for a pattern to be found in it: one of these, in small letters. A text without any of them need not be
// searched. Where the pattern does not tell, nothing is said, and every text is searched.

/** One of them stands in every text that matches. */
type Needles = readonly string[];

/** More of them are no quicker to look for than the pattern itself. */
const mostNeedles = 24;
const deepest = 100;

export function needlesOf(source: string): Needles | undefined {
  if (source.includes('\\Q')) return undefined;
  const reading: Reading = { source, at: 0, depth: 0 };
  const needles = alternatives(reading);
  return reading.at === source.length && needles !== undefined && needles.length <= mostNeedles ? needles : undefined;
}

interface Reading {
  readonly source: string;
  at: number;
  depth: number;
}

/** `one|other`: whatever each of them needs. */
function alternatives(reading: Reading): Needles | undefined {
  let all: Needles | undefined = sequence(reading);
  while (reading.source[reading.at] === '|') {
    reading.at++;
    const other = sequence(reading);
    all = all && other && [...all, ...other];
  }
  return all;
}

/** One after the other: the best of what they need. */
function sequence(reading: Reading): Needles | undefined {
  let best: Needles | undefined;
  let run = '';
  const offer = (needles: Needles | undefined): void => {
    if (needles !== undefined && worth(needles) > worth(best)) best = needles;
  };
  const close = (): void => {
    if (run !== '') offer([run]);
    run = '';
  };
  while (reading.at < reading.source.length && !/[|)]/.test(reading.source[reading.at]!)) {
    const atom = atomAt(reading);
    const repeat = repeatAt(reading);
    if (typeof atom === 'string' && repeat === 'once') run += atom;
    else if (typeof atom === 'string' && repeat === 'more') {
      run += atom;
      close();
    } else {
      close();
      if (repeat !== 'maybe' && typeof atom === 'object') offer(atom);
    }
  }
  close();
  return best;
}

/** Long ones are rare; a few are looked for quickly. */
const worth = (needles: Needles | undefined): number =>
  needles === undefined ? 0 : Math.min(...needles.map(({ length }) => length)) * 8 - Math.min(needles.length, 7);

/** A sign, what a group needs, or nothing that tells. */
type Atom = string | Needles | undefined;

function atomAt(reading: Reading): Atom {
  const { source } = reading;
  const sign = source[reading.at]!;
  if (sign === '\\') return escapeAt(reading);
  if (sign === '[') return skip(reading, /\[\^?\]?(?:\\[\s\S]|\[:\^?[a-z]+:\]|[^\]\\])*\]?/y);
  if (sign === '(') return groupAt(reading);
  reading.at++;
  return '.^$*+?'.includes(sign) ? undefined : literal(sign);
}

const literal = (sign: string): string | undefined => (sign >= ' ' && sign <= '~' ? sign.toLowerCase() : undefined);

function escapeAt(reading: Reading): Atom {
  const name = reading.source[reading.at + 1] ?? '';
  if (/[^\w]/.test(name)) {
    reading.at += 2;
    return literal(name);
  }
  return skip(reading, /\\(?:x(?:\{[^}]*\}|[\da-fA-F]{2})|[pP](?:\{[^}]*\}|.)|[0-7]{1,3}|[\s\S]|$)/y);
}

function skip(reading: Reading, what: RegExp): undefined {
  what.lastIndex = reading.at;
  reading.at += Math.max(1, what.exec(reading.source)?.[0].length ?? 1);
}

function groupAt(reading: Reading): Atom {
  const opening = /\((?:\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+(?=\))))?/y;
  opening.lastIndex = reading.at;
  reading.at += opening.exec(reading.source)![0].length;
  if (++reading.depth > deepest) {
    reading.at = reading.source.length + 1;
    return undefined;
  }
  const needles = alternatives(reading);
  reading.depth--;
  reading.at++;
  return needles;
}

/** Once, at least once, or perhaps not at all. */
function repeatAt(reading: Reading): 'once' | 'more' | 'maybe' {
  const sign = /(?:(?:[*+?]|\{\d+(?:,\d*)?\})\??)+/y;
  sign.lastIndex = reading.at;
  const [found] = sign.exec(reading.source) ?? [];
  if (found === undefined) return 'once';
  reading.at += found.length;
  return /^(?:\+|\{0*[1-9]\d*(?:,\d*)?\})\??$/.test(found) ? 'more' : 'maybe';
}
