// Notes: what people who edit a record say to each other about it. They are kept as comments of a type of their own, and nobody else
// sees them. A note may say that the question was settled, or is open again.
import type { Reads } from '#store/handles.ts';
import type { CommentsTable, ContentTables, Writing } from '../tables.ts';

export const noteType = 'note';

export const isNote = ({ type }: Pick<CommentsTable, 'type'>): boolean => type === noteType;

/** What a note says of the question it is about. */
export const noteStatuses = ['resolved', 'reopen'] as const;
export type NoteStatus = (typeof noteStatuses)[number];

/** One that says only that, and has no words. */
export const isBareNote = ({ type, noteStatus, content = '' }: Partial<CommentsTable> & Noted): boolean =>
  type === noteType && (noteStatus ?? null) !== null && content.trim() === '';

export interface Noted {
  /** Null takes it away; nothing leaves it as it is. */
  readonly noteStatus?: NoteStatus | null | undefined;
}

/** Under which key it is kept. */
const key = '_wp_note_status';

type Db = Reads<Pick<ContentTables, 'comment_meta'>>;

/** Of those that say something, by number. */
export async function noteStatusesOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, NoteStatus>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('comment_meta')
    .select(['comment_id', 'value'])
    .where('comment_id', 'in', ids)
    .where('key', '=', key)
    .execute();
  return new Map(rows.map(({ comment_id, value }) => [comment_id, JSON.parse(value) as NoteStatus]));
}

export async function keepNoteStatus(tx: Writing, comment_id: number, { noteStatus: status }: Noted): Promise<void> {
  if (status === undefined) return;
  await tx.deleteFrom('comment_meta').where('comment_id', '=', comment_id).where('key', '=', key).execute();
  if (status === null) return;
  await tx
    .insertInto('comment_meta')
    .values({ comment_id, key, value: JSON.stringify(status) })
    .execute();
}
