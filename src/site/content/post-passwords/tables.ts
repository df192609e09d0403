// Wrong passwords of posts, counted for a few minutes.
import type { TableOwner } from '#store/migrate.ts';

export interface GuessTables {
  /** `subject`: the post, the IP address, or both. */
  post_password_guesses: { subject: string; guesses: number; until: string };
}

export const guessTables: TableOwner = {
  owner: 'post-passwords',
  quiet: ['post_password_guesses'],
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
  ],
};
