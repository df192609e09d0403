// What is kept of rules.
import type { Generated } from 'kysely';
import type { Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

interface RulesTable {
  id: Generated<number>;
  /** `user` for rules that people made. */
  provider: string;
  /** What it is called there; empty for rules of people. */
  provider_ref: string;
  name: string;
  /** The name as it is looked for. */
  folded: string;
  /** What it protects against; empty for rules of people. */
  vulnerability: string;
  config: JsonText;
  created_at: Instant;
  paused_at: Instant | null;
}

export interface RuleTables {
  secsuite_firewall_rules: RulesTable;
}

export const firewallMigrations: readonly Migration[] = [
  {
    name: '0001-suite-firewall',
    up: async ({ table, column, db }) => {
      await table('secsuite_firewall_rules')
        .addColumn('id', column.id)
        .addColumn('provider', column.text, (c) => c.notNull())
        .addColumn('provider_ref', column.text, (c) => c.notNull())
        .addColumn('name', column.text, (c) => c.notNull())
        .addColumn('folded', column.text, (c) => c.notNull())
        .addColumn('vulnerability', column.text, (c) => c.notNull())
        .addColumn('config', column.json, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('paused_at', column.instant)
        .execute();
      await db.schema
        .createIndex('secsuite_firewall_rules_by_source')
        .on('secsuite_firewall_rules')
        .columns(['provider', 'provider_ref'])
        .execute();
    },
  },
];
