// Revisions as they are kept and as everybody else sees them.
import type { Selectable } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { ContentTables, RevisionsTable } from '../tables.ts';
import type { Revision } from './revision.ts';

export type Db = Reads<ContentTables>;

export const columns = [
  'id',
  'post_id',
  'autosave',
  'author',
  'date',
  'date_gmt',
  'meta',
  'title',
  'excerpt',
  'content',
] as const satisfies readonly (keyof RevisionsTable)[];

export const asSeen = ({ meta, ...row }: Selectable<RevisionsTable>): Revision => ({ ...row, meta: JSON.parse(meta) });

export async function findRevision(db: Db, id: number): Promise<Revision | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  const row = await db.selectFrom('revisions').select(columns).where('id', '=', id).executeTakeFirst();
  return row && asSeen(row);
}
