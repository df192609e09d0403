// Names of files as they are kept: what every system and address can carry, and nothing that leads elsewhere.
import { fold } from '#lib/fold.ts';

const longest = 180;

/** A letter with signs, as the plain one that is read for it; capitals stay. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/\P{ASCII}/gu, (letter) => {
      const folded = fold(letter);
      if (!/^[a-z]+$/.test(folded)) return letter;
      return letter === letter.toLowerCase() ? folded : folded.replace(/^./, (first) => first.toUpperCase());
    });

/** The name without its ending. Further endings are none any more: `a.php.jpg` is `a-php`. */
export function stemOf(name: string): string {
  const bare = plain(name.slice(0, 1_000).toWellFormed()).replace(/\.[^.]*$/, '');
  const cleaned = bare
    .replace(/[\s./\\–—]+/gu, '-')
    .replace(/[^\p{L}\p{N}_-]+/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  return shortened(cleaned) || 'file';
}

/** In bytes, between two letters. */
function shortened(text: string): string {
  let short = text;
  while (Buffer.byteLength(short) > longest) short = [...short].slice(0, -1).join('');
  return short;
}

/** The stem of the next copy of a picture that was changed. */
export const editedStem = (file: string): string => {
  const stem = file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  return `${stem.replace(/-(?:scaled|edited(?:-\d+)?)$/, '')}-edited`;
};
