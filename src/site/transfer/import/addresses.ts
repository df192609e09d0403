// Addresses of the site that things come from, as they are here.
import { inFolderOf, type MediaFile } from '../../content/media/media.ts';

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

/** What stands behind an address in a sentence. */
const stops = '.,;:!';

/** Without a regex, which might look at every one of many signs again and again. */
function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

const copied = /^(.*)-(\d{1,5})x(\d{1,5})(\.[^./]+)$/;

/** The keys under which the file of an address may be known: its own, that of what it is a copy of, and that of a large one. */
export function keysFor(url: string): string[] {
  const key = withoutEnd(addressKey(url), stops);
  const [, stem, , , ending] = copied.exec(key) ?? [];
  const whole = stem === undefined ? key : `${stem}${ending}`;
  return [...new Set([key, whole, whole.replace(/(\.[^./]+)$/, '-scaled$1')])].filter(Boolean);
}

/**
 * The file here that stands for one there. A copy for a copy of the same size, else for one that is no smaller. `isOwn`: it had this
 * very address there, whatever its name looks like.
 */
export function fileFor(url: string, { file, original, sizes, width }: MediaFile, isOwn: boolean): string {
  const [, , wide, high] = copied.exec(withoutEnd(addressKey(url), stops)) ?? [];
  if (wide === undefined || isOwn) {
    const isShown = /-scaled\.[^./]+$/.test(addressKey(url)) || original === null;
    return isShown ? file : inFolderOf(file, original);
  }
  const copies = Object.values(sizes);
  const exact = copies.find((copy) => copy.width === Number(wide) && copy.height === Number(high));
  if (exact !== undefined) return inFolderOf(file, exact.file);
  const larger = copies
    .filter((copy) => copy.width >= Number(wide) && (width === null || copy.width < width))
    .sort((one, other) => one.width - other.width);
  return larger[0] === undefined ? file : inFolderOf(file, larger[0].file);
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

/** The page behind an address: by the number that it names of this site, else by its key. Nothing for a front page. */
export function pageBehind(url: string, site: string): number | string | undefined {
  const key = withoutEnd(withoutEnd(addressKey(url), stops), '/').replaceAll(/\/+/g, '/');
  const id = numberIn(url);
  if (key === withoutEnd(addressKey(site), '/')) return id;
  if (key === '') return undefined;
  if (id !== undefined) return `${key}?p=${id}`;
  return key.includes('/') ? key : undefined;
}

const names = new Set(['p', 'page_id', 'attachment_id']);
/** Longer queries ask for something else. */
const longestQuery = 500;

function numberIn(url: string): number | undefined {
  const from = url.indexOf('?');
  const query = from === -1 ? '' : plainAnds(url.slice(from + 1, from + longestQuery)).split('#', 1)[0]!;
  const pairs = query.split('&').map((pair) => pair.split('=', 2));
  const said = pairs.find(([name]) => names.has(name!))?.[1] ?? '';
  const [, digits] = /^(\d{1,15})[.,;:!]*$/.exec(said) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const plainAnds = (text: string): string => text.replace(/&(?:amp|#0{0,4}38);/g, '&');

/** What stands behind the path, or behind the whole of it in a sentence. */
export function tailOf(url: string): string {
  const at = url.search(/[?#&]/);
  return at === -1 ? url.slice(withoutEnd(url, stops).length) : url.slice(at);
}

/** A page here for the address of it there: what an address of another form asked for is asked for no more. */
export function leadingTo(link: string, url: string): string {
  if (!link.includes('?') && numberIn(url) === undefined) return link + tailOf(url);
  const plain = plainAnds(url);
  const part = plain.indexOf('#');
  return link + (part === -1 ? url.slice(withoutEnd(url, stops).length) : plain.slice(part));
}
