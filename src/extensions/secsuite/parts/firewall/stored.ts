// A rule as it is kept, and read again: a row that says nothing anybody understands is no rule.
import type { Selectable } from 'kysely';
import type { Rule } from './engine/rule.ts';
import { isRecord } from './engine/texts.ts';
import type { RuleTables } from './tables.ts';

export type Row = Selectable<RuleTables['secsuite_firewall_rules']>;

/** What a rule does, with whatever else was said of it. */
export type Config = Omit<Rule, 'id'> & Readonly<Record<string, unknown>>;

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
