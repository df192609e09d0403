import type { CompiledQuery, OperationNode } from 'kysely';
import { Lru } from '#lib/lru.ts';

/** The tables a statement names, and those of them it writes. */
interface Touched {
  readonly tables: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
}

const KNOWN = new Lru<string, Touched>(2000);

/** Read off the statement once, then remembered by its text. */
export function tablesOf(query: CompiledQuery): Touched {
  const known = KNOWN.get(query.sql);
  if (known) return known;
  const touched = { tables: new Set<string>(), written: new Set<string>() };
  const found = { ...touched, raw: false };
  visit(query.query, found, false);
  if (found.raw) readText(query.sql, touched);
  KNOWN.set(query.sql, touched);
  return touched;
}

interface Collected {
  readonly tables: Set<string>;
  readonly written: Set<string>;
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

function visit(node: unknown, found: Collected, writes: boolean): void {
  if (Array.isArray(node)) {
    for (const part of node) visit(part, found, writes);
    return;
  }
  if (!isNode(node) || node.kind === 'ReferenceNode') return; // a reference names an alias as well as a table
  if (node.kind === 'RawNode') found.raw = true;
  if (node.kind === 'TableNode') {
    const name = (node as OperationNode & { table: { identifier: { name: string } } }).table.identifier.name;
    found.tables.add(name);
    if (writes) found.written.add(name);
    return;
  }
  const target = TARGETS[node.kind];
  for (const [name, part] of Object.entries(node))
    visit(part, found, name === target || (writes && target === undefined));
}

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
function readText(text: string, { tables, written }: Omit<Collected, 'raw'>): void {
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
