// Quotation marks, dashes and the like, as printers set them.
import { eachPiece, ofShortcode, restored, without } from './pieces.ts';
import { quotes } from './quotes.ts';
import { ampersands, dashes, times } from './signs.ts';

/** What stands in them is meant sign by sign. */
const literal = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

/** Text within HTML: tags, comments and the tags of these shortcodes stay as they are. */
export function typography(html: string, shortcodes: ReadonlySet<string>): string {
  if (shortcodes.size === 0 || !html.includes('[')) return eachPiece(html, literal, typeset);
  const tags: string[] = [];
  const text = without(html, ofShortcode).replace(shortcodeTag, (tag, name: string) => {
    if (!shortcodes.has(name)) return tag;
    tags.push(tag);
    return ofShortcode;
  });
  const said = eachPiece(text, literal, (piece) => piece.split(ofShortcode).map(typeset).join(ofShortcode));
  return restored(said, ofShortcode, tags);
}

/** Also one that is only spoken of. It ends before the next one begins: so no beginning is looked at twice. */
const shortcodeTag = /\[[/[]?([^\s[\]<>/&"'=]+)(?=[\s\]/])[^[\]<>]*(?:<[^[\]<>]*>[^[\]<>]*)*\]\]?/g;

function typeset(text: string): string {
  const typed = text
    .replaceAll('...', '&#8230;')
    .replaceAll('``', '&#8220;')
    .replaceAll("''", '&#8221;')
    .replaceAll(' (tm)', ' &#8482;');
  return ampersands(times(dashes(quotes(typed))));
}
