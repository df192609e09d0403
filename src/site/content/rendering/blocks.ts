// Content made of blocks: marks in comments say where each begins and ends.
import { type Mark, markOf } from '../marks.ts';

type Piece = { readonly text: string; readonly mark?: never } | { readonly mark: Mark; readonly text?: never };

/** Marks, and what stands between them. */
export function* piecesOf(content: string): Generator<Piece> {
  let from = 0;
  let at = content.indexOf('<!--');
  while (at >= 0) {
    const end = content.indexOf('-->', at);
    if (end < 0) break;
    const mark = markOf(content.slice(at + 4, end));
    if (mark !== undefined) {
      if (at > from) yield { text: content.slice(from, at) };
      yield { mark };
      from = end + 3;
    }
    at = content.indexOf('<!--', end + 3);
  }
  if (from < content.length) yield { text: content.slice(from) };
}

export const hasBlocks = (content: string): boolean => content.includes('<!-- wp:');

/** In full: those of the house are written without it. */
export const fullName = (name: string): string => (name.includes('/') ? name : `core/${name}`);

/** What cannot be read says nothing. */
export function attributesOf({ attributes }: Mark): Readonly<Record<string, unknown>> {
  if (attributes === undefined) return none;
  try {
    return JSON.parse(attributes) as Record<string, unknown>;
  } catch {
    return none;
  }
}

const none = Object.freeze({});

interface Marked {
  readonly mark: Mark;
}

/** `within`: those it stands in, the outermost first. */
export type WriteBlock = (mark: Mark, inner: string, within: readonly Marked[]) => string;

/** A block that holds others, while what it holds is being written. */
interface Open extends Marked {
  inner: string;
}

/** From the inside out, each once, given what stands in it: no text is too deep for that. */
export function eachWritten(content: string, write: WriteBlock): string {
  const open: Open[] = [];
  let whole = '';
  const say = (html: string): void => {
    const within = open.at(-1);
    if (within === undefined) whole += html;
    else within.inner += html;
  };
  const end = (): void => {
    const { mark, inner } = open.pop()!;
    say(write(mark, inner, open));
  };
  for (const { text, mark } of piecesOf(content)) {
    if (text !== undefined) say(text);
    else if (mark.isAlone) say(write(mark, '', open));
    else if (!mark.ends) open.push({ mark, inner: '' });
    else if (open.length > 0) end();
  }
  while (open.length > 0) end();
  return whole;
}
