// Quotation marks, dashes and the like, as printers set them.
import { eachPiece, ofShortcode, restored, without } from './pieces.ts';
import { quotes } from './quotes.ts';
import { shortcodeTags } from './shortcodes/syntax.ts';
import { ampersands, dashes, times } from './signs.ts';

/** What stands in them is meant sign by sign. */
const literal = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

/** Text within HTML: tags, comments and the tags of these shortcodes stay as they are. */
export function typography(html: string, shortcodes: ReadonlySet<string>): string {
  const tags: string[] = [];
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of shortcodeTags(html, shortcodes)) {
    tags.push(html.slice(start, end));
    pieces.push(without(html.slice(from, start), ofShortcode));
    from = end;
  }
  if (tags.length === 0) return eachPiece(html, literal, typeset);
  pieces.push(without(html.slice(from), ofShortcode));
  const text = pieces.join(ofShortcode);
  const said = eachPiece(text, literal, (piece) => piece.split(ofShortcode).map(typeset).join(ofShortcode));
  return restored(said, ofShortcode, tags);
}

function typeset(text: string): string {
  const typed = text
    .replaceAll('...', '&#8230;')
    .replaceAll('``', '&#8220;')
    .replaceAll("''", '&#8221;')
    .replaceAll(' (tm)', ' &#8482;');
  return ampersands(times(dashes(quotes(typed))));
}
