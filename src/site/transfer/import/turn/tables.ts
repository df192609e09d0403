// Whose turn it is to move in.
import type { Instant } from '#store/columns.ts';
import type { SchemaChange } from '#store/migrate.ts';

export interface TurnsTable {
  name: string;
  /** Of whoever moves in: every write of theirs asks for it. */
  token: string;
  /** Who that is, for whoever goes on with what they broke off. */
  holder: string;
  /** What is moved in, for people. */
  what: string;
  since: Instant;
  leased_until: Instant;
}

export interface TurnTables {
  moving_turns: TurnsTable;
}

export const movingTurns = {
  name: '0004-moving-turns',
  up: async ({ table, column }: SchemaChange) => {
    await table('moving_turns')
      .addColumn('name', column.text, (c) => c.primaryKey())
      .addColumn('token', column.text, (c) => c.notNull())
      .addColumn('holder', column.text, (c) => c.notNull())
      .addColumn('what', column.text, (c) => c.notNull())
      .addColumn('since', column.instant, (c) => c.notNull())
      .addColumn('leased_until', column.instant, (c) => c.notNull())
      .execute();
  },
};
