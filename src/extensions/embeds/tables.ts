import type { Extension } from '#site/extension.ts';

export interface EmbedsTables {
  /** What others answered, by everything that was asked. */
  embeds_answers: {
    key: string;
    /** The answer as JSON; nothing when there was none. */
    answer: string | null;
    /** Why there was none. */
    reason: string | null;
    until: string;
  };
  /** What stands in texts for an address, by the address and what is trusted of it. */
  embeds_shown: {
    key: string;
    /** Nothing, when there was nothing to show. */
    html: string | null;
    kept_at: string;
  };
}

export const tables: Extension['tables'] = {
  quiet: ['embeds_answers'],
  migrations: [
    {
      name: '0001-embeds',
      up: async ({ table, column, db }) => {
        await table('embeds_answers')
          .addColumn('key', column.text, (c) => c.primaryKey())
          .addColumn('answer', column.json)
          .addColumn('reason', column.text)
          .addColumn('until', column.instant, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('embeds_answers_until').on('embeds_answers').column('until').execute();
        await table('embeds_calls')
          .addColumn('user_id', column.integer, (c) => c.primaryKey())
          .addColumn('minute', column.integer, (c) => c.notNull())
          .addColumn('calls', column.integer, (c) => c.notNull())
          .execute();
      },
    },
    {
      name: '0002-shown',
      up: async ({ table, column, db }) => {
        await table('embeds_shown')
          .addColumn('key', column.text, (c) => c.primaryKey())
          .addColumn('html', column.text)
          .addColumn('kept_at', column.instant, (c) => c.notNull())
          .execute();
        await db.schema.createIndex('embeds_shown_kept_at').on('embeds_shown').column('kept_at').execute();
      },
    },
    { name: '0003-rate-limits', up: async ({ db }) => void (await db.schema.dropTable('embeds_calls').execute()) },
  ],
};
