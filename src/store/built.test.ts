import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import type { Reads } from './handles.ts';
import type { TableOwner } from './migrate.ts';
import { built } from './statements.ts';
import type { Store } from './store.ts';

interface Tables {
  things: { id: number; kind: number };
}

const things: TableOwner = {
  owner: 'things',
  migrations: [
    {
      name: '0001-things',
      up: async ({ table, column }) => {
        await table('things').addColumn('id', column.integer).addColumn('kind', column.integer).execute();
      },
    },
  ],
};

onBothStores('A statement that is built once', (engine) => {
  test('is asked with other values each time, of one number and of another', async () => {
    const store = (await engine.store([things])) as unknown as Store<Tables>;
    const rows = [1, 2, 3, 4].map((id) => ({ id, kind: id % 2 }));
    await store.write((tx) => tx.insertInto('things').values(rows).execute());
    let times = 0;
    const odd = built((db: Reads<Tables>, ids) => {
      times += 1;
      return db
        .selectFrom('things')
        .select('id')
        .where('id', 'in', [...ids])
        .where('kind', '=', 1)
        .orderBy('id');
    });
    const numbers = async (ids: readonly number[]) => (await odd(store.db, ids)).map(({ id }) => id);
    assert.deepEqual(await numbers([1, 2]), [1]);
    assert.deepEqual(await numbers([3, 4]), [3]);
    assert.deepEqual(await numbers([3, 2, 1]), [1, 3]);
    assert.deepEqual(await numbers([4, 2, 3]), [3]);
    assert.equal(times, 2);
    const { tables } = await store.tracing(() => numbers([1, 2]));
    assert.deepEqual([...tables], ['things']);
  });
});
