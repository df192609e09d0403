// What is kept of mail besides the queue: what waits for the next digest to an address.
import { type Generated, sql } from 'kysely';
import { hour } from '#lib/spans.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';

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

/** Messages to each address were counted by the hour of the clock, in a table of their own. */
const limits: TableOwner['migrations'][number] = {
  name: '0002-mail-limits',
  up: async ({ db }) => {
    const latest = await db.selectFrom('mail_counts').select('hour').orderBy('hour', 'desc').executeTakeFirst();
    if (latest !== undefined) {
      const until = instant(new Date(Date.parse(String(latest.hour)) + hour));
      await sql`insert into rate_limits (subject, used, until)
        select 'mail ' || address, messages, ${until} from mail_counts where hour = ${latest.hour}`.execute(db);
    }
    await db.schema.dropTable('mail_counts').execute();
  },
};

export const mailTables: TableOwner = {
  owner: 'mail',
  migrations: [mail, limits],
  quiet: ['mail_digests', 'mail_entries'],
};
