import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Changes, Listener } from '#store/changes.ts';
import { cachedByTable } from './records.ts';

/** What is looked up, and how to tell of writes. */
function setting(load = async (key: string): Promise<string | undefined> => (key === 'nobody' ? undefined : key)) {
  const listeners: Listener[] = [];
  const asked: string[] = [];
  const changes: Changes & { isCurrent: boolean } = {
    isCurrent: true,
    at: () => 0,
    say: () => {},
    watch: (listener) => {
      listeners.push(listener);
      return () => {};
    },
  };
  const read: string[] = [];
  const readBefore = (tables: Iterable<string>) => void read.push(...tables);
  const find = cachedByTable<string>(
    { changes, readBefore },
    {
      tables: ['users', 'roles'],
      most: 2,
      load: (key) => {
        asked.push(key);
        return load(key);
      },
    },
  );
  const written = (...tables: string[]) => listeners.forEach((tell) => void tell(new Set(tables)));
  return { find, asked, read, changes, written };
}

describe('What was looked up lately', () => {
  test('is known at once, until one of its tables is written', async () => {
    const { find, asked, written } = setting();
    assert.equal(await find('ada'), 'ada');
    assert.equal(find('ada'), 'ada');
    written('posts');
    assert.equal(find('ada'), 'ada');
    written('posts', 'roles');
    assert.equal(await find('ada'), 'ada');
    assert.deepEqual(asked, ['ada', 'ada']);
  });

  test('rests on its tables also when it is answered from memory', async () => {
    const { find, read } = setting();
    await find('ada');
    assert.deepEqual(read, [], 'the query itself is seen by the store');
    find('ada');
    assert.deepEqual(read, ['users', 'roles']);
  });

  test('is looked for again each time while it is not there', async () => {
    const { find, asked } = setting();
    assert.deepEqual([await find('nobody'), await find('nobody')], [undefined, undefined]);
    assert.equal(asked.length, 2);
  });

  test('is not remembered when something was written while it was looked up', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { find, asked, written } = setting(() => promise);
    const found = find('ada');
    written('users');
    resolve('as it was');
    assert.equal(await found, 'as it was');
    await find('ada');
    assert.equal(asked.length, 2);
  });

  test('is neither trusted nor remembered while no word of writes arrives', async () => {
    const { find, asked, changes } = setting();
    await find('ada');
    changes.isCurrent = false;
    await find('ada');
    await find('bob');
    changes.isCurrent = true;
    await find('bob');
    assert.deepEqual(asked, ['ada', 'ada', 'bob', 'bob']);
  });

  test('is only so much: what was not asked for longest is let go', async () => {
    const { find, asked } = setting();
    for (const key of ['ada', 'bob', 'ada', 'eve', 'ada', 'bob']) await find(key);
    assert.deepEqual(asked, ['ada', 'bob', 'eve', 'bob']);
  });
});
