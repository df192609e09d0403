// The names of files in texts, whichever copy of one is named, and however the address of it is written.

const ending = /\.[^.]*$/;
const scaled = /-scaled$/;
const sized = /-\d{1,5}x\d{1,5}$/;

/** What its copies have in common with it. */
export const nameOf = (file: string): string => file.replace(ending, '').replace(scaled, '');

/** So much is looked through before others are let in, and no name is longer. */
const most = { piece: 64 * 1024, name: 1_000 };

const apart = /[\s"'<>()[\]{}\\/?#&|,;:=]/;

/** A text, piece by piece, and no name torn. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let until = Math.min(from + most.piece, text.length);
    const least = until - most.name;
    if (until < text.length) while (until > least && !apart.test(text.charAt(until))) until -= 1;
    yield text.slice(from, until);
    from = until;
  }
}

/** All that might be one, once and more. */
export function* namesIn(text: string): Generator<string> {
  for (const [part] of text.matchAll(/[^\s"'<>()[\]{}\\/?#&|,;:=]+/g)) {
    if (!part.includes('.')) continue;
    const name = nameOf(decoded(part.endsWith('.') ? part.slice(0, -1) : part));
    yield name;
    if (sized.test(name)) yield name.replace(sized, '');
  }
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The numbers by which galleries, playlists, blocks and pictures in them name what they show. */
export function* numbersIn(text: string): Generator<number> {
  for (const [shortcode] of text.matchAll(/\[(?:gallery|playlist)\b[^\]]*/g))
    for (const [number] of shortcode.matchAll(/\d+/g)) yield Number(number);
  for (const [block] of text.matchAll(/<!-- wp:(?:image|gallery|cover|media-text|file|audio|video)\b[^>]*/g))
    for (const [ids] of block.matchAll(/"(?:id|ids|mediaId)":\[?[\d,]+/g))
      for (const [number] of ids.matchAll(/\d+/g)) yield Number(number);
  for (const [, number] of text.matchAll(/\bwp-image-(\d+)/g)) yield Number(number);
}
