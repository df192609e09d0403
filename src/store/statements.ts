// Statements that are asked all the time, built once for each number of values: from one time to the next, only these differ.
import {
  ColumnNode,
  type CompiledQuery,
  type InsertQueryNode,
  type OperationNode,
  type QueryExecutor,
  type UpdateQueryNode,
} from 'kysely';
import { Lru } from '#lib/lru.ts';

/** Parts of few sizes, so that few statements put many rows. */
export function* inFewSizes<T>(rows: readonly T[]): Iterable<T[]> {
  for (let at = 0; at < rows.length; ) {
    const size = [64, 8, 1].find((one) => one <= rows.length - at)!;
    yield rows.slice(at, at + size);
    at += size;
  }
}

interface Asked {
  getExecutor(): QueryExecutor;
}

/** How many numbers of values are known: a page has a hundred records at most. */
const most = 200;

/** `build` says a statement whose first values are these, in their order. What comes after them is always the same. */
export function built<D extends Asked, R>(
  build: (db: D, values: readonly number[]) => { compile(): CompiledQuery<R> },
): (db: D, values: readonly number[]) => Promise<R[]> {
  const known = new WeakMap<D, Lru<number, CompiledQuery<R>>>();
  const queryFor = (db: D, values: readonly number[]): CompiledQuery<R> => {
    const queries = known.get(db) ?? new Lru<number, CompiledQuery<R>>(most);
    known.set(db, queries);
    const query = queries.get(values.length) ?? build(db, values).compile();
    queries.set(values.length, query);
    return query;
  };
  return async (db, values) => {
    const query = queryFor(db, values);
    const parameters = [...values, ...query.parameters.slice(values.length)];
    return (await db.getExecutor().executeQuery<R>({ ...query, parameters })).rows;
  };
}

/** What a statement does to a table that it writes. */
export interface Change {
  readonly table: string;
  readonly action: 'create' | 'change' | 'delete';
  /** Of an update: what it sets. */
  readonly columns?: readonly string[];
}

/** The tables a statement names, and those of them it writes. */
interface Touched {
  readonly tables: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
  readonly changes: readonly Change[];
}

const KNOWN = new Lru<string, Touched>(2000);

/** Read off the statement once, then remembered by its text. */
export function tablesOf(query: CompiledQuery): Touched {
  const known = KNOWN.get(query.sql);
  if (known) return known;
  const touched = { tables: new Set<string>(), written: new Set<string>(), changes: [] as Change[] };
  const found = { ...touched, raw: false };
  visit(query.query, found, undefined);
  if (found.raw) readText(query.sql, touched);
  for (const table of touched.written)
    if (!touched.changes.some((one) => one.table === table)) touched.changes.push({ table, action: 'change' });
  KNOWN.set(query.sql, touched);
  return touched;
}

interface Collected {
  readonly tables: Set<string>;
  readonly written: Set<string>;
  readonly changes: Change[];
  /** Is a part of it plain SQL, without nodes to look at? */
  raw: boolean;
}

/** Where each writing statement keeps the table it writes. */
const TARGETS: Record<string, string> = {
  InsertQueryNode: 'into',
  UpdateQueryNode: 'table',
  DeleteQueryNode: 'from',
  MergeQueryNode: 'into',
};

/** What the statement does to the table that stands here; nothing where it is only read. */
type Doing = Omit<Change, 'table'> | undefined;

function visit(node: unknown, found: Collected, doing: Doing): void {
  if (Array.isArray(node)) {
    for (const part of node) visit(part, found, doing);
    return;
  }
  if (!isNode(node) || node.kind === 'ReferenceNode') return; // a reference names an alias as well as a table
  if (node.kind === 'RawNode') found.raw = true;
  if (node.kind === 'TableNode') {
    const name = (node as OperationNode & { table: { identifier: { name: string } } }).table.identifier.name;
    found.tables.add(name);
    if (doing === undefined) return;
    found.written.add(name);
    found.changes.push({ table: name, ...doing });
    return;
  }
  const target = TARGETS[node.kind];
  const done = target === undefined ? doing : doingOf(node);
  for (const [name, part] of Object.entries(node))
    visit(part, found, name === target || target === undefined ? done : undefined);
}

function doingOf(node: OperationNode): Doing {
  if (node.kind === 'DeleteQueryNode') return { action: 'delete' };
  if (node.kind === 'UpdateQueryNode') return { action: 'change', columns: columnsIn(node as UpdateQueryNode) };
  const upserts = node.kind === 'MergeQueryNode' || (node as InsertQueryNode).onConflict?.updates !== undefined;
  return { action: upserts ? 'change' : 'create' };
}

const columnsIn = ({ updates = [] }: UpdateQueryNode): string[] =>
  updates.flatMap(({ column }) => (ColumnNode.is(column) ? column.column.name : []));

const isNode = (value: unknown): value is OperationNode =>
  typeof value === 'object' && value !== null && typeof (value as { kind?: unknown }).kind === 'string';

const QUOTED = '"(?:[^"]|"")+"|`[^`]+`|\\[[^\\]]+\\]';
const NAME = `(?:${QUOTED}|[\\p{L}_][\\p{L}\\p{N}_$]*)`;
const PATH = `${NAME}(?:\\s*\\.\\s*${NAME})*`;
const WRITING =
  '(?:insert|replace)(?:\\s+or\\s+\\w+)?\\s+into|merge\\s+into|delete\\s+from|truncate(?:\\s+table)?|(?<!\\b(?:for|do|key)\\s+)update(?:\\s+or\\s+\\w+)?';
const NAMES = new RegExp(NAME, 'gu');
const WRITES = new RegExp(`\\b(?:${WRITING})\\s+(?:only\\s+)?(${PATH}(?:\\s*,\\s*${PATH})*)`, 'giu');

/**
 * Every word of a text may be a table it reads: which of them are, only a parser of both engines' SQL could tell, and a table too
 * many is harmless where one too few leaves an old answer standing. Written are those that stand where a statement names its target.
 */
function readText(text: string, { tables, written }: Pick<Collected, 'tables' | 'written'>): void {
  for (const name of namesIn(text)) tables.add(name);
  for (const [, targets = ''] of text.matchAll(WRITES)) for (const name of lastNamesIn(targets)) written.add(name);
}

/** As it stands and as both engines take it without quotes. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(NAMES)].flatMap(([name]) => (/^["`[]/.test(name) ? [bare(name)] : [name, name.toLowerCase()]));

const lastNamesIn = (targets: string): string[] =>
  [...targets.matchAll(new RegExp(PATH, 'gu'))].flatMap(([path]) => {
    const names = path.match(NAMES) ?? [];
    return namesIn(names.at(-1) ?? '');
  });

const bare = (quoted: string): string => quoted.slice(1, -1).replaceAll('""', '"');
