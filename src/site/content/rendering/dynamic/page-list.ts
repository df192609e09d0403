// The pages of the site, one below the other.

import { longest, shortened } from '../excerpts.ts';
import { live } from '../live.ts';
import { classOf, wholeIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';
import { shownTitle, titleOf } from './open-records.ts';
import { siteNow } from './site-now.ts';

interface Entry {
  readonly id: number;
  readonly parent: number;
  readonly title: string;
  readonly url: string;
}

interface Found {
  readonly entries: readonly Entry[];
  readonly frontPage: number;
  /** The page in whose text it stands. */
  readonly current: number;
}

const most = { pages: 500, deep: 30 };

/** By which all of them are gathered. */
const all = 0;

export function pageList(needs: BlockNeeds) {
  const pages = needs.store.gathered(async () => new Map([[all, await pagesOf(needs)]]));
  return live<Found>({
    rests: ['posts', 'settings'],
    reads: [],
    async find({ of }) {
      const [found, { frontPage }] = await Promise.all([pages([all]), siteNow(needs)]);
      return { entries: found.get(all) ?? [], frontPage, current: of?.id ?? 0 };
    },
    write({ attributes }, found) {
      const items = itemsOf(found, wholeIn(attributes.parentPageID, [0, Number.MAX_SAFE_INTEGER], 0));
      return items === '' ? '' : `<ul${classOf('page-list', attributes)}>${items}</ul>`;
    },
  });
}

async function pagesOf(needs: BlockNeeds): Promise<Entry[]> {
  const rows = await openPages(needs);
  const links = await needs.permalinks.of(rows);
  return rows
    .sort((one, other) => one.menu_order - other.menu_order)
    .map(({ id, parent, title }) => ({
      id,
      parent,
      title: shownTitle(needs.title(shortened(title, longest.title))),
      url: links.get(id) ?? '',
    }));
}

/** In the order of their titles. */
const openPages = ({ store }: Pick<BlockNeeds, 'store'>) =>
  store.db
    .selectFrom('posts')
    .select(['id', 'type', 'status', 'slug', 'date', 'parent', 'menu_order'])
    .select(titleOf)
    .where('type', '=', 'page')
    .where('status', '=', 'publish')
    .where('password', '=', '')
    .orderBy('title_key')
    .orderBy('id')
    .limit(most.pages)
    .execute();

/** Those below this one, or all; what lies below something that is not listed stands at the top. */
function itemsOf({ entries, frontPage, current }: Found, top: number): string {
  const there = new Set(entries.map(({ id }) => id));
  const groups = Map.groupBy(entries, ({ parent }) => (there.has(parent) ? parent : 0));
  const name = 'wp-block-pages-list__item';
  const below = (parent: number, level: number): string => {
    const some = level < most.deep ? (groups.get(parent) ?? []) : [];
    return some.map((entry) => written(entry, below(entry.id, level + 1))).join('');
  };
  const written = ({ id, title, url }: Entry, inner: string): string => {
    const classes = [
      name,
      inner && 'has-child',
      id === frontPage && 'menu-item-home',
      id === current && 'current-menu-item',
    ];
    const here = id === current ? ' aria-current="page"' : '';
    const list = inner && `<ul class="wp-block-navigation__submenu-container">${inner}</ul>`;
    return `<li class="${classes.filter(Boolean).join(' ')}"><a class="${name}__link"${here} href="${worded(url)}">${title}</a>${list}</li>`;
  };
  return below(top, 0);
}
