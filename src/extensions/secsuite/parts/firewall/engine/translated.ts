// A pattern in the words of the linear engine: blanks and remarks left out where the flags say so, and a few signs that mean
// more to those who write patterns than to it.

/** The end, or before the line break at the end. */
const end = '(?:\\n?\\z)';

const outside: Readonly<Record<string, string>> = {
  s: '[\\s\\x0b]',
  S: '[^\\s\\x0b]',
  h: '[\\t \\xa0]',
  H: '[^\\t \\xa0]',
  R: '(?:\\r\\n|[\\n\\r\\x0b\\f])',
  e: '\\x1b',
  Z: end,
};
const inside: Readonly<Record<string, string>> = { s: '\\s\\x0b', h: '\\t \\xa0', e: '\\x1b' };

export function translated(body: string, flags: string): string {
  const isLoose = flags.includes('x');
  const hasLines = flags.includes('m') || /\(\?[a-zA-Z]*m/.test(body);
  const dollar = hasLines ? '$' : flags.includes('D') ? '\\z' : end;
  const pieces: string[] = [];
  for (let at = 0; at < body.length; ) {
    const [piece, length] = pieceAt(body, at, dollar, isLoose);
    pieces.push(piece);
    at += length;
  }
  return flags.includes('A') ? `\\A(?:${pieces.join('')})` : pieces.join('');
}

type Piece = readonly [written: string, length: number];

function pieceAt(body: string, at: number, dollar: string, isLoose: boolean): Piece {
  const sign = body.charAt(at);
  if (sign === '\\') return escaped(body, at, outside);
  if (sign === '[') return classAt(body, at);
  if (sign === '$') return [dollar, 1];
  if (body.startsWith('(?#', at)) return ['', lengthTo(body, at, ')')];
  const name = sign === '(' ? nameAt(body, at) : undefined;
  if (name !== undefined) return ['(', name.length];
  if (isLoose && /\s/.test(sign)) return ['', 1];
  if (isLoose && sign === '#') return ['', lengthTo(body, at, '\n')];
  return [sign, 1];
}

/** A group with a name, in any of three spellings. Nobody asks for the name: what a pattern found is not told. */
function nameAt(body: string, at: number): string | undefined {
  const opening = /\((?:\?P?<([A-Za-z_]\w{0,31})>|\?'([A-Za-z_]\w{0,31})')/y;
  opening.lastIndex = at;
  return opening.exec(body)?.[0];
}

function escaped(body: string, at: number, words: Readonly<Record<string, string>>): Piece {
  if (body.startsWith('\\Q', at)) {
    const close = body.indexOf('\\E', at);
    const quoted = body.slice(at, close < 0 ? body.length : close + 2);
    return [quoted, quoted.length];
  }
  const name = body.charAt(at + 1);
  return [(Object.hasOwn(words, name) ? words[name] : undefined) ?? body.slice(at, at + 2), 2];
}

/** A set of signs, to its end. */
function classAt(body: string, from: number): Piece {
  const opening = /^\[\^?\]?/.exec(body.slice(from, from + 3))![0];
  const pieces = [opening.endsWith(']') ? `${opening.slice(0, -1)}\\]` : opening];
  for (let at = from + opening.length; at < body.length; ) {
    const sign = body.charAt(at);
    const named = sign === '[' ? /^\[:\^?[a-z]+:\]/.exec(body.slice(at, at + 16))?.[0] : undefined;
    const [piece, length] = sign === '\\' ? escaped(body, at, inside) : [named ?? sign, named?.length ?? 1];
    pieces.push(piece);
    at += length;
    if (sign === ']') return [pieces.join(''), at - from];
  }
  return [pieces.join(''), body.length - from];
}

function lengthTo(body: string, from: number, sign: string): number {
  const found = body.indexOf(sign, from);
  return (found < 0 ? body.length : found + 1) - from;
}
