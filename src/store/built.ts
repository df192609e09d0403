// Statements that are asked all the time, built once for each number of values: from one time to the next, only these differ.
import type { CompiledQuery, QueryExecutor } from 'kysely';
import { Lru } from '#lib/lru.ts';

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
