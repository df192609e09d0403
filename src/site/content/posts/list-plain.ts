// The first pages of a list that nothing narrows: what everybody asks for. One statement, built once for each order.
import { type CompiledQuery, sql } from 'kysely';
import { totalTopics } from '../tables.ts';
import { filtersOf } from './list-filters.ts';
import { pageOf } from './list-order.ts';
import type { Db } from './list-shape.ts';
import type { VersionList, Wanted } from './post.ts';

/** What lies further is skipped by numbers alone, without a look at the records. */
const furthest = 1000;

interface Row {
  readonly id: number;
  readonly version: number;
  readonly total: number;
}

/** Nothing for a list of another kind, and for a page with nothing on it. */
type PlainLists = (wanted: Wanted) => Promise<VersionList | undefined>;

export function createPlainLists(db: Db): PlainLists {
  const built = new Map<string, CompiledQuery<Row>>();
  return async (wanted) => {
    if (!isPlain(wanted)) return undefined;
    const { key, order, limit, offset } = pageOf(wanted);
    const name = `${key} ${order}`;
    const query = built.get(name) ?? statement(db, key, order);
    built.set(name, query);
    const [type, status] = [wanted.types[0]!, wanted.statuses[0]!];
    const parameters = [totalTopics.posts, `${type}/${status}`, type, status, limit, offset];
    const { rows } = await db.getExecutor().executeQuery<Row>({ ...query, parameters });
    const [first] = rows;
    return first && { items: rows, total: first.total };
  };
}

function isPlain(wanted: Wanted): boolean {
  const { types, statuses, search, terms = [], stickyFirst, orderBy, offset } = wanted;
  if (types.length !== 1 || statuses.length !== 1 || offset > furthest) return false;
  if (search !== undefined || terms.length > 0 || stickyFirst === true) return false;
  return !/^(?:include|relevance)/.test(orderBy) && filtersOf(wanted).length === 0;
}

/** With any values: they are said anew each time, in this order. */
function statement(db: Db, key: string, order: 'asc' | 'desc'): CompiledQuery<Row> {
  const total = db.selectFrom('totals').select('totals.total').where('topic', '=', '').where('key', '=', '');
  const by = sql.ref<string>(`posts.${key}`);
  const rows = db
    .selectFrom('posts')
    .select(['posts.id', 'posts.version', sql<number>`coalesce((${total}), 0)`.as('total')])
    .where('posts.type', '=', '')
    .where('posts.status', '=', '');
  const sorted = key === 'id' ? rows.orderBy(by, order) : rows.orderBy(by, order).orderBy('posts.id', order);
  return sorted.limit(1).offset(1).compile();
}
