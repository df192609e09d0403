import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { contains } from './contains.ts';
import type { TableOwner } from './migrate.ts';
import type { Store } from './store.ts';

interface Tables {
  notes: { text: string };
}

const notes: TableOwner = {
  owner: 'notes',
  migrations: [
    { name: '0001', up: async ({ table, column }) => table('notes').addColumn('text', column.text).execute() },
  ],
};

const texts = ['100 % wool', '100 grams', 'a_b', 'axb', 'C:\\temp', 'wow!', 'Äpfel'];

onBothStores('Searching text', (engine) => {
  test('finds what holds the text, letter for letter, on both stores', async () => {
    const store: Store<Tables> = await engine.store([notes]);
    await store.write((tx) =>
      tx
        .insertInto('notes')
        .values(texts.map((text) => ({ text })))
        .execute(),
    );
    const found = async (text: string) => {
      const rows = await store.db
        .selectFrom('notes')
        .select('text')
        .where(contains('text', text))
        .orderBy('text')
        .execute();
      return rows.map((row) => row.text);
    };
    for (const [text, expected] of [
      ['%', ['100 % wool']],
      ['a_b', ['a_b']],
      [':\\t', ['C:\\temp']],
      ['w!', ['wow!']],
      ['WOW', []],
      ['Äpf', ['Äpfel']],
      ['', [...texts].sort()],
      ['x'.repeat(100_000), []],
    ] as const) {
      assert.deepEqual(await found(text), expected, text.slice(0, 20));
    }
  });
});
