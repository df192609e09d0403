// Whether what is kept of content fits together: nothing points at what is not there, and what is counted is what there is.
import { sql } from 'kysely';
import type { AnyStore } from '#store/store.ts';

/** A column, and the table whose numbers it names; 0 names nothing. */
const pointers = [
  ['posts', 'parent', 'posts'],
  ['posts', 'author', 'users'],
  ['post_meta', 'post_id', 'posts'],
  ['old_slugs', 'post_id', 'posts'],
  ['media', 'post_id', 'posts'],
  ['post_terms', 'post_id', 'posts'],
  ['post_terms', 'term_id', 'terms'],
  ['terms', 'parent', 'terms'],
  ['revisions', 'post_id', 'posts'],
  ['comments', 'post_id', 'posts'],
  ['comments', 'parent', 'comments'],
] as const;

/** What is counted, and the same counted anew. */
const counted = [
  ['posts', sql`select type || '/' || status as key, count(*) as total from posts group by 1`],
  ['posts.author', sql`select author || '/' || type || '/' || status as key, count(*) as total from posts group by 1`],
  [
    'posts.term',
    sql`select term_id || '/' || type || '/' || status as key, count(*) as total from post_terms group by 1`,
  ],
  ['terms', sql`select taxonomy as key, count(*) as total from terms group by 1`],
  ['comments', sql`select type || '/' || status as key, count(*) as total from comments group by 1`],
  [
    'comments.post',
    sql`select post_id || '/' || type || '/' || status as key, count(*) as total from comments group by 1`,
  ],
] as const;

interface Total {
  readonly key: string;
  readonly total: number | string;
}

const totals = (rows: readonly Total[]): Record<string, number> =>
  Object.fromEntries(
    rows
      .map(({ key, total }): [string, number] => [key, Number(total)])
      .filter(([, total]) => total !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** What does not fit, in words; nothing where all does. */
export async function misfits({ db }: AnyStore): Promise<string[]> {
  const wrong: string[] = [];
  for (const [table, column, target] of pointers) {
    const from = sql.table(table);
    const { rows } = await sql`select t.${sql.ref(column)} as id from ${from} t where t.${sql.ref(column)} <> 0
      and not exists (select 1 from ${sql.table(target)} o where o.id = t.${sql.ref(column)})`.execute(db);
    if (rows.length > 0) wrong.push(`${table}.${column}: ${JSON.stringify(rows)}`);
  }
  for (const [topic, query] of counted) {
    const kept = await sql<Total>`select key, total from totals where topic = ${topic}`.execute(db);
    const [told, real] = [totals(kept.rows), totals(((await query.execute(db)) as { rows: Total[] }).rows)];
    if (JSON.stringify(told) !== JSON.stringify(real))
      wrong.push(`${topic}: counted ${JSON.stringify(told)}, there are ${JSON.stringify(real)}`);
  }
  const stale = await sql`select p.id from post_terms t join posts p on p.id = t.post_id
    where t.status <> p.status or t.type <> p.type or t.date <> p.date`.execute(db);
  if (stale.rows.length > 0) wrong.push(`post_terms of ${JSON.stringify(stale.rows)}`);
  const terms = await sql<{ id: number; count: number }>`select id, count from terms t where count <>
    (select count(*) from post_terms p where p.term_id = t.id and p.status = 'publish')`.execute(db);
  if (terms.rows.length > 0) wrong.push(`terms.count: ${JSON.stringify(terms.rows)}`);
  return wrong;
}
