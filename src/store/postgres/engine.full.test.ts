// What PostgreSQL promises in real seconds: how soon another process sees a commit, and that it is counted once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { asked, testEngine } from '#test/databases.ts';
import { inTime } from '#test/in-time.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { soon } from '#test/soon.ts';
import type { Store } from '../store.ts';

const add = (store: Store<ShelfTables>, title: string) =>
  store.write((tx) => tx.insertInto('books').values({ title }).execute());

/** The time until it is so, in ms. */
const until = async (isSo: () => boolean): Promise<number> => (await soon(async () => isSo(), true)).took;

describe('On PostgreSQL', () => {
  const engine = testEngine('postgres');

  async function aShelf() {
    const place = await engine.place();
    const store: Store<ShelfTables> = await engine.store([shelf], place);
    return { place, url: place.database ?? '', store };
  }

  test('a commit is seen by another process within a second, also one nobody was told of', async () => {
    const { store, place, url } = await aShelf();
    const other: Store<ShelfTables> = await engine.store([shelf], place);
    await add(store, 'Emma');
    inTime(await until(() => other.changes.at('books') === 1), 1000);
    // As if another process had ended between its commit and its notice.
    await asked(url, "insert into changes (topic, slot, counter) values ('books', 1000, 1)");
    inTime(await until(() => other.changes.at('books') === 2), 1000);
  });

  test('nothing is current a second after the counters cannot be looked at', async () => {
    const { store, url } = await aShelf();
    const held = asked(url, 'begin; lock table changes in access exclusive mode; select pg_sleep(3); commit');
    await pause(100);
    inTime(await until(() => !store.changes.isCurrent), 1200);
    await held;
    await until(() => store.changes.isCurrent);
  });

  test('many commits, by several processes at once, are each counted once by all', async () => {
    const { store, place } = await aShelf();
    const others: Store<ShelfTables>[] = await Promise.all([
      engine.store([shelf], place),
      engine.store([shelf], place),
    ]);
    const stores = [store, ...others];
    await Promise.all(stores.flatMap((one, at) => Array.from({ length: 50 }, (_, n) => add(one, `${at} ${n}`))));
    await until(() => stores.every(({ changes }) => changes.at('books') === 150));
    const heard: string[] = [];
    for (const { changes } of stores) changes.watch((topics) => void heard.push(...topics));
    await pause(900);
    assert.deepEqual(heard, [], 'no look finds anything more');
  });
});
