// The files that a shortcode names, or that belong to a record, as anybody may see them.
import { sql } from 'kysely';
import type { MediaFile } from '../../media/media.ts';
import type { Order, Post } from '../../posts/post.ts';
import { statusOf } from '../../statuses.ts';
import { longest, shortened } from '../excerpts.ts';
import type { Asked } from '../live.ts';
import type { RenderingNeeds } from '../needs.ts';
import { numberOf, numbersOf, wordOf } from './said.ts';

export type ListedNeeds = Pick<RenderingNeeds, 'store' | 'posts' | 'media' | 'permalinks'>;

/** What `listed` reads of what a shortcode says. */
export const saidOfFiles = ['ids', 'include', 'exclude', 'id', 'order', 'orderby'] as const;

export interface Listed {
  readonly id: number;
  readonly link: string;
  readonly title: string;
  readonly caption: string;
  readonly file: Pick<MediaFile, 'file' | 'width' | 'height' | 'sizes' | 'alt_text' | 'placeholder'>;
}

/** Of one shortcode. */
const most = 500;

/** `kind`: the first part of what kind of file they are. */
export async function listed(needs: ListedNeeds, kind: string, asked: Asked, many = most): Promise<Listed[]> {
  const posts = await shownOf(needs, await namedOf(needs, kind, asked, many), asked.of);
  const [files, links] = await Promise.all([needs.media.files(posts.map(({ id }) => id)), needs.permalinks.of(posts)]);
  return posts.flatMap(({ id, title, caption }) => {
    const kept = files.get(id);
    if (kept === undefined) return [];
    const { file, width, height, sizes, alt_text, placeholder } = kept;
    const shown = { file, width, height, sizes, alt_text, placeholder };
    return [
      {
        id,
        link: links.get(id) ?? '',
        title: shortened(title, longest.title),
        caption: shortened(caption, longest.excerpt),
        file: shown,
      },
    ];
  });
}

async function namedOf(
  { posts, store }: ListedNeeds,
  kind: string,
  { attributes, of }: Asked,
  many: number,
): Promise<Row[]> {
  const ids = numbersOf(attributes.ids, most);
  const include = ids.length > 0 ? ids : numbersOf(attributes.include, most);
  const parent = numberOf(attributes.id, Number.MAX_SAFE_INTEGER) ?? of?.id ?? 0;
  if (include.length === 0 && parent === 0) return [];
  const which = include.length > 0 ? { include } : { parents: [parent], exclude: numbersOf(attributes.exclude, most) };
  const { items } = await posts.listVersions({
    types: ['attachment'],
    statuses: ['inherit', 'publish'],
    mediaTypes: [kind],
    limit: many,
    offset: 0,
    order: wordOf(attributes.order, ['asc', 'desc']) ?? 'asc',
    orderBy: orderOf(attributes.orderby, ids.length > 0 ? 'include' : 'menu_order'),
    ...which,
  });
  if (items.length === 0) return [];
  const found = await readRows(
    store.db,
    items.map(({ id }) => id),
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  return items.flatMap(({ id }) => rows.get(id) ?? []);
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

const start = (column: 'title' | 'excerpt', length: number) =>
  sql<string>`substr(${sql.ref(`posts.${column}`)}, 1, ${sql.lit(length + 1)})`;

/** No more of them than is shown. */
const readRows = (db: ListedNeeds['store']['db'], ids: readonly number[]) =>
  db
    .selectFrom('posts')
    .select(['id', 'type', 'status', 'slug', 'date', 'parent', 'password'])
    .select([start('title', longest.title).as('title'), start('excerpt', longest.excerpt).as('caption')])
    .where('id', 'in', ids)
    .execute();

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
async function shownOf({ store }: ListedNeeds, some: readonly Row[], of: Post | undefined): Promise<Row[]> {
  const others = some.map(({ parent }) => parent).filter((parent) => parent > 0 && parent !== of?.id);
  const above = await statusesOf(store.db, [...new Set(others)]);
  const isSeen = ({ status, parent, password }: Row): boolean => {
    const other = parent === of?.id ? undefined : above.get(parent);
    return password === '' && (status === 'publish' || other === undefined || statusOf(other)?.public === true);
  };
  return some.filter(isSeen);
}

async function statusesOf(db: ListedNeeds['store']['db'], ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('posts').select(['id', 'status']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}
