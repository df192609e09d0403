// Records that everybody may read, with as much of them as lists of them show.
import { sql } from 'kysely';
import { built } from '#store/built.ts';
import type { Reads } from '#store/handles.ts';
import type { ContentTables } from '../../tables.ts';
import { quoted } from './markup.ts';
import type { BlockNeeds } from './needs.ts';

const columns = [
  'id',
  'type',
  'status',
  'author',
  'parent',
  'slug',
  'date',
  'date_gmt',
  'featured_media',
  'title',
] as const;

const readOpen = built((db: Reads<Pick<ContentTables, 'posts'>>, ids) =>
  db
    .selectFrom('posts')
    .select(columns)
    .where('id', 'in', ids)
    .where('status', '=', 'publish')
    .where('password', '=', ''),
);

export type OpenRecord = Awaited<ReturnType<typeof readOpen>>[number];

/** Those that are published and not closed by a password, in their order. */
export async function openRecords({ store }: Pick<BlockNeeds, 'store'>, ids: readonly number[]): Promise<OpenRecord[]> {
  if (ids.length === 0) return [];
  const found = new Map((await readOpen(store.db, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export const titleOf = ({ title }: Pick<BlockNeeds, 'title'>, record: Pick<OpenRecord, 'title'>): string =>
  quoted(title(record.title)) || '(no title)';

/** More of a text no excerpt is made from. */
const farEnough = 70_000;

/** Of such records, by number, as HTML without paragraphs. */
export async function excerptsOf(
  { store, prose }: Pick<BlockNeeds, 'store' | 'prose'>,
  ids: readonly number[],
  words: number,
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('posts')
    .select(['id', 'excerpt', sql<string>`substr(content, 1, ${sql.lit(farEnough)})`.as('content')])
    .where('id', 'in', ids)
    .execute();
  const { excerpt } = await prose();
  return new Map(rows.map((row) => [row.id, quoted(withoutParagraphs(excerpt(row, words)))]));
}

export const withoutParagraphs = (html: string): string => html.replace(/<\/?p>/g, '').trim();

/** By number; whoever has published something is known to everybody. */
export async function authorNames(
  { store }: Pick<BlockNeeds, 'store'>,
  records: readonly Pick<OpenRecord, 'author'>[],
): Promise<Map<number, string>> {
  const ids = [...new Set(records.map(({ author }) => author))];
  if (ids.length === 0) return new Map();
  const rows = await store.db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
