// Addresses that name what they want by its number or its slug, as links of old have it. Each leads to the one address of it.

import { nobody } from '#kernel/caller.ts';
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import type { Archive } from '../../content/archives.ts';
import type { Post } from '../../content/posts/post.ts';
import { textOf } from '../forms.ts';
import { numberIn } from './asked.ts';
import { leadTo } from './frame.ts';
import { archived } from './lists.ts';
import type { Ground } from './needs.ts';

/** What everybody may see of what is kept. */
export interface Found {
  readonly post: Post;
  readonly address: string;
}

/** What everybody may see of what this path leads to. */
export async function found(
  ground: Pick<Ground, 'content' | 'url'>,
  parts: readonly string[],
): Promise<Found | undefined> {
  return foundAt(ground, `${ground.url}/${parts.join('/')}`);
}

export async function foundAt(ground: Pick<Ground, 'content'>, url: string): Promise<Found | undefined> {
  const { content } = ground;
  const post = await content.permalinks.at(url);
  if (post === undefined || !(await isOpen(ground, post))) return undefined;
  return { post, address: (await content.permalinks.of([post])).get(post.id)! };
}

const isOpen = async ({ content }: Pick<Ground, 'content'>, post: Post): Promise<boolean> =>
  content.kinds.type(post.type)?.viewable === true && (await content.rights.mayRead(nobody, post));

type Way = (ground: Ground, query: Visit['query'], name: string) => Promise<string | undefined>;

const toRecord: Way = async (ground, query, name) => {
  const post = await ground.content.posts.find(numberIn(query, name) ?? 0);
  if (post === undefined || !(await isOpen(ground, post))) return undefined;
  return (await ground.content.permalinks.of([post])).get(post.id);
};

const ifShown = async (ground: Ground, archive: Archive | undefined): Promise<string | undefined> =>
  archive && (await archived(ground, archive))?.address;

const toAuthor: Way = async (ground, query, name) => {
  const author = await ground.content.archives.findAuthor(numberIn(query, name) ?? 0);
  return ifShown(ground, author && ground.content.archives.ofAuthor(author));
};

const toCategory: Way = async (ground, query, name) => {
  const term = await ground.content.terms.find(numberIn(query, name) ?? 0);
  return term?.taxonomy === 'category' ? ifShown(ground, await ground.content.archives.ofTerm(term)) : undefined;
};

/** As slugs are kept: what stands between strokes. */
const slugsIn = (query: Visit['query'], name: string): string[] =>
  encodeURIComponent(textOf(query, name).toWellFormed()).toLowerCase().split('%2f').filter(Boolean);

const toTerm = async (ground: Ground, taxonomy: string, [...slugs]: readonly string[]): Promise<string | undefined> => {
  const term = await ground.content.terms.named(taxonomy, slugs.at(-1) ?? '');
  return ifShown(ground, term && (await ground.content.archives.ofTerm(term)));
};

const toSlug =
  (taxonomy: string): Way =>
  (ground, query, name) =>
    toTerm(ground, taxonomy, slugsIn(query, name));

/** What sorts things that have no page has none either. */
const toTaxonomy: Way = async (ground, query, name) => {
  const taxonomy = ground.content.kinds.taxonomy(textOf(query, name));
  return taxonomy?.public ? toTerm(ground, taxonomy.name, slugsIn(query, 'term')) : undefined;
};

const toPost: Way = async ({ content }, query, name) => {
  const slugs = slugsIn(query, name).slice(-1);
  if (slugs.length === 0) return undefined;
  const wanted = { types: ['post'], statuses: ['publish'], slugs, limit: 1, offset: 0 };
  const { items } = await content.posts.list({ ...wanted, order: 'asc', orderBy: 'id' });
  return (await content.permalinks.of(items)).get(items[0]?.id ?? 0);
};

const toTree: Way = async (ground, query, name) => {
  const there = await found(ground, slugsIn(query, name));
  return there?.post.type === 'page' ? there.address : undefined;
};

const toNamedAuthor: Way = async (ground, query, name) => {
  const { permalinks, archives } = ground.content;
  const path = permalinks.ofAuthor(textOf(query, name).toWellFormed()).slice(ground.url.length).toLowerCase();
  return ifShown(ground, await archives.at(path.split('/').filter(Boolean)));
};

const toTime: Way = async (ground, query, name) => {
  const [, ...parts] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(textOf(query, name)) ?? [];
  const said = parts.filter((part) => part !== undefined).join('-');
  return ground.content.archives.ofTime(said)?.address;
};

const dates = [
  ['year', 4],
  ['monthnum', 2],
  ['day', 2],
] as const;

const toDate: Way = async ({ content }, query) => {
  const said = dates.map(([name, length]) => numberIn(query, name)?.toString().padStart(length, '0'));
  return content.archives.ofTime(said.filter((part) => part !== undefined).join('-'))?.address;
};

const toFeed: Way = async ({ url }, query, name) =>
  textOf(query, name).startsWith('comments-') ? `${url}/comments/feed/` : `${url}/feed/`;

const toPage: Way = async ({ url }, query, name) => {
  const number = numberIn(query, name) ?? 0;
  return number > 1 && number < 1_000_000 ? `${url}/page/${number}/` : `${url}/`;
};

const ways: readonly (readonly [name: string, way: Way])[] = [
  ['p', toRecord],
  ['page_id', toRecord],
  ['attachment_id', toRecord],
  ['author', toAuthor],
  ['name', toPost],
  ['pagename', toTree],
  ['author_name', toNamedAuthor],
  ['cat', toCategory],
  ['category_name', toSlug('category')],
  ['tag', toSlug('post_tag')],
  ['taxonomy', toTaxonomy],
  ['m', toTime],
  ['year', toDate],
  ['feed', toFeed],
  ['paged', toPage],
];

/** Nothing, where the query says nothing of this kind; nothing once it is looked up, where there is no such thing. */
export function byNumber(ground: Ground, query: Visit['query']): Promise<PageAnswer | undefined> | undefined {
  const asked = ways.find(([name]) => typeof query[name] === 'string' && query[name] !== '');
  if (asked === undefined) return undefined;
  const [name, way] = asked;
  return way(ground, query, name).then((address) => (address === undefined ? undefined : leadTo(address)));
}
