import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Row, Run, Shape, View } from '../engine.ts';
import { isDangling, pointsAtNothing } from '../problem.ts';
import { translate } from './failures.ts';

const quoted = pg.escapeIdentifier;

/** How long whoever takes the rows may pause: a pipe to another machine may be slow. */
const PAUSE = '10min';

export async function inSnapshot<R>(client: pg.ClientBase, work: (view: View) => Promise<R>): Promise<R> {
  // Never under a name: one text stands for rows of many kinds.
  const ask = async (text: string, values: unknown[] = []): Promise<Row[]> => {
    try {
      return (await client.query(text, values)).rows;
    } catch (error) {
      throw translate(error);
    }
  };
  await ask('begin isolation level repeatable read read only');
  await ask(`set local idle_in_transaction_session_timeout = '${PAUSE}'`);
  const result = await work({
    run: async ({ sql, parameters }) => ({ rows: await ask(sql, [...parameters]) }),
    rows: (table) => rowsOf(ask, table),
    highest: async (table, column) => highestOf(ask, table, column),
  });
  await ask('commit');
  return result;
}

type Ask = (text: string, values?: unknown[]) => Promise<Row[]>;

/** As many rows at a time as fit into memory even if each were as long as the longest. */
const AT_ONCE = { rows: 500, bytes: 4 * 2 ** 20 };

async function* rowsOf(ask: Ask, table: Shape): AsyncIterable<Row> {
  const longest = await longestOf(ask, table);
  const many = Math.max(1, Math.min(AT_ONCE.rows, Math.floor(AT_ONCE.bytes / Math.max(1, longest))));
  const names = table.columns.map(({ name }) => quoted(name)).join(', ');
  await ask(`declare backup no scroll cursor for select ${names} from ${quoted(table.name)}`);
  for (;;) {
    const rows = await ask(`fetch ${many} from backup`);
    yield* rows;
    if (rows.length < many) break;
  }
  await ask('close backup');
}

/** Known without reading what is long: the server keeps the length apart. */
async function longestOf(ask: Ask, { name, columns }: Shape): Promise<number> {
  const long = columns.filter(({ kind }) => kind === 'text' || kind === 'bytes');
  if (long.length === 0) return 0;
  const lengths = long.map((column) => `coalesce(octet_length(${quoted(column.name)}), 0)::bigint`).join(' + ');
  const [row] = await ask(`select coalesce(max(${lengths}), 0)::bigint as longest from ${quoted(name)}`);
  return Number(row?.longest ?? 0);
}

const SEQUENCE = 'pg_get_serial_sequence($1, $2)::regclass';

async function highestOf(ask: Ask, table: string, column: string): Promise<number> {
  const text = `select coalesce(pg_sequence_last_value(${SEQUENCE}), 0)::bigint as highest`;
  const [row] = await ask(text, [quoted(table), column]);
  return Number(row?.highest ?? 0);
}

export async function startAbove(run: Run, table: string, column: string, highest: number): Promise<void> {
  if (highest < 1) return;
  const isLower = `coalesce(pg_sequence_last_value(${SEQUENCE}), 0) < $3::bigint`;
  const text = `select setval(${SEQUENCE}, $3::bigint) where ${isLower}`;
  await run(CompiledQuery.raw(text, [quoted(table), column, highest]));
}

interface Rule {
  readonly table: string;
  readonly name: string;
  readonly says: string;
}

const RULES = `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as says
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`;

/** The rules are taken away and come back, which checks every row at once. */
export async function loosely(run: Run, work: () => Promise<void>): Promise<void> {
  const rules = (await run(CompiledQuery.raw(RULES))).rows as Rule[];
  for (const { table, name } of rules) await run(CompiledQuery.raw(`alter table ${table} drop constraint ${name}`));
  await work();
  for (const { table, name, says } of rules) await comeBack(run, { table, name, says });
}

async function comeBack(run: Run, { table, name, says }: Rule): Promise<void> {
  try {
    await run(CompiledQuery.raw(`alter table ${table} add constraint ${name} ${says}`));
  } catch (error) {
    throw isDangling(error) ? pointsAtNothing(table, error) : error;
  }
}
