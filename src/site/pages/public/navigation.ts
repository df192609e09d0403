// The way through the site: the menu that was published last, or its pages.
import { type Html, html } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import type { Mark } from '../../content/marks.ts';
import { attributesOf, fullName, piecesOf } from '../../content/rendering/blocks.ts';
import { spelled } from './asked.ts';
import type { Ground } from './needs.ts';
import { ours } from './needs.ts';

/** More of a menu nobody looks through. */
const most = 60;

/** `here`: the address of the page that is shown. */
export async function navigation(ground: Ground, here?: string): Promise<Html | undefined> {
  const ways = (await menuOf(ground)) ?? (await pagesBelow(ground, 0));
  if (ways.length === 0) return undefined;
  return html`<nav aria-label="Site">${list(ground, folded(ways), here)}</nav>\n`;
}

/** More ways than these fill the screen of a phone before anything else is seen: the others are folded away. */
const mostAtOnce = 8;

const folded = (ways: readonly Branch[]): Way[] =>
  ways.length <= mostAtOnce
    ? [...ways]
    : [...ways.slice(0, mostAtOnce - 1), { title: 'More', below: ways.slice(mostAtOnce - 1) }];

/** One without an address of its own only holds others. */
type Way = Omit<Branch, 'url'> & Partial<Pick<Branch, 'url'>>;

const list = (ground: Ground, ways: readonly Way[], here: string | undefined): Html =>
  html`<ul class="plain ways">${ways.map((way) => html`\n<li>${link(way, here)}${fold(ground, way, here)}</li>`)}
</ul>`;

const link = ({ title, url }: Way, here: string | undefined): Html | undefined =>
  url === undefined ? undefined : html`<a href="${url}"${isHere(url, here) && html` aria-current="page"`}>${title}</a>`;

/** The ways below another, closed until somebody opens them: with a pointer, the keyboard or a screen reader, without scripts. */
function fold(ground: Ground, { title, url, below }: Way, here: string | undefined): Html | undefined {
  if (below.length === 0) return undefined;
  const name =
    url === undefined
      ? html`<span${ours(ground)}>${title}</span>`
      : html`<span class="unseen"><span${ours(ground)}>Pages below</span> ${title}</span>`;
  return html`<details><summary>${name}</summary>${list(ground, below, here)}</details>`;
}

const isHere = (url: string, here: string | undefined): boolean => here !== undefined && spelled(url) === spelled(here);

/** Nothing where none is published, or where there is no way in it. */
async function menuOf(ground: Ground): Promise<Branch[] | undefined> {
  const { content } = ground;
  const wanted = { types: ['wp_navigation'], statuses: ['publish'], limit: 1, offset: 0 };
  const { items } = await content.posts.list({ ...wanted, order: 'desc', orderBy: 'date' });
  const [menu] = items;
  const ways = menu === undefined || menu.password !== '' ? [] : await waysIn(ground, menu.content);
  return ways.length > 0 ? ways : undefined;
}

interface Open extends Branch {
  readonly below: Branch[];
}

/** What stands in a menu: ways, and ways below them. What is no way, such as a search, is left out. */
async function waysIn(ground: Ground, written: string): Promise<Branch[]> {
  const top: Open = { title: '', url: '', below: [] };
  const open: Open[] = [];
  let count = 0;
  for (const { mark } of piecesOf(written)) {
    if (mark === undefined || !leading.has(fullName(mark.name))) continue;
    if (mark.ends) {
      open.pop();
      continue;
    }
    const { below } = open.at(-1) ?? top;
    if (fullName(mark.name) === 'core/page-list') {
      below.push(...(await pagesBelow(ground, 0)));
      continue;
    }
    const way = wayOf(ground, mark);
    if (way !== undefined && ++count <= most) below.push(way);
    if (!mark.isAlone) open.push(way ?? { ...top, below: [] });
  }
  return top.below;
}

const leading = new Set(['core/navigation-link', 'core/navigation-submenu', 'core/home-link', 'core/page-list']);

function wayOf({ url: home, house }: Ground, mark: Mark): Open | undefined {
  const { label, url } = attributesOf(mark);
  const title = typeof label === 'string' ? readText(label).trim() : '';
  if (fullName(mark.name) === 'core/home-link') return { title: title || 'Home', url: house.at('/'), below: [] };
  if (title === '' || typeof url !== 'string' || !URL.canParse(url, `${home}/`)) return undefined;
  const { protocol } = new URL(url, `${home}/`);
  return safe.has(protocol) ? { title, url, below: [] } : undefined;
}

const safe = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** The pages of the site as a tree, as far as anybody wants to see of it at once. */
interface Branch {
  readonly title: string;
  readonly url: string;
  readonly below: readonly Branch[];
}

const shownBranches = { top: 12, below: 40 };
const columns = ['id', 'type', 'status', 'slug', 'date', 'parent', 'menu_order', 'title'] as const;

/** Those that everybody may see and no password closes, and those right below them. */
export async function pagesBelow(ground: Ground, parent: number): Promise<Branch[]> {
  const first = await rowsBelow(ground, [parent], shownBranches.top);
  const second = await rowsBelow(
    ground,
    first.map(({ id }) => id),
    shownBranches.below,
  );
  const links = await ground.content.permalinks.of([...first, ...second]);
  const branches = (rows: typeof first, under: (id: number) => readonly Branch[]): Branch[] =>
    rows.map(({ id, title }) => ({ title: titleOf(ground, title), url: links.get(id) ?? '', below: under(id) }));
  return branches(first, (id) =>
    branches(
      second.filter((row) => row.parent === id),
      () => [],
    ),
  );
}

const rowsBelow = async ({ store }: Ground, parents: readonly number[], limit: number) =>
  parents.length === 0
    ? []
    : await store.db
        .selectFrom('posts')
        .select(columns)
        .where('parent', 'in', parents)
        .where('type', '=', 'page')
        .where('status', '=', 'publish')
        .where('password', '=', '')
        .orderBy('menu_order')
        .orderBy('title_key')
        .orderBy('id')
        .limit(limit)
        .execute();

export const titleOf = ({ content }: Pick<Ground, 'content'>, title: string): string =>
  readText(content.rendering.title(title)).trim() || '(no title)';
