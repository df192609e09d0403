import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { onBothStores } from '#test/databases.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import type { Store } from './store.ts';

const titles = async ({ db }: Pick<Store<ShelfTables>, 'db'>) =>
  (await db.selectFrom('books').select('title').orderBy('title').execute()).map(({ title }) => title);

onBothStores('A write that brings much along', (engine) => {
  const aShelf = (): Promise<Store<ShelfTables>> => engine.store([shelf]);

  test('goes on after a part of it that failed, of which nothing stands', async () => {
    const store = await aShelf();
    const refusal = new Error('changed my mind');
    const outcomes = await store.write(async (tx, during) => {
      const add = (title: string) => tx.insertInto('books').values({ title }).execute();
      const status = async (part: Promise<unknown>) => (await Promise.allSettled([part]))[0]!.status;
      const failing = during.apart(async () => {
        await add('a');
        throw refusal;
      });
      const first = await status(failing);
      await add('b');
      // What the database itself refuses ends a whole write elsewhere.
      const second = await status(during.apart(() => add('b')));
      return [first, second, await status(during.apart(() => add('c')))];
    });
    assert.deepEqual(outcomes, ['rejected', 'rejected', 'fulfilled']);
    assert.deepEqual(await titles(store), ['b', 'c']);
  });

  test('goes on after a part that said more than one statement holds: the database is not away for that', async () => {
    const store = await aShelf();
    const titled = Array.from({ length: 66_000 }, (_, at) => ({ title: `${at}` }));
    await store.write(async (tx, during) => {
      const part = during.apart(() => tx.insertInto('books').values(titled).execute());
      await assert.rejects(part, (error) => error instanceof Error && !(error instanceof Unavailable));
      await tx.insertInto('books').values({ title: 'a' }).execute();
    });
    assert.deepEqual(await titles(store), ['a']);
  });

  test('keeps nothing that a failed part goes on to say', async () => {
    const store = await aShelf();
    let branch: Promise<unknown> = Promise.resolve();
    await store.write(async (tx, during) => {
      const add = (title: string) => tx.insertInto('books').values({ title }).execute();
      const { promise: failed, resolve } = Promise.withResolvers<void>();
      const part = during.apart(async () => {
        branch = failed.then(() => add('late'));
        await add('early');
        throw new Error('changed my mind');
      });
      await part.catch(() => {});
      resolve();
      await Promise.allSettled([branch]);
    });
    await assert.rejects(branch, /has ended/);
    assert.deepEqual(await titles(store), []);
  });

  test('gives new rows higher numbers than those that were brought along, and never lower ones', async () => {
    const store = await aShelf();
    const add = (title: string) =>
      store.write((tx) => tx.insertInto('books').values({ title }).returning('id').executeTakeFirstOrThrow());
    await store.write(async (_, { numberAbove }) => numberAbove('books', 40));
    assert.equal((await add('a')).id, 41);
    await store.write(async (_, { numberAbove }) => numberAbove('books', 7));
    assert.equal((await add('b')).id, 42);
  });
});
