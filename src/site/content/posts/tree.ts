// Records that lie below others.
import { sql } from 'kysely';
import type { During } from '#store/writing.ts';
import { mediaTopic, type Writing } from '../tables.ts';
import type { Post } from './post.ts';

/** The name under which writes that move records in the tree wait for each other. */
export const treeLock = 'posts.tree';

/** A tree that was restored from elsewhere may bite its own tail. */
const deepest = 200;

/** Where a record is to lie, and with which picture; 0 for none. */
interface To {
  readonly parent: number;
  readonly featured_media: number;
}

/** The record and what it lies below, as a table `line`. */
const lineOf = (tx: Writing, id: number) =>
  tx.withRecursive('line', (db) =>
    db
      .selectFrom('posts')
      .select(['id', 'parent', sql<number>`0`.as('depth')])
      .where('id', '=', id)
      .unionAll(
        db
          .selectFrom('posts')
          .innerJoin('line', 'line.parent', 'posts.id')
          .select(['posts.id', 'posts.parent', sql<number>`line.depth + 1`.as('depth')])
          .where('line.depth', '<', deepest),
      ),
  );

/**
 * What a record is to lie below, from the top, and its picture. Who moves any of that waits for this write, or this write for them: so
 * the record is told by what is kept in the end, or moves with it.
 */
export async function takeNear(tx: Writing, { parent, featured_media }: To): Promise<Pick<Post, 'id' | 'type'>[]> {
  if (parent === 0 && featured_media === 0) return [];
  return lineOf(tx, parent)
    .selectFrom('posts')
    .select(['id', 'type'])
    .where('id', 'in', (row) =>
      row
        .selectFrom('line')
        .select('id')
        .union(row.selectFrom('posts as picture').select('id').where('id', '=', featured_media)),
    )
    .orderBy('id')
    .forShare()
    .execute();
}

/** The pictures that new records are to have. They stay as they are until this write has ended. */
export async function takePictures(
  tx: Writing,
  all: readonly { readonly featured_media?: number | undefined }[],
): Promise<Pick<Post, 'id' | 'type'>[]> {
  const ids = [...new Set(all.map(({ featured_media = 0 }) => featured_media).filter((id) => id > 0))];
  if (ids.length === 0) return [];
  return tx.selectFrom('posts').select(['id', 'type']).where('id', 'in', ids).orderBy('id').forShare().execute();
}

/** All that lies below the record, as a table `below`. */
const belowOf = (tx: Writing, id: number) =>
  tx.withRecursive('below(id, depth)', (db) =>
    db
      .selectFrom('posts')
      .select(['id', sql<number>`0`.as('depth')])
      .where('parent', '=', id)
      .union(
        db
          .selectFrom('posts')
          .innerJoin('below', 'below.id', 'posts.parent')
          .select(['posts.id', sql<number>`below.depth + 1`.as('depth')])
          .where('below.depth', '<', deepest),
      ),
  );

/**
 * Takes the record, what lies below, and what shows any of that: all that `changedBelow` may change; and where it is to lie and its
 * picture. One after the other by their numbers and before anything else is written, so writers in one branch never wait in a ring.
 */
export async function takeBranch(tx: Writing, { id, type }: Pick<Post, 'id' | 'type'>, to?: To): Promise<void> {
  const children = await tx.selectFrom('posts').select('id').where('parent', '=', id).execute();
  const near = to === undefined ? [] : await idsNear(tx, to);
  if (children.length === 0 && near.length === 0 && type !== 'attachment') return;
  await belowOf(tx, id)
    .with('branch', (db) =>
      db
        .selectFrom('below')
        .select('id')
        .union(db.selectFrom('posts').select('id').where('id', '=', id)),
    )
    .with('shown', (db) =>
      db
        .selectFrom('posts')
        .select('id')
        .where('featured_media', '>', 0)
        .where('featured_media', 'in', db.selectFrom('branch').select('id'))
        .union(db.selectFrom('branch').select('id'))
        .union(
          db
            .selectFrom('posts')
            .select('id')
            .where('id', 'in', [id, ...near]),
        ),
    )
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', (row) => row.selectFrom('shown').select('id'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** The write holds the lock of the tree, where there is a line. */
async function idsNear(tx: Writing, { parent, featured_media }: To): Promise<number[]> {
  if (parent === 0) return featured_media === 0 ? [] : [featured_media];
  const line = await lineOf(tx, parent).selectFrom('line').select('id').execute();
  return [...line.map(({ id }) => id), featured_media];
}

/** Of a record that stays where it is: it and the picture it is to have. */
export async function takePair(tx: Writing, id: number, picture: number): Promise<void> {
  await tx.selectFrom('posts').select('id').where('id', 'in', [id, picture]).orderBy('id').forNoKeyUpdate().execute();
}

/** The addresses of what lies below change with it, and whether the files among that are seen: so does what shows them. */
export async function changedBelow(
  tx: Writing,
  during: During,
  { id, type }: Pick<Post, 'id' | 'type'>,
): Promise<void> {
  const below = belowOf(tx, id).selectFrom('below').select('id');
  const later = tx.updateTable('posts').set({ version: sql<number>`version + 1` });
  const { numUpdatedRows } = await later.where('id', 'in', below).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n && type !== 'attachment') return;
  during.changed(mediaTopic);
  await later
    .where('featured_media', '>', 0)
    .where((row) => row.or([row('featured_media', '=', id), row('featured_media', 'in', below)]))
    .execute();
}

// The picture a record is shown with.

/** What is no file is passed over. `near`: the one said, if it is there, among others. */
export function pictureOf(
  near: readonly Pick<Post, 'id' | 'type'>[],
  said: number | undefined,
  before: number,
): number {
  if (said === undefined || said === 0) return said ?? before;
  return near.some(({ id, type }) => id === said && type === 'attachment') ? said : before;
}
