// Addresses of the site that things come from, as they are here.
import type { MediaFile } from '../content/media/media.ts';
import { besides } from '../content/media/rows.ts';

/** What two addresses of one thing have in common: neither the scheme nor what stands behind the path tells them apart. */
export function addressKey(url: string): string {
  const [, host = '', path = ''] = /^(?:https?:)?\/\/([^/?#]*)([^?#&]*)/i.exec(url) ?? [];
  return host === '' ? '' : `${host.toLowerCase()}${decoded(path)}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const copied = /^(.*)-(\d{1,5})x(\d{1,5})(\.[^./]+)$/;

/** The keys under which the file of an address may be known: its own, that of what it is a copy of, and that of a large one. */
export function keysFor(url: string): string[] {
  const key = addressKey(url).replace(/[.,;:!]+$/, '');
  const [, stem, , , ending] = copied.exec(key) ?? [];
  const whole = stem === undefined ? key : `${stem}${ending}`;
  return [...new Set([key, whole, whole.replace(/(\.[^./]+)$/, '-scaled$1')])].filter(Boolean);
}

/** The file here that stands for one there. A copy for a copy of the same size, else for one that is no smaller. */
export function fileFor(url: string, { file, original, sizes, width }: MediaFile): string {
  const [, , wide, high] = copied.exec(addressKey(url).replace(/[.,;:!]+$/, '')) ?? [];
  if (wide === undefined) {
    const isShown = /-scaled\.[^./]+$/.test(addressKey(url)) || original === null;
    return isShown ? file : besides(file, original);
  }
  const copies = Object.values(sizes);
  const exact = copies.find((copy) => copy.width === Number(wide) && copy.height === Number(high));
  if (exact !== undefined) return besides(file, exact.file);
  const larger = copies
    .filter((copy) => copy.width >= Number(wide) && (width === null || copy.width < width))
    .sort((one, other) => one.width - other.width);
  return larger[0] === undefined ? file : besides(file, larger[0].file);
}

/** The same place of this site, for an address of the other one; nothing for any other address. */
export function movedHome(url: string, from: string, home: string): string | undefined {
  const bare = from.replace(/^https?:/i, '').toLowerCase();
  if (bare === '' || bare === '//') return undefined;
  const found = url.replace(/^https?:/i, '');
  if (!found.toLowerCase().startsWith(bare)) return undefined;
  const rest = found.slice(bare.length);
  return rest === '' || (/^[/?#&.,;:!]/.test(rest) && !/^[.:][\w]/.test(rest)) ? `${home}${rest}` : undefined;
}
