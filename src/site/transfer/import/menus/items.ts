// The entries of a classic menu, which is a term with a record for each entry.
import type { TheirRecord } from '../theirs.ts';

export const entryType = 'nav_menu_item';
export const menuTaxonomy = 'nav_menu';

/** One entry, as it stands in the file. */
export interface Entry {
  readonly line?: number;
  readonly id: number;
  /** By its slug, and what it is called. */
  readonly menu: string;
  readonly menuTitle: string;
  readonly author: string;
  readonly date: string;
  readonly title: string;
  /** `custom`, `post_type`, `taxonomy`, `post_type_archive`. */
  readonly kind: string;
  /** The type or the taxonomy of what it leads to, and its number there. */
  readonly object: string;
  readonly target: number;
  readonly url: string;
  /** The entry it lies below. */
  readonly parent: number;
  readonly order: number;
  /** What its block says besides. */
  readonly more: Readonly<Record<string, string | boolean>>;
}

/** No text of an entry is longer. */
const longest = 2_000;

/** Nothing for one that is in no menu, or was never saved. */
export function entryOf(theirs: TheirRecord): Entry | undefined {
  const menu = theirs.terms.find(({ taxonomy }) => taxonomy === menuTaxonomy);
  if (menu === undefined || theirs.status !== 'publish') return undefined;
  const meta = new Map(theirs.meta.map(({ key, value }) => [key, value.slice(0, longest)]));
  const said = (name: string): string => (meta.get(`_menu_item_${name}`) ?? '').trim();
  const { line, id, author, date, title, menu_order } = theirs;
  return {
    ...(line !== undefined && { line }),
    id,
    menu: menu.slug.slice(0, longest),
    menuTitle: (menu.name || menu.slug).slice(0, longest),
    author,
    date,
    title: title.trim().slice(0, longest),
    kind: said('type'),
    object: said('object'),
    target: numberIn(said('object_id')),
    url: said('url'),
    parent: numberIn(said('menu_item_parent')),
    order: menu_order,
    more: moreOf(theirs, said),
  };
}

const numberIn = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

function moreOf({ content, excerpt }: TheirRecord, said: (name: string) => string): Entry['more'] {
  const className = classesIn(said('classes'));
  const [description, title] = [content, excerpt].map((text) => text.trim().slice(0, longest));
  return {
    ...(description && { description }),
    ...(title && { title }),
    ...(said('target') === '_blank' && { opensInNewTab: true }),
    ...(said('xfn') !== '' && { rel: said('xfn') }),
    ...(className !== '' && { className }),
  };
}

/** They are kept as a list in the way of another language. */
const classesIn = (list: string): string =>
  Array.from(list.matchAll(/s:\d{1,4}:"([\w\- ]{1,200})"/g), ([, name]) => name).join(' ');

/** How much a menu entry takes, in letters. */
export const sizeOf = ({ title, url, more }: Entry): number =>
  title.length + url.length + Object.values(more).reduce<number>((sum, value) => sum + String(value).length, 0);
