// Which texts are paths of files. The same everywhere, so that what fits a folder fits an object store and a backup.
import { Problem } from '#kernel/problem.ts';

/** Where a folder keeps what is not written to its end; no file has a path in there. */
export const unfinished = '.unfinished';

const longest = { path: 900, segment: 255 };
/** What no path holds: separators of other systems, controls, and signs that XML cannot carry. */
const foreign = /[\\\p{Cc}\u{FFFE}\u{FFFF}]/u;

const bytes = (text: string): number => Buffer.byteLength(text);

function isSegment(segment: string): boolean {
  return segment !== '' && segment === segment.trim() && !segment.endsWith('.') && bytes(segment) <= longest.segment;
}

export function isFilePath(text: string): boolean {
  const segments = text.split('/');
  return (
    text.isWellFormed() &&
    !foreign.test(text) &&
    bytes(text) <= longest.path &&
    segments[0] !== unfinished &&
    segments.every(isSegment)
  );
}

/** The path itself, or a refusal. Whoever makes a path of what people give cleans it first: this is the last wall. */
export function filePath(text: string): string {
  if (isFilePath(text)) return text;
  throw new Problem(400, 'invalid_path', 'Files cannot have such a path.');
}

/** A folder to be listed: `2026/11/`, or nothing for everything. */
export function folderPath(text: string): string {
  if (text === '' || (text.endsWith('/') && isFilePath(text.slice(0, -1)))) return text;
  throw new Problem(400, 'invalid_path', 'Folders cannot have such a path.');
}

/** In the order that every store lists by: the bytes of the whole path, which is not the order of JavaScript's text. */
export function byBytes<T>(things: readonly T[], pathOf: (thing: T) => string): T[] {
  return things
    .map((thing) => ({ thing, key: Buffer.from(pathOf(thing)) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ thing }) => thing);
}
