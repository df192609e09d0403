// What is kept of mail besides the queue: how much an address was sent lately, and what waits for the next digest to it.
import type { Generated } from 'kysely';
import type { Instant } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';

interface MailCountsTable {
  /** In small letters. */
  address: string;
  /** Its beginning. */
  hour: Instant;
  messages: number;
}

export interface MailDigestsTable {
  id: Generated<number>;
  address: string;
  digest: string;
  subject: string;
  /** In milliseconds. */
  every: number;
  /** When the last one was sent; the first counts from its first entry. */
  since: Instant;
  due_at: Instant;
  /** Entries since then, also those that were too many to keep. */
  gathered: number;
}

interface MailEntriesTable {
  id: Generated<number>;
  digest_id: number;
  added_at: Instant;
  sealed: string;
}

export interface MailTables {
  mail_counts: MailCountsTable;
  mail_digests: MailDigestsTable;
  mail_entries: MailEntriesTable;
}

const mail: TableOwner['migrations'][number] = {
  name: '0001-mail',
  up: async ({ db, table, column }) => {
    await table('mail_counts')
      .addColumn('address', column.text, (c) => c.notNull())
      .addColumn('hour', column.instant, (c) => c.notNull())
      .addColumn('messages', column.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('mail_counts_key', ['address', 'hour'])
      .execute();
    await table('mail_digests')
      .addColumn('id', column.id)
      .addColumn('address', column.text, (c) => c.notNull())
      .addColumn('digest', column.text, (c) => c.notNull())
      .addColumn('subject', column.text, (c) => c.notNull())
      .addColumn('every', column.integer, (c) => c.notNull())
      .addColumn('since', column.instant, (c) => c.notNull())
      .addColumn('due_at', column.instant, (c) => c.notNull())
      .addColumn('gathered', column.integer, (c) => c.notNull())
      .addUniqueConstraint('mail_digests_key', ['address', 'digest'])
      .execute();
    await db.schema.createIndex('mail_digests_due').on('mail_digests').columns(['due_at', 'id']).execute();
    await table('mail_entries')
      .addColumn('id', column.id)
      .addColumn('digest_id', column.integer, (c) => c.notNull().references('mail_digests.id'))
      .addColumn('added_at', column.instant, (c) => c.notNull())
      .addColumn('sealed', column.text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('mail_entries_by_digest').on('mail_entries').columns(['digest_id', 'id']).execute();
  },
};

export const mailTables: TableOwner = {
  owner: 'mail',
  migrations: [mail],
  quiet: ['mail_counts', 'mail_digests', 'mail_entries'],
};
