// A page of a list: its entries, and the ways to the pages before and after.
import type { PageAnswer } from '#kernel/http/page.ts';
import { urlBelow } from '#lib/addresses.ts';
import { type Html, html } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { entries } from './entries.ts';
import { isSpelled, leadTo, leaf, searchForm } from './frame.ts';
import type { Listed } from './lists.ts';
import type { Ground } from './needs.ts';
import { ours } from './needs.ts';

/** Nothing, where there is no such page of it. */
export async function list(ground: Ground, listed: Listed, page: number, url: string): Promise<PageAnswer | undefined> {
  const address = pageAddress(listed, page);
  const isSearch = listed.search !== undefined;
  if (!isSpelled(ground, address, url)) return leadTo(address);
  const nothing = listed.search === '';
  const { items, total } = nothing ? none : await posts(ground, listed, page);
  const pages = Math.ceil(total / ground.perPage);
  if (page > Math.max(1, pages) || (items.length === 0 && !listed.mayBeEmpty)) return undefined;
  const { title, heading, about } = listed;
  return leaf(ground, {
    title: page === 1 ? title : `${title}, page ${page}`,
    description: about && readText(String(about)).trim().slice(0, longestLine),
    url,
    isUnlisted: isSearch,
    isSearch,
    // However many are searched for, none of them is kept.
    ...(!isSearch && { address }),
    ...(listed.hasFeed && { feed: { title: `${title} · ${ground.title}`, url: urlBelow(listed.address, 'feed/') } }),
    // Where it is called as the site, that is written above it.
    body: html`<h1${title === ground.title && html` class="unseen"`}>${heading}</h1>
${page === 1 && about && html`<div class="about">${about}</div>\n`}${isSearch && searchForm(ground, listed.search)}
${items.length > 0 ? await entries(ground, items) : !nothing && html`<p${ours(ground)}>${isSearch ? 'Nothing was found.' : 'Nothing is here yet.'}</p>`}
${turning(ground, listed, page, pages)}`,
  });
}

const longestLine = 200;
const none = { items: [], total: 0 };

const posts = ({ content, perPage }: Ground, { wanted }: Listed, page: number) =>
  content.posts.list({ ...wanted, limit: perPage, offset: (page - 1) * perPage });

const pageAddress = ({ address, query = '' }: Listed, page: number): string =>
  `${page === 1 ? address : urlBelow(address, `page/${page}/`)}${query}`;

function turning(ground: Ground, listed: Listed, page: number, pages: number): Html | undefined {
  if (pages < 2) return undefined;
  const to = (number: number, words: string, rel: string): Html =>
    html`<a href="${pageAddress(listed, number)}" rel="${rel}">${words}</a>`;
  const [before, after] = listed.search === undefined ? ['Newer posts', 'Older posts'] : ['Back', 'More'];
  return html`<nav class="turn" aria-label="Pages of this list"${ours(ground)}>
<div>${page > 1 && to(page - 1, before, 'prev')}</div>
<div>Page ${page} of ${pages}</div>
<div>${page < pages && to(page + 1, after, 'next')}</div>
</nav>`;
}
