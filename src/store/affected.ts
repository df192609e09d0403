// Values that stand in the rows which a statement is about to write: read off an insert, and looked up for an update or a delete.
import {
  AliasNode,
  ColumnNode,
  type CompiledQuery,
  createQueryId,
  DeleteQueryNode,
  FromNode,
  IdentifierNode,
  InsertQueryNode,
  type OperationNode,
  PrimitiveValueListNode,
  ReferenceNode,
  SelectQueryNode,
  type Transaction,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import { withoutUndefined } from '#lib/objects.ts';
import type { AnyTables } from './handles.ts';
import { tablesOf } from './statements.ts';

/** The different values of this column, before and after; nothing where the statement does not tell which rows it writes. */
export async function valuesIn(
  query: CompiledQuery,
  column: string,
  tx: Transaction<AnyTables>,
): Promise<readonly unknown[] | undefined> {
  const node = query.query as OperationNode;
  if (tablesOf(query).changes.length !== 1) return undefined;
  if (InsertQueryNode.is(node)) return selectedValues(node, column, tx) ?? insertedValues(node, column);
  const met = rowsMetBy(node);
  const updated = UpdateQueryNode.is(node) ? updatedValues(node, column) : [];
  if (met === undefined || updated === undefined) return undefined;
  const before = await lookedUp(met, column, tx);
  return before.length === 0 ? [] : [...new Set([...before, ...updated])];
}

/** Of rows that a query gives: asked for by the name that the column has in it. */
function selectedValues({ columns, values }: InsertQueryNode, column: string, tx: Transaction<AnyTables>) {
  const at = columns?.findIndex((one) => one.column.name === column) ?? -1;
  if (at < 0 || values === undefined || !SelectQueryNode.is(values)) return undefined;
  const selection = values.selections?.[at]?.selection;
  const given = selection && ReferenceNode.is(selection) ? selection.column : undefined;
  if (given === undefined || !ColumnNode.is(given) || given.column.name !== column) return undefined;
  return lookedUp({ from: FromNode.create([AliasNode.create(values, IdentifierNode.create('given'))]) }, column, tx);
}

function insertedValues({ columns, values, onConflict }: InsertQueryNode, column: string): unknown[] | undefined {
  const at = columns?.findIndex((one) => one.column.name === column) ?? -1;
  if (at < 0 || values === undefined || !ValuesNode.is(values)) return undefined;
  // The row that is there already may hold another value, unless it is found by this one.
  const isKey = onConflict?.columns?.some((one) => ColumnNode.is(one) && one.column.name === column);
  if (onConflict?.updates !== undefined && isKey !== true) return undefined;
  const found = new Set<unknown>();
  for (const row of values.values) {
    const value = PrimitiveValueListNode.is(row) ? row.values[at] : valueIn(ValueListNode.is(row) && row.values[at]);
    if (value === undefined) return undefined;
    found.add(value);
  }
  return [...found];
}

function updatedValues({ updates = [] }: UpdateQueryNode, column: string): unknown[] | undefined {
  const set = updates.filter((one) => !ColumnNode.is(one.column) || one.column.column.name === column);
  const values = set.map((one) => (ColumnNode.is(one.column) ? valueIn(one.value) : undefined));
  return values.includes(undefined) ? undefined : values;
}

const valueIn = (node: OperationNode | false | undefined): unknown =>
  node && ValueNode.is(node) ? node.value : undefined;

type Met = Pick<SelectQueryNode, 'where' | 'with'> & { readonly from: FromNode };

/** The rows that an update or a delete meets. */
function rowsMetBy(node: OperationNode): Met | undefined {
  if (UpdateQueryNode.is(node) && node.table !== undefined && node.from === undefined && node.joins === undefined)
    return withoutUndefined({ from: FromNode.create([node.table]), where: node.where, with: node.with });
  if (DeleteQueryNode.is(node) && node.using === undefined && node.joins === undefined)
    return withoutUndefined({ from: node.from, where: node.where, with: node.with });
  return undefined;
}

async function lookedUp(met: Met, column: string, tx: Transaction<AnyTables>): Promise<unknown[]> {
  const query = tx.selectFrom('').select(column).distinct().toOperationNode();
  const compiled = tx.getExecutor().compileQuery<Record<string, unknown>>({ ...query, ...met }, createQueryId());
  return (await tx.executeQuery(compiled)).rows.map((row) => row[column]);
}
