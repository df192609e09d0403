// What sorts the records of the site: a list of categories, of tags or of whatever else does, one below the other.
import type { Term } from '../../terms/term.ts';
import { longest, shortened } from '../excerpts.ts';
import { live } from '../live.ts';
import { type Attributes, classOf, isSet, quoted, saidIn, textIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';

interface Entry {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
  readonly slug: string;
  readonly count: number;
  readonly url: string;
}

interface Found {
  readonly taxonomy: string;
  /** One of them, and many. */
  readonly label: string;
  readonly labels: string;
  readonly entries: readonly Entry[];
}

const most = { terms: 500, deep: 30 };

export const termList = (needs: BlockNeeds) =>
  live<Found | undefined>({
    rests: ['terms', 'settings'],
    reads: ['taxonomy', 'showEmpty', 'showOnlyTopLevel', 'showHierarchy'],
    async find({ attributes }) {
      const kind = publicTaxonomy(needs, attributes);
      if (kind === undefined) return undefined;
      const { items } = await needs.terms.list({
        taxonomy: kind.name,
        limit: most.terms,
        offset: 0,
        order: 'asc',
        orderBy: 'name',
        hideEmpty: !isSet(attributes.showEmpty),
        ...(isSet(attributes.showOnlyTopLevel) && { parent: 0 }),
      });
      const { name: taxonomy, label, labels } = kind;
      return { taxonomy, label, labels, entries: await listed(needs, await withLines(needs, items, attributes)) };
    },
    write({ attributes, page }, found) {
      if (found === undefined || found.entries.length === 0) return empty(attributes, found);
      const { taxonomy } = found;
      const own = `wp-block-categories-taxonomy-${taxonomy}`;
      const isList = !isSet(attributes.displayAsDropdown);
      const classes = classOf('categories', attributes, `wp-block-categories-${isList ? 'list' : 'dropdown'}`, own);
      if (isList) return `<ul${classes}>${itemsOf(found.entries, attributes)}</ul>`;
      const id = `wp-block-categories-${page.next('terms')}`;
      return `<div${classes}>${choice(needs.url, id, found, attributes)}</div>`;
    },
  });

/** With what stands above them, although no record carries it. */
async function withLines(
  { terms }: BlockNeeds,
  some: readonly Term[],
  attributes: Attributes,
): Promise<readonly Term[]> {
  const there = new Set(some.map(({ id }) => id));
  const missing = some.map(({ parent }) => parent).filter((id) => id !== 0 && !there.has(id));
  if (!isSet(attributes.showHierarchy) || missing.length === 0) return some;
  const above = (await terms.withAbove([...new Set(missing)])).filter(({ id }) => !there.has(id));
  return [...some, ...above].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Of those whose terms everybody may see. */
export const publicTaxonomy = ({ kinds }: Pick<BlockNeeds, 'kinds'>, { taxonomy }: Attributes, usual = 'category') => {
  const kind = kinds.taxonomy(taxonomy === undefined ? usual : textIn(taxonomy));
  return kind?.public ? kind : undefined;
};

export async function listed({ permalinks }: Pick<BlockNeeds, 'permalinks'>, terms: readonly Term[]): Promise<Entry[]> {
  const links = await permalinks.ofTerms(terms);
  return terms.map(({ id, parent, name, slug, count }) => {
    return { id, parent, slug, count, name: quoted(shortened(name, longest.title)), url: links.get(id) ?? '' };
  });
}

const empty = (attributes: Attributes, found: Found | undefined): string =>
  found === undefined
    ? ''
    : `<div${classOf('categories', attributes)}>${worded(`No ${found.labels.toLowerCase()} to show.`)}</div>`;

interface Placed extends Entry {
  readonly level: number;
  readonly below: readonly Placed[];
}

/** Those that lie below what is not listed stand at the top; what bites its own tail stands nowhere. */
function tree(entries: readonly Entry[]): Placed[] {
  const there = new Set(entries.map(({ id }) => id));
  const groups = Map.groupBy(entries, ({ parent }) => (there.has(parent) ? parent : 0));
  const below = (parent: number, level: number): Placed[] => {
    const some = level < most.deep ? (groups.get(parent) ?? []) : [];
    return some.map((entry) => ({ ...entry, level, below: below(entry.id, level + 1) }));
  };
  return below(0, 0);
}

const placed = (entries: readonly Entry[], { showHierarchy }: Attributes): Placed[] =>
  isSet(showHierarchy) ? tree(entries) : entries.map((entry) => ({ ...entry, level: 0, below: [] }));

function itemsOf(entries: readonly Entry[], attributes: Attributes): string {
  const written = ({ id, name, url, count, below }: Placed): string => {
    const number = isSet(attributes.showPostCounts) ? ` (${count})` : '';
    const inner = below.length === 0 ? '' : `<ul class="children">\n${below.map(written).join('')}</ul>\n`;
    return `\t<li class="cat-item cat-item-${id}"><a href="${worded(url)}">${name}</a>${number}\n${inner}</li>\n`;
  };
  return placed(entries, attributes).map(written).join('');
}

/** As addresses of lists name what they are of. */
const queries: Readonly<Record<string, string>> = { category: 'category_name', post_tag: 'tag' };

function choice(url: string, id: string, { taxonomy, label, entries }: Found, attributes: Attributes): string {
  const option = ({ slug, name, count, level, below }: Placed): string => {
    const number = isSet(attributes.showPostCounts) ? `&nbsp;&nbsp;(${count})` : '';
    const text = `${'&nbsp;&nbsp;&nbsp;'.repeat(level)}${worded(saidIn(name))}${number}`;
    return `\t<option class="level-${level}" value="${worded(slug)}">${text}</option>\n${below.map(option).join('')}`;
  };
  const hidden = isSet(attributes.showLabel, true) ? '' : ' screen-reader-text';
  return [
    `<form action="${worded(url)}/" method="get">`,
    `<label class="wp-block-categories__label${hidden}" for="${id}">${worded(textIn(attributes.label) || label)}</label>`,
    `<select name="${queries[taxonomy] ?? taxonomy}" id="${id}" class="postform">\n`,
    `\t<option value="">Select ${worded(label)}</option>\n`,
    placed(entries, attributes).map(option).join(''),
    '</select><button type="submit">Show</button></form>',
  ].join('');
}
