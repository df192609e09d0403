// What the public site lists, and what each list is called.

import { formatDate } from '#lib/format-date.ts';
import { type Html, html, markup } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { withoutSteering } from '#lib/printable.ts';
import type { Archive } from '../../content/archives.ts';
import type { Post, Wanted } from '../../content/posts/post.ts';
import { balanced } from '../../content/rendering/balanced.ts';
import type { Ground } from './needs.ts';
import { titleOf } from './page-tree.ts';

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
