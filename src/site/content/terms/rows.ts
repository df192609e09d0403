// Terms as they are kept and as everybody else sees them, and what lies above and below them.
import { sql } from 'kysely';
import type { Reads } from '#store/handles.ts';
import type { TermsTable, Writing } from '../tables.ts';
import type { Term } from './term.ts';

type Db = Reads<{ terms: TermsTable }>;

/** Every column that is seen. */
export const columns = [
  'id',
  'taxonomy',
  'slug',
  'name',
  'description',
  'parent',
  'count',
] as const satisfies readonly (keyof TermsTable & keyof Term)[];

/** Those of them that there are, by number. */
export async function someTerms(db: Db, ids: readonly number[]): Promise<Map<number, Term>> {
  const possible = ids.filter(Number.isSafeInteger);
  if (possible.length === 0) return new Map();
  const rows = await db.selectFrom('terms').select(columns).where('id', 'in', possible).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findTerm(db: Db, id: number): Promise<Term | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  return db.selectFrom('terms').select(columns).where('id', '=', id).executeTakeFirst();
}

export async function findNamed(db: Db, taxonomy: string, slug: string): Promise<Term | undefined> {
  // PostgreSQL has no such sign, so it cannot even be asked.
  if (slug.includes('\0')) return undefined;
  const named = db.selectFrom('terms').select(columns).where('taxonomy', '=', taxonomy).where('slug', '=', slug);
  return named.executeTakeFirst();
}

/** These terms and all that is above them, in no order. */
export async function withAbove(db: Db, ids: readonly number[]): Promise<Term[]> {
  const possible = ids.filter(Number.isSafeInteger);
  if (possible.length === 0) return [];
  return db
    .withRecursive('line', (line) =>
      line
        .selectFrom('terms')
        .select(columns)
        .where('id', 'in', possible)
        .union(
          line
            .selectFrom('line')
            .innerJoin('terms', 'terms.id', 'line.parent')
            .select(columns.map((column) => `terms.${column}` as const)),
        ),
    )
    .selectFrom('line')
    .select(columns)
    .execute();
}

/** These terms and all that is below them. */
export async function withBelow(db: Db, ids: readonly number[]): Promise<number[]> {
  const possible = ids.filter(Number.isSafeInteger);
  if (possible.length === 0) return [];
  const rows = await db
    .withRecursive('line', (line) =>
      line
        .selectFrom('terms')
        .select(['id', 'taxonomy'])
        .where('id', 'in', possible)
        .union(
          line
            .selectFrom('line')
            .innerJoin('terms', (join) =>
              join.onRef('terms.taxonomy', '=', 'line.taxonomy').onRef('terms.parent', '=', 'line.id'),
            )
            .select(['terms.id', 'terms.taxonomy']),
        ),
    )
    .selectFrom('line')
    .select('id')
    .orderBy(sql.ref('id'))
    .execute();
  return rows.map(({ id }) => id);
}

// How many published records carry a term: kept in its row, by the write that makes it so.

/**
 * So many more, or fewer, of each. Answers which terms there are: they stay until the write ends, since whoever deletes one
 * takes its row first. One after another and in one order, so that writers never wait in a ring.
 */
export async function held(tx: Writing, more: Readonly<Record<number, number>>): Promise<ReadonlySet<number>> {
  const there = new Set<number>();
  // Members that are whole numbers come sorted.
  for (const [key, by] of Object.entries(more)) {
    const id = Number(key);
    const row = await tx
      .updateTable('terms')
      .set({ count: sql<number>`count + ${by}` })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (row !== undefined) there.add(id);
  }
  return there;
}

/** The same of one, where it is of this kind. */
export async function heldAs(tx: Writing, id: number, taxonomy: string, by: number): Promise<boolean> {
  const row = await tx
    .updateTable('terms')
    .set({ count: sql<number>`count + ${by}` })
    .where('id', '=', id)
    .where('taxonomy', '=', taxonomy)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
