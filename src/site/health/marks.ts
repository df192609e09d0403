// When something was last done that leaves no other trace in the site.
import { instant } from '#store/columns.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { Store } from '#store/store.ts';

interface MarkTables {
  health_marks: { name: Mark; at: string };
}

/** `time`: the latest time that the clock ever said. */
export type Mark = 'backup' | 'time';

export const markTables: TableOwner = {
  owner: 'health',
  quiet: ['health_marks'],
  migrations: [
    {
      name: '0001-marks',
      up: async ({ table, column }) => {
        await table('health_marks')
          .addColumn('name', column.text, (c) => c.primaryKey())
          .addColumn('at', column.instant, (c) => c.notNull())
          .execute();
      },
    },
  ],
};

export async function setMark(store: Store<MarkTables>, name: Mark, moment: Date): Promise<void> {
  const at = instant(moment);
  await store.write((tx) =>
    tx
      .insertInto('health_marks')
      .values({ name, at })
      .onConflict((found) => found.column('name').doUpdateSet({ at }))
      .execute(),
  );
}

export async function markOf({ db }: Pick<Store<MarkTables>, 'db'>, name: Mark): Promise<Date | undefined> {
  const row = await db.selectFrom('health_marks').select('at').where('name', '=', name).executeTakeFirst();
  return row && new Date(row.at);
}
