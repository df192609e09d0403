// The table of sites as a page: in words throughout, so that nobody needs colours. Its roles are said, because where it is narrow
// it is shown in blocks, which browsers take for no table.
import type { PageAnswer } from '#kernel/http/page.ts';
import { type Html, html, type Part } from '#lib/html.ts';
import { hour } from '#lib/spans.ts';
import type { House } from '#site/pages/door.ts';
import { alert } from '#site/pages/forms.ts';
import { moment, page } from '#site/pages/layout.ts';
import type { Condition, Inventory } from './inventory.ts';
import { patience, type Site } from './sites.ts';

export const hubPath = '/hub';

interface Listed {
  readonly items: readonly Site[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly search: string;
  readonly orderby?: string | undefined;
  /** How many of all should have sent word by now. */
  readonly silent: number;
}

export const sheet = (house: House, listed: Listed): PageAnswer =>
  page(house, {
    title: 'Sites',
    wide: true,
    body: html`${listed.silent > 0 && alert(silence(listed.silent))}
${searching(house, listed)}
${listed.items.length === 0 ? nothing(listed) : table(house, listed)}
${turning(house, listed)}<p><a class="link" href="${house.at('/account')}">Your account</a></p>`,
  });

const silence = (sites: number): string =>
  `${sites === 1 ? '1 site has' : `${sites} sites have`} sent no report for ${patience / hour} hours. Check whether ${sites === 1 ? 'it runs' : 'they run'}.`;

const searching = ({ at }: House, { search, orderby = 'name' }: Listed): Html =>
  html`<form method="get" action="${at(hubPath)}" role="search">
<div class="row"><div class="field"><label for="search">Part of a name or a URL</label>
<input id="search" name="search" type="search" value="${search}" maxlength="200"></div>
<div class="field"><label for="orderby">Sort by</label>
<select id="orderby" name="orderby">${Object.entries(orders).map(
    ([name, words]) => html`<option value="${name}"${name === orderby && html` selected`}>${words}</option>`,
  )}</select></div></div>
<button class="quiet">Show</button>
</form>`;

const orders = {
  name: 'name',
  health: 'health, worst first',
  synced_at: 'last report, oldest first',
};

const nothing = ({ search }: Listed): Html =>
  search === ''
    ? html`<p>This hub has no sites yet. Ask your site operator to run: <code>gatehouse hub add NAME</code></p>`
    : html`<p>No site found.</p>`;

const heads = ['Site', 'Version', 'Health', 'Content', 'Disk free', 'Last backup', 'Last report'] as const;

const table = (house: House, { items, total }: Listed): Html =>
  html`<table class="narrowing" role="table"><caption>${total === 1 ? 'One site' : `${total} sites`}</caption>
<thead><tr role="row">${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${items.map((site) => row(house, site))}</tbody></table>`;

function row(house: House, site: Site): Html {
  const { inventory } = site;
  const cells: readonly Part[] = [
    site.version?.slice(0, longestVersion) ?? unknown,
    healthOf(site),
    contentOf(inventory),
    written(inventory?.disk_free_bytes ?? null),
    backedUp(house, inventory),
    lastWord(house, site),
  ];
  const first = html`<th scope="row" role="rowheader"><strong><bdi>${site.name}</bdi></strong>${where(site)}</th>`;
  return html`<tr role="row">${first}${cells.map((cell, at) => html`<td role="cell" data-head="${heads[at + 1]}">${cell}</td>`)}</tr>\n`;
}

const unknown = 'not known';
/** Columns are as wide as their longest word. */
const longestVersion = 16;

const where = ({ address }: Site): Html | undefined =>
  address === null ? undefined : html`<br><a class="link" href="${address}/" rel="noreferrer">${address}</a>`;

const conditions: Readonly<Record<Condition, string>> = {
  good: 'Good',
  recommended: 'Needs improvement',
  critical: 'Needs attention',
};

function healthOf({ health, inventory }: Site): Part {
  if (health === null) return unknown;
  const { critical = 0, recommended = 0 } = inventory?.checks ?? {};
  const told = [critical > 0 && `${critical} critical`, recommended > 0 && `${recommended} to improve`].filter(Boolean);
  const words = told.length === 0 ? conditions[health] : `${conditions[health]}: ${told.join(', ')}`;
  return health === 'critical' ? html`<strong>${words}</strong>` : words;
}

function contentOf(inventory: Inventory | null): string {
  if (inventory === null) return unknown;
  const { posts = 0, pages = 0, attachments = 0, comments_pending: waiting = 0 } = inventory.stats;
  const counts = [some(posts, 'post'), some(pages, 'page'), some(attachments, 'file')];
  return [...counts, ...(waiting > 0 ? [`${some(waiting, 'comment')} waiting`] : [])].join(', ');
}

const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

function written(bytes: number | null): string {
  if (bytes === null) return unknown;
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Math.floor(bytes / 1000 ** step)} ${units[step]}`;
}

function lastWord(house: House, { synced_at, membership, is_silent }: Site): Part {
  const told = synced_at === null ? 'never' : moment(house, synced_at, 'medium');
  if (membership === 'paused') return html`${told}; paused`;
  return is_silent ? html`${told}; <strong>no report for too long</strong>` : told;
}

function backedUp(house: House, inventory: Inventory | null): Part {
  if (inventory === null) return unknown;
  return inventory.last_backup === null ? 'never' : moment(house, inventory.last_backup, 'medium');
}

/** The same list at another page. */
export const turned = ({ search, orderby = 'name', page }: Pick<Listed, 'search' | 'orderby' | 'page'>): string =>
  `${hubPath}?${new URLSearchParams({ search, orderby, page: String(page) })}`;

function turning({ at }: House, { page: now, pages, search, orderby = 'name' }: Listed): Html | undefined {
  if (pages < 2) return undefined;
  const to = (number: number, words: string): Html =>
    html`<a class="link" href="${at(turned({ search, orderby, page: number }))}">${words}</a>`;
  return html`<nav class="row" aria-label="Pages">${now > 1 && to(now - 1, 'Before')}<span>Page ${now} of ${pages}</span>${now < pages && to(now + 1, 'After')}</nav>\n`;
}
