// Addresses that name what they want by its number or its slug, as links of old have it. Each leads to the one address of it.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import type { Archive } from '../../content/archives.ts';
import { textOf } from '../forms.ts';
import { numberIn } from './asked.ts';
import { isOpen } from './found.ts';
import { leadTo } from './frame.ts';
import { archived } from './lists.ts';
import type { Ground } from './needs.ts';

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

const toSlug =
  (taxonomy: string): Way =>
  async (ground, query, name) => {
    const slug = encodeURIComponent(textOf(query, name).toWellFormed()).toLowerCase();
    const term = await ground.content.terms.named(taxonomy, slug.split('%2f').at(-1)!);
    return ifShown(ground, term && (await ground.content.archives.ofTerm(term)));
  };

const toTime: Way = async (ground, query, name) => {
  const [, ...parts] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(textOf(query, name)) ?? [];
  const said = parts.filter((part) => part !== undefined).join('-');
  return ground.content.archives.ofTime(said)?.address;
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
  ['cat', toCategory],
  ['category_name', toSlug('category')],
  ['tag', toSlug('post_tag')],
  ['m', toTime],
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
