// The files that a shortcode names, or that belong to a record, as anybody may see them.
import type { MediaFile } from '../../media/media.ts';
import type { Order, Post } from '../../posts/post.ts';
import { statusOf } from '../../statuses.ts';
import type { Asked } from '../live.ts';
import type { RenderingNeeds } from '../needs.ts';
import { numberOf, numbersOf, wordOf } from './said.ts';

export type ListedNeeds = Pick<RenderingNeeds, 'posts' | 'media' | 'permalinks'>;

export interface Listed {
  readonly id: number;
  readonly link: string;
  readonly title: string;
  readonly caption: string;
  readonly file: Pick<MediaFile, 'file' | 'width' | 'height' | 'sizes' | 'alt_text'>;
}

/** Of one shortcode. */
const most = 500;

/** `of`: the first part of what kind of file they are. */
export async function listed(needs: ListedNeeds, kind: string, asked: Asked): Promise<Listed[]> {
  const posts = await shownOf(needs, await namedOf(needs, kind, asked), asked.of);
  const [files, links] = await Promise.all([needs.media.files(posts.map(({ id }) => id)), needs.permalinks.of(posts)]);
  return posts.flatMap(({ id, title, excerpt }) => {
    const kept = files.get(id);
    if (kept === undefined) return [];
    const { file, width, height, sizes, alt_text } = kept;
    const shown = { file, width, height, sizes, alt_text };
    return [{ id, link: links.get(id) ?? '', title, caption: excerpt, file: shown }];
  });
}

async function namedOf({ posts }: ListedNeeds, kind: string, { attributes, of }: Asked): Promise<Post[]> {
  const ids = numbersOf(attributes.ids, most);
  const include = ids.length > 0 ? ids : numbersOf(attributes.include, most);
  const parent = numberOf(attributes.id, Number.MAX_SAFE_INTEGER) ?? of?.id ?? 0;
  if (include.length === 0 && parent === 0) return [];
  const which = include.length > 0 ? { include } : { parents: [parent], exclude: numbersOf(attributes.exclude, most) };
  const { items } = await posts.list({
    types: ['attachment'],
    statuses: ['inherit', 'publish'],
    mediaTypes: [kind],
    limit: most,
    offset: 0,
    order: wordOf(attributes.order, ['asc', 'desc']) ?? 'asc',
    orderBy: orderOf(attributes.orderby, ids.length > 0 ? 'include' : 'menu_order'),
    ...which,
  });
  return items;
}

const orders: Readonly<Record<string, Order>> = {
  menu_order: 'menu_order',
  title: 'title',
  post_title: 'title',
  date: 'date',
  post_date: 'date',
  modified: 'modified',
  post_modified: 'modified',
  name: 'slug',
  post_name: 'slug',
  author: 'author',
  parent: 'parent',
  id: 'id',
  none: 'id',
  post__in: 'include',
};

/** By the first that it names. */
function orderOf(said: unknown, usual: Order): Order {
  const [first = ''] =
    typeof said === 'string'
      ? said
          .trim()
          .toLowerCase()
          .split(/[\s,]+/, 1)
      : [];
  return Object.hasOwn(orders, first) ? orders[first]! : usual;
}

/** A file that belongs to a record is seen by whoever sees that. */
async function shownOf({ posts }: ListedNeeds, some: readonly Post[], of: Post | undefined): Promise<Post[]> {
  const others = some.map(({ parent }) => parent).filter((parent) => parent > 0 && parent !== of?.id);
  const above = await posts.some([...new Set(others)]);
  const isSeen = ({ status, parent, password }: Post): boolean => {
    const other = parent === of?.id ? undefined : above.get(parent);
    return password === '' && (status === 'publish' || other === undefined || statusOf(other.status)?.public === true);
  };
  return some.filter(isSeen);
}
