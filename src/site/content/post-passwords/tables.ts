// Wrong passwords of posts had a table of their own until the rate limits of all nouns came into one.
import { sql } from 'kysely';
import type { TableOwner } from '#store/migrate.ts';

export const guessTables: TableOwner = {
  owner: 'post-passwords',
  migrations: [
    {
      name: '0001-guesses',
      up: async ({ db, table, column }) => {
        await table('post_password_guesses')
          .addColumn('subject', column.text, (c) => c.primaryKey())
          .addColumn('guesses', column.integer, (c) => c.notNull())
          .addColumn('until', column.instant, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('post_password_guesses_over').on('post_password_guesses').column('until').execute();
      },
    },
    {
      name: '0002-rate-limits',
      up: async ({ db }) => {
        await sql`insert into rate_limits (subject, used, until)
          select 'post-password ' || subject, guesses, until from post_password_guesses`.execute(db);
        await db.schema.dropTable('post_password_guesses').execute();
      },
    },
  ],
};
