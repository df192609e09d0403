import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSnapshot } from './snapshot.ts';

/** What is kept, and who watches it. */
function aTable() {
  let kept = 0;
  const watchers = new Set<(topics: ReadonlySet<string>) => void>();
  const watch = (listener: (topics: ReadonlySet<string>) => void) => {
    watchers.add(listener);
    return () => void watchers.delete(listener);
  };
  return {
    store: { changes: { watch } } as unknown as Parameters<typeof createSnapshot>[0]['store'],
    read: () => kept,
    write: () => {
      kept += 1;
    },
    tell: (table = 'one') => {
      for (const listener of watchers) listener(new Set([table]));
    },
  };
}

const turns = async (many: number): Promise<void> => {
  for (let at = 0; at < many; at++) await undefined;
};

test('whoever reads anew after a write sees it, at whatever moment of another reading', async () => {
  for (let lag = 0; lag < 12; lag++) {
    const table = aTable();
    const load = async (): Promise<number> => {
      const value = table.read();
      await turns(3);
      return value;
    };
    const failed = (error: unknown): never => assert.fail(String(error));
    const stopping = new AbortController().signal;
    const snapshot = createSnapshot({ store: table.store, tables: ['one'], load, failed, stopping });
    await snapshot.ready;
    const underway = snapshot.refresh();
    await turns(lag);
    table.write();
    await snapshot.refresh();
    assert.equal(snapshot.now, 1, `after ${lag} turns`);
    await underway;
  }
});

test('a reading that failed is tried again, and what was read before stays', async () => {
  const table = aTable();
  let isAway = false;
  const faults: unknown[] = [];
  const snapshot = createSnapshot({
    store: table.store,
    tables: ['one'],
    load: () => {
      if (isAway) throw new Error('The store is away.');
      return Promise.resolve(table.read());
    },
    failed: (error) => {
      faults.push(error);
      isAway = false;
    },
    stopping: new AbortController().signal,
  });
  await snapshot.ready;
  table.write();
  isAway = true;
  const seen = new Promise((done) => snapshot.onChange((before, after) => done([before, after])));
  table.tell('another');
  assert.equal(faults.length, 0);
  table.tell();
  assert.equal(snapshot.now, 0);
  assert.deepEqual(await seen, [0, 1]);
  assert.equal(faults.length, 1);
});
