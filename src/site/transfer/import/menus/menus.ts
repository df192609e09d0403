// Classic menus: each becomes a navigation record, when all that its entries lead to is here.

import { unmarked } from '../../../content/marks.ts';
import { somePosts } from '../../../content/posts/rows.ts';
import { someTerms } from '../../../content/terms/rows.ts';
import { navigation } from '../../../content/types.ts';
import type { Became } from '../arriving.ts';
import { inLots, type Run } from '../run.ts';
import type { TheirRecord, TheirTerm } from '../theirs.ts';
import { turningFor } from '../turning.ts';
import { type Entry, entryOf, entryType, sizeOf } from './items.ts';

export interface Menus {
  /** Whether it is an entry of one: it is kept in mind, and nothing else happens with it. */
  takes(theirs: TheirRecord): boolean;
  /** What became of terms that entries may lead to. */
  sorted(terms: readonly TheirTerm[], became: readonly Became[]): void;
  /** `make`: what is given is as it is to be. */
  make(make: (all: readonly TheirRecord[]) => Promise<readonly Became[]>): Promise<void>;
}

/** What is kept in mind: a file may hold nothing else. */
const most = { entries: 5_000, letters: 2 ** 22, terms: 100_000 };

export function createMenus(run: Run): Menus {
  const { report, options } = run;
  const entries: Entry[] = [];
  const terms = new Map<number, number>();
  let letters = 0;

  const fail = ({ line, id, title, menuTitle }: Entry, code: string, message: string): void => {
    report.fault({ ...(line !== undefined && { line }), id, title: (title || menuTitle).slice(0, 100), code, message });
    report.item(entryType, 'failed');
  };

  /** The one that comes first in the file is made last: the last one is what the site is found by. */
  const menusIn = (): [Entry, ...Entry[]][] =>
    [...Map.groupBy(entries, ({ menu }) => menu).values()].reverse() as [Entry, ...Entry[]][];

  const make = async (all: readonly [Entry, ...Entry[]], date: string, put: Parameters<Menus['make']>[0]) => {
    const leading = await leadingFor(run, all, (id) => terms.get(id));
    const ways = new Map<Entry, Way>();
    for (const entry of all) {
      const found = options.dryRun ? {} : leading(entry);
      if (isAstray(found)) fail(entry, found.code, found.message);
      else ways.set(entry, found);
    }
    if (ways.size === 0) return;
    const [became] = await put([recordOf(all[0], date, blocksOf(all, ways), options.from)]);
    const outcome = became?.what === 'made' ? 'created' : became?.what === 'failed' ? 'failed' : 'skipped';
    for (const _ of ways) report.item(entryType, outcome);
  };

  return {
    takes(theirs) {
      if (theirs.type !== entryType) return false;
      const entry = entryOf(theirs);
      if (entry === undefined) report.item(entryType, 'skipped');
      else if (entries.length >= most.entries || letters > most.letters)
        fail(entry, 'too_many', 'There are more menu entries than one import can have.');
      else {
        entries.push(entry);
        letters += sizeOf(entry);
      }
      return true;
    },
    sorted(all, became) {
      for (const [at, { id }] of all.entries()) {
        const here = became[at]?.id;
        if (id > 0 && here !== undefined && terms.size < most.terms && !terms.has(id)) terms.set(id, here);
      }
    },
    async make(put) {
      const date = entries.reduce((last, one) => (one.date > last ? one.date : last), '');
      for (const all of menusIn()) await make(all, date, put);
      entries.length = 0;
    },
  };
}

/** It goes by the name of its menu for all the world, and so is known again. */
function recordOf({ menu, menuTitle, author }: Entry, date: string, content: string, from: string): TheirRecord {
  return {
    ...empty,
    title: menuTitle,
    content,
    slug: menu,
    author,
    date,
    guid: `${from}/?nav_menu=${encodeURIComponent(menu)}`,
  };
}

const empty: TheirRecord = {
  id: 0,
  type: navigation.name,
  title: '',
  content: '',
  excerpt: '',
  status: 'publish',
  slug: '',
  author: '',
  date: '',
  date_gmt: '',
  modified: '',
  modified_gmt: '',
  password: '',
  comment_status: 'closed',
  ping_status: 'closed',
  parent: 0,
  menu_order: 0,
  sticky: false,
  link: '',
  guid: '',
  template: '',
  format: '',
  featured_media: 0,
  terms: [],
  meta: [],
  old_slugs: [],
  status_before: '',
  slug_before: '',
  file_url: '',
  alt_text: '',
};

// Where the entries of menus lead here: by the numbers and addresses that things have now.

/** Why an entry leads nowhere. */
interface Astray {
  readonly code: string;
  readonly message: string;
}

const astray = (code: string, message: string): Astray => ({ code, message });

const unknownKind = astray('menu_unknown_type', 'It is a menu entry of an unknown type.');
const nothingThere = astray('menu_target_missing', 'The target of the menu entry was not imported.');
const unshown = astray('menu_target_unpublished', 'The target of the menu entry is not published.');
const unsafe = astray('menu_address', 'It has no valid URL.');
const untitled = astray('menu_untitled', 'It has no text.');

type Leading = (entry: Entry) => Way | Astray;
const isAstray = (found: Way | Astray): found is Astray => 'code' in found && 'message' in found;

/** `termHere`: the number of a term there, here. */
async function leadingFor(
  run: Run,
  entries: readonly Entry[],
  termHere: (id: number) => number | undefined,
): Promise<Leading> {
  const { store, content, url } = run.needs;
  const targets = (kind: string): number[] => entries.filter((one) => one.kind === kind).map(({ target }) => target);
  const records = await run.known.records(targets('post_type'));
  const posts = await inLotsOf([...records.values()], (ids) => somePosts(store.db, ids));
  const ofTerms = targets('taxonomy').flatMap((id) => termHere(id) ?? []);
  const terms = await inLotsOf(ofTerms, (ids) => someTerms(store.db, ids));
  const [links, termLinks] = [
    await content.permalinks.of([...posts.values()]),
    await content.permalinks.ofTerms([...terms.values()]),
  ];
  const addresses = entries.flatMap((one) => (one.kind === 'custom' ? one.url : []));
  const turning = await turningFor(run, addresses);
  const toRecord = ({ target, object, title }: Entry): Way | Astray => {
    const post = posts.get(records.get(target) ?? 0);
    if (post === undefined || post.type !== object) return nothingThere;
    if (!shown.has(post.status)) return unshown;
    return { label: title || post.title, type: object, id: post.id, url: links.get(post.id)!, kind: 'post-type' };
  };
  const toTerm = ({ target, object, title }: Entry): Way | Astray => {
    const term = terms.get(termHere(target) ?? 0);
    if (term === undefined || term.taxonomy !== object) return nothingThere;
    const type = object === 'post_tag' ? 'tag' : object;
    return { label: title || term.name, type, id: term.id, url: termLinks.get(term.id)!, kind: 'taxonomy' };
  };
  const anywhere = ({ title, url: there }: Entry): Way | Astray => {
    const to = turning.address(there) ?? there;
    if (to === '' || !URL.canParse(to, `${url}/`) || !safe.has(new URL(to, `${url}/`).protocol)) return unsafe;
    return { label: title, url: to, kind: 'custom' };
  };
  const ways: Readonly<Record<string, Leading>> = { post_type: toRecord, taxonomy: toTerm, custom: anywhere };
  return (entry) => {
    const found = Object.hasOwn(ways, entry.kind) ? ways[entry.kind]!(entry) : unknownKind;
    if (isAstray(found)) return found;
    return found.label === '' ? untitled : { ...found, ...entry.more };
  };
}

const shown = new Set(['publish', 'inherit']);
const safe = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const atOnce = 200;

async function inLotsOf<T>(ids: readonly number[], read: (ids: readonly number[]) => Promise<Map<number, T>>) {
  const all = new Map<number, T>();
  for (const some of inLots([...new Set(ids)], atOnce)) for (const [id, one] of await read(some)) all.set(id, one);
  return all;
}

// A menu as blocks: ways, and ways below them.

/** What an entry's block says. */
type Way = Readonly<Record<string, string | number | boolean>>;

/** Deeper menus nobody makes; what lies deeper stands there. */
const deepest = 30;

/** `ways`: what is no way is left out, and what lies below it moves up. */
function blocksOf(entries: readonly Entry[], ways: ReadonlyMap<Entry, Way>): string {
  const ids = new Set(entries.map(({ id }) => id));
  const sorted = [...entries].sort((one, other) => one.order - other.order || one.id - other.id);
  const below = Map.groupBy(sorted, ({ id, parent }) => (parent !== id && ids.has(parent) ? parent : 0));
  const written = new Set<Entry>();
  const write = (entry: Entry, depth: number): string[] => {
    if (written.has(entry)) return [];
    written.add(entry);
    const inner =
      entry.id === 0 || depth > deepest ? [] : (below.get(entry.id) ?? []).flatMap((one) => write(one, depth + 1));
    const way = ways.get(entry);
    return way === undefined ? inner : [blockOf(way, inner)];
  };
  const top = (below.get(0) ?? []).flatMap((entry) => write(entry, 1));
  // Those that lie below themselves, or too deep.
  return [...top, ...sorted.flatMap((entry) => write(entry, 1))].join('\n');
}

function blockOf(way: Way, inner: readonly string[]): string {
  const said = unmarked(JSON.stringify(way));
  if (inner.length === 0) return `<!-- wp:navigation-link ${said} /-->`;
  return `<!-- wp:navigation-submenu ${said} -->\n${inner.join('\n')}\n<!-- /wp:navigation-submenu -->`;
}
