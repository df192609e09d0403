import { CompiledQuery } from 'kysely';
import type { Run } from '../engine.ts';

const TABLES = `select quote_ident(schemaname) || '.' || quote_ident(relname) as name from pg_stat_user_tables`;
const INDEXES = 'select indexrelid::regclass::text as name from pg_index where not indisvalid';
const CONSTRAINTS = 'select conname as name from pg_constraint where not convalidated';
const CHECKSUMS =
  'select checksum_failures as failures from pg_stat_database where datname = current_database() and checksum_failures > 0';

/** Reads every row, which makes the server check every page it reads, and asks for what it knows to be unsound. */
export async function findFaults(run: Run): Promise<string[]> {
  const names = async (text: string) =>
    (await run(CompiledQuery.raw(text))).rows.map((row) => (row as { name: string }).name);
  const faults: string[] = [];
  for (const table of await names(TABLES)) faults.push(...(await unreadable(run, table)));
  for (const index of await names(INDEXES)) faults.push(`The index ${index} is not valid.`);
  for (const constraint of await names(CONSTRAINTS)) faults.push(`The constraint ${constraint} was never checked.`);
  const { rows } = await run(CompiledQuery.raw(CHECKSUMS));
  if (rows.length > 0) faults.push('The server found pages with a wrong checksum.');
  return faults;
}

async function unreadable(run: Run, table: string): Promise<string[]> {
  try {
    await run(CompiledQuery.raw(`select sum(length(t::text)) from ${table} as t`));
    return [];
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? '');
    if (!code.startsWith('XX')) throw error; // class XX: the data itself
    return [`The table ${table} cannot be read: ${(error as Error).message}.`];
  }
}
