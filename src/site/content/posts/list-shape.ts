// What the parts of a list of records know of each other.
import type { Expression, SqlBool } from 'kysely';
import type { EngineName } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { ContentTables } from '../tables.ts';

export type Tables = ContentTables & TotalsTables;
export type Db = Reads<Tables>;

/** A condition on `posts`. */
export type Condition = Expression<SqlBool>;

/** Records are listed kind by kind, each in the order of an index, and the beginnings put together. */
export interface Kind {
  readonly type: string;
  readonly status: string;
}

export interface Listing {
  readonly db: Db;
  readonly engine: EngineName;
  /** These terms, with all that is below them. */
  withBelow(ids: readonly number[]): Promise<readonly number[]>;
}
