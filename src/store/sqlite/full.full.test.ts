import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OutOfSpace } from '#lib/failures.ts';
import { keptLog } from '#test/databases.ts';
import { needsRoot } from '#test/needs.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import { onSmallDisk } from '#test/small-disk.ts';
import { StoreProblem } from '../problem.ts';
import { openStore, type Store } from '../store.ts';

const open = (data: string): Promise<Store<ShelfTables>> => openStore({ data, tables: [shelf], log: keptLog() });

needsRoot(
  'a full disk refuses writes, keeps reading, loses nothing acknowledged, and writes again when there is room',
  () =>
    onSmallDisk(async (folder) => {
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(2_000_000));
      const store = await open(folder);
      const add = (title: string) => store.write((tx) => tx.insertInto('books').values({ title }).execute());
      const kept: string[] = [];
      const fill = async () => {
        for (let n = 0; n < 500; n++) {
          const batch = ['a', 'b', 'c'].map((part) => `${n}${part}${'.'.repeat(20_000)}`);
          const outcomes = await Promise.allSettled(batch.map(add));
          kept.push(...batch.filter((_, one) => outcomes[one]?.status === 'fulfilled'));
          for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
        }
      };
      await assert.rejects(fill, OutOfSpace);
      await assert.rejects(add('.'.repeat(200_000)), OutOfSpace);
      const read = async () =>
        (await store.db.selectFrom('books').select('title').orderBy('id').execute()).map(({ title }) => title);
      assert.deepEqual(await read(), kept);
      rmSync(join(folder, 'ballast'));
      await add('after');
      assert.deepEqual(await read(), [...kept, 'after']);
      assert.deepEqual(await store.check(), []);
      await store.close();
    }),
);

needsRoot('a disk that is full from the start is one sentence', () =>
  onSmallDisk(async (folder) => {
    try {
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(5_000_000));
    } catch {
      // full, as wanted
    }
    await assert.rejects(open(folder), (error) => error instanceof StoreProblem && /is full/.test(error.message));
  }),
);
