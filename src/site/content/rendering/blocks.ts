// Content made of blocks: marks in comments say where each begins and ends.
import { type Mark, markOf } from '../marks.ts';

type Piece = { readonly text: string; readonly mark?: never } | { readonly mark: Mark; readonly text?: never };

/** Marks, and what stands between them. */
function* piecesOf(content: string): Generator<Piece> {
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

/** The text of it: one that stands for nothing but itself leaves nothing. */
export function withoutMarks(content: string): string {
  const pieces: string[] = [];
  for (const { text } of piecesOf(content)) if (text !== undefined) pieces.push(text);
  return pieces.join('');
}

const told = new Set(
  [
    'freeform',
    'heading',
    'html',
    'list',
    'media-text',
    'paragraph',
    'preformatted',
    'pullquote',
    'quote',
    'table',
    'verse',
  ].concat(
    // What only holds others.
    ['columns', 'column', 'group'],
  ),
);

/** What of it tells what it is about. */
export function tellingText(content: string): string {
  const pieces: string[] = [];
  const open: boolean[] = [];
  for (const { text, mark } of piecesOf(content)) {
    if (text !== undefined) {
      if (open.at(-1) ?? true) pieces.push(text);
    } else if (mark.ends) open.pop();
    else if (!mark.isAlone) open.push((open.at(-1) ?? true) && told.has(mark.name));
  }
  return pieces.join('');
}
