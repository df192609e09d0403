// What of content made of blocks tells what it is about.
import { piecesOf } from './blocks.ts';

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
