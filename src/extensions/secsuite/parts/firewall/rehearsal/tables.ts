// The shapes of requests as they are stored.
import type { Generated } from 'kysely';
import type { Flag, Instant, JsonText } from '#store/columns.ts';
import type { Migration, TableOwner } from '#store/migrate.ts';

export interface ShapeTables {
  secsuite_request_shapes: {
    id: Generated<number>;
    at: Instant;
    has_values: Flag;
    shape: JsonText;
  };
}

export const shapeMigrations: readonly Migration[] = [
  {
    name: '0001-suite-request-shapes',
    up: async ({ table, column, db }) => {
      await table('secsuite_request_shapes')
        .addColumn('id', column.id)
        .addColumn('at', column.instant, (c) => c.notNull())
        .addColumn('has_values', column.flag, (c) => c.notNull())
        .addColumn('shape', column.json, (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('secsuite_request_shapes_at')
        .on('secsuite_request_shapes')
        .columns(['at', 'id'])
        .execute();
    },
  },
];

export const quietShapeTables = ['secsuite_request_shapes'];

/** No backup holds them. */
export const derivedShapeTables = { secsuite_request_shapes: async () => {} } satisfies TableOwner['derived'];
