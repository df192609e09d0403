// What is kept of rules, and how a rule is read again.
import type { Generated, Selectable } from 'kysely';
import type { Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';
import type { Rule } from './engine/rule.ts';
import { isRecord } from './engine/subject.ts';

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
  /** When the feed that was used last was issued. */
  secsuite_rule_feeds: { provider: string; issued: Instant };
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
  {
    name: '0002-suite-rule-feeds',
    up: async ({ table, column }) => {
      await table('secsuite_rule_feeds')
        .addColumn('provider', column.text, (c) => c.primaryKey())
        .addColumn('issued', column.instant, (c) => c.notNull())
        .execute();
    },
  },
];

export type Row = Selectable<RuleTables['secsuite_firewall_rules']>;

/** What a rule does, with whatever else was said of it. */
type Config = Omit<Rule, 'id'> & Readonly<Record<string, unknown>>;

export interface StoredRule extends Omit<Row, 'config' | 'folded'> {
  readonly config: Config;
}

export const ofPeople = 'user';

/** Nothing for a row that cannot be read. */
export function readRule({ config: text, folded: _, ...row }: Row): StoredRule | undefined {
  try {
    const config: unknown = JSON.parse(text);
    return isRecord(config) ? { ...row, config: config as Config } : undefined;
  } catch {
    return undefined;
  }
}

/** As the engine and the log know it. */
export const nameOf = ({ id, vulnerability }: Pick<Row, 'id' | 'vulnerability'>): string =>
  vulnerability === '' ? String(id) : `${id}|${vulnerability}`;
