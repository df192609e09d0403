// What the public site lists, and what each list is called.

import { formatDate } from '#lib/format-date.ts';
import { type Html, html, markup } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { withoutSteering } from '#lib/printable.ts';
import type { Archive } from '../../content/archives.ts';
import type { Post, Wanted } from '../../content/posts/post.ts';
import { balanced } from '../../content/rendering/balanced.ts';
import { authorNames, shownTitle } from '../../content/rendering/dynamic/open-records.ts';
import { pictureHtml, shownPictures } from '../../content/rendering/dynamic/pictures.ts';
import { titleOf } from './navigation.ts';
import { type Ground, ours } from './needs.ts';

type Some = Omit<Wanted, 'limit' | 'offset'>;

export interface Listed {
  readonly title: string;
  readonly heading: Html;
  /** What it is, in some words. */
  readonly about?: Html | undefined;
  /** Of its first page. */
  readonly address: string;
  /** Behind the addresses of all its pages. */
  readonly query?: string;
  readonly wanted: Some;
  /** Nothing is there when it holds nothing. */
  readonly mayBeEmpty: boolean;
  readonly hasFeed: boolean;
  readonly search?: string;
}

const posts: Some = { types: ['post'], statuses: ['publish'], order: 'desc', orderBy: 'date' };

/** On the front page, or on the page that is made for it. */
export function latest(ground: Ground, page?: { readonly post: Post; readonly address: string }): Listed {
  const title = page === undefined ? ground.title : titleOf(ground, page.post.title);
  const wanted = { ...posts, stickyFirst: true };
  const address = page?.address ?? `${ground.url}/`;
  return { title, heading: html`${title}`, address, wanted, mayBeEmpty: true, hasFeed: false };
}

/** Nothing, where it is nobody's to see: whoever published nothing is not told of. */
export async function archived(ground: Ground, archive: Archive): Promise<Listed | undefined> {
  const { address } = archive;
  const named = (title: string, heading: Html = html`${title}`) => ({ title, heading, address, hasFeed: true });
  switch (archive.kind) {
    case 'term': {
      const { id, taxonomy, name, description } = archive.term;
      const terms = [{ taxonomy, terms: [id], children: true, operator: 'OR' as const, exclude: false }];
      const about = description === '' ? undefined : html`<div>${markup(balanced(description))}</div>`;
      return { ...named(readText(name), markup(balanced(name))), about, wanted: { ...posts, terms }, mayBeEmpty: true };
    }
    case 'author': {
      const { id, name, description } = archive.author;
      if (!(await ground.content.authors.hasPublished(id))) return undefined;
      const about = description === '' ? undefined : html`<p>${readText(description)}</p>`;
      return { ...named(name, html`<bdi>${name}</bdi>`), about, wanted: { ...posts, authors: [id] }, mayBeEmpty: true };
    }
    case 'format': {
      const { format } = archive;
      const title = format.charAt(0).toUpperCase() + format.slice(1);
      return { ...named(title), wanted: { ...posts, formats: [format] }, mayBeEmpty: false };
    }
    case 'date': {
      const { said, after, before } = archive.time;
      const wall = `${said}${'0001-01-01T00:00:00'.slice(said.length)}`;
      const title = formatDate(formOf(ground, said), { wall, utc: wall }, ground);
      return { ...named(title), wanted: { ...posts, after, before }, mayBeEmpty: false };
    }
  }
}

const formOf = ({ set }: Ground, said: string): string => {
  if (said.length > 'YYYY-MM'.length) return set.date_format;
  return said.length > 'YYYY'.length ? 'F Y' : 'Y';
};

const longest = 200;

export function searched(ground: Ground, typed: string): Listed {
  const search = withoutSteering(typed).trim().slice(0, longest).toWellFormed();
  const types = ground.content.kinds.types.filter(({ viewable, name }) => viewable && name !== 'attachment');
  const wanted: Some = {
    types: types.map(({ name }) => name),
    statuses: ['publish'],
    order: 'desc',
    orderBy: search === '' ? 'date' : 'relevance',
    search,
    searchOpen: true,
  };
  const title = search === '' ? 'Search' : `Search for “${search}”`;
  const query = `?s=${encodeURIComponent(search)}`;
  return {
    title,
    heading: html`${title}`,
    address: `${ground.url}/`,
    query,
    wanted,
    mayBeEmpty: true,
    hasFeed: false,
    search,
  };
}

// Records as lists of them show each: the title, when and by whom, a picture and how it begins.

/** A title as what leads to its record. */
export const headed = ({ content }: Pick<Ground, 'content'>, title: string): Html =>
  markup(shownTitle(content.rendering.title(title)));

export async function entries(ground: Ground, posts: readonly Post[]): Promise<Html> {
  const { content } = ground;
  const shown = posts.filter(({ password }) => password === '');
  const [links, names, pictures, prose] = await Promise.all([
    content.permalinks.of(posts),
    authorNames(ground, posts),
    shownPictures(
      { ...ground, media: content.media },
      shown.map(({ featured_media }) => featured_media),
      'medium',
    ),
    content.rendering.prose(),
  ]);
  return html`${posts.map((post) => {
    const picture = pictures.get(post.featured_media);
    const isClosed = post.password !== '';
    return html`<article class="entry">
<h2><a href="${links.get(post.id)}">${headed(ground, post.title)}</a></h2>
${about(ground, post, names.get(post.author))}
${!isClosed && picture && html`<div class="lead">${markup(pictureHtml(picture, 'size-medium'))}</div>\n`}${
  isClosed ? closed(ground) : markup(balanced(prose.excerpt(post)))
}</article>
`;
  })}`;
}

const closed = (ground: Ground): Html => html`<p${ours(ground)}>Enter the password to read this.</p>`;

/** When, and by whom; of pages that goes without saying. */
export function about(ground: Ground, post: Post, name: string | undefined, link?: string): Html | undefined {
  if (post.type !== 'post') return undefined;
  const { said, exact } = ground.told(post);
  const who =
    link === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${link}" rel="author"><bdi>${name}</bdi></a>`;
  return html`<p class="about"><time datetime="${exact}">${said}</time>${name !== undefined && html` · ${who}`}</p>`;
}
