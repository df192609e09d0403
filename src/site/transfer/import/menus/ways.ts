// Where the entries of menus lead here: by the numbers and addresses that things have now.
import { somePosts } from '../../../content/posts/rows.ts';
import { someTerms } from '../../../content/terms/rows.ts';
import { inLots, type Run } from '../run.ts';
import { turningFor } from '../turning.ts';
import type { Way } from './blocks.ts';
import type { Entry } from './items.ts';

/** Why an entry leads nowhere. */
export interface Astray {
  readonly code: string;
  readonly message: string;
}

const astray = (code: string, message: string): Astray => ({ code, message });

const unknownKind = astray('menu_unknown_type', 'It is a menu entry of a kind that is not known here.');
const nothingThere = astray('menu_target_missing', 'What it leads to did not come along.');
const unshown = astray('menu_target_unpublished', 'What it leads to is not published.');
const unsafe = astray('menu_address', 'It has no address that a link may have.');
const untitled = astray('menu_untitled', 'It has no words.');

export type Leading = (entry: Entry) => Way | Astray;
export const isAstray = (found: Way | Astray): found is Astray => 'code' in found && 'message' in found;

/** `termHere`: the number of a term there, here. */
export async function leadingFor(
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
