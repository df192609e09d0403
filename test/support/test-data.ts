// Test data as it is ordered over the interface, and how much of everything there is.
import { sql } from 'kysely';
import { createTestData, type TestData } from '../../src/extensions/test-data/test-data.ts';
import type { Answer, Client, TestSite } from './site.ts';

export const ordered = (client: Client, kind: string, order: object = {}): Promise<Answer> =>
  client.post(`/api/datagen/v1/${kind}/generate`, order);

/** As the command line has it. */
export const testDataOf = ({ app, config }: TestSite): TestData =>
  createTestData({
    ...app.services,
    operator: config,
    program: { version: '1.0.0', isServing: true, extensions: {}, modules: {}, firstGroups: false },
  });

const tables = [
  ...['posts', 'post_meta', 'post_terms', 'old_slugs', 'revisions', 'media', 'posts_search', 'posts_words'],
  ...['users', 'user_meta', 'user_roles', 'terms', 'term_meta', 'comments', 'comment_meta', 'comments_search'],
];

/** Rows by table. */
export async function rowsOf({ app }: TestSite): Promise<Record<string, number>> {
  const { db } = app.services.store;
  const counted = tables.map(async (table) => {
    const { rows } = await sql<{ many: number }>`select count(*) as many from ${sql.table(table)}`.execute(db);
    return [table, Number(rows[0]!.many)];
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** What is counted as it comes and goes, without what counts nothing. */
export async function totalsIn({ app }: TestSite): Promise<Record<string, number>> {
  const rows = await app.services.store.db.selectFrom('totals').selectAll().orderBy('topic').orderBy('key').execute();
  return Object.fromEntries(
    rows.filter(({ total }) => total !== 0).map((row) => [`${row.topic} ${row.key}`, row.total]),
  );
}
