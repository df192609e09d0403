import type { CompiledQuery, OperationNode } from 'kysely';
import { Lru } from '#lib/lru.ts';

/** The tables a statement names, and those of them it writes. */
export interface Touched {
  readonly tables: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
}

const KNOWN = new Lru<string, Touched>(2000);

/** Read off the statement once, then remembered by its text. */
export function tablesOf(query: CompiledQuery): Touched {
  const known = KNOWN.get(query.sql);
  if (known) return known;
  const touched = { tables: new Set<string>(), written: new Set<string>() };
  visit(query.query, touched, false);
  if (query.query.kind === 'RawNode') readText(query.sql, touched);
  KNOWN.set(query.sql, touched);
  return touched;
}

interface Collected {
  tables: Set<string>;
  written: Set<string>;
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

const WRITES =
  /\b(?:insert\s+into|replace\s+into|update(?:\s+only)?|delete\s+from|truncate(?:\s+table)?)\s+"?(\w+)"?/gi;
const READS = /\b(?:from|join)\s+"?(\w+)"?/gi;

/** A raw statement has no nodes to look at. Naming a table too many is harmless: a counter moves for nothing. */
function readText(text: string, found: Collected): void {
  for (const [, name] of text.matchAll(READS)) if (name) found.tables.add(name);
  for (const [, name] of text.matchAll(WRITES)) {
    if (!name) continue;
    found.tables.add(name);
    found.written.add(name);
  }
}
