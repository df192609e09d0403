// The names of files: whoever takes one has it alone, and nobody erases what somebody else put there since.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { aPostRow } from '#test/post-rows.ts';
import { testClock } from '#test/queue.ts';
import { aSite } from '#test/site.ts';
import { claimFor, createReservedPaths, settlePaths } from './reserved-paths.ts';

const both = ['a-small.txt', 'a.txt'];

/** With the files of `a` put where they are to lie; what is done before a file is erased can be said. */
async function somePlaces(engine: TestEngine) {
  const { store, files } = (await aSite(engine)).app.services;
  const clock = testClock();
  const erasing: string[] = [];
  let first = async (): Promise<void> => {};
  const erase = async (path: string): Promise<boolean> => {
    erasing.push(path);
    await first();
    return files.erase(path);
  };
  const places = createReservedPaths({ store, clock, files: { ...files, erase } });
  const take = () => places.take({ stem: 'a', paths: (stem) => [`${stem}.txt`, `${stem}-small.txt`] });
  const put = () => Promise.all(both.map((path) => files.put(path, Buffer.from('bytes'))));
  assert.equal(await take(), 'a');
  await put();
  return {
    places,
    clock,
    store,
    take,
    put,
    erasing,
    sweep: () => places.sweep(() => {}),
    names: async () => {
      const rows = await store.db.selectFrom('media_paths').select('path').orderBy('path').execute();
      return rows.map(({ path }) => path);
    },
    lying: async () => {
      const found = await Promise.all(both.map((path) => files.find(path)));
      return both.filter((_, at) => found[at] !== undefined);
    },
    before: (work: () => Promise<void>) => {
      first = work;
    },
  };
}

onBothStores('The names of a file', (engine) => {
  test('are free once they are cleared and the files are gone', async () => {
    const { places, take, names, lying } = await somePlaces(engine);
    assert.equal(await take(), 'a-1');
    await places.clear(both);
    assert.deepEqual([await lying(), await names()], [[], ['a-1-small.txt', 'a-1.txt']]);
    assert.equal(await take(), 'a');
  });

  test('are cleared by nobody while a record holds them', async () => {
    const { places, store, clock, sweep, names, lying } = await somePlaces(engine);
    const held = { post_id: (await aPostRow(store)).id };
    await store.write((tx) => tx.updateTable('media_paths').set(held).where('path', '=', 'a.txt').execute());
    clock.pass(2 * day);
    await places.clear(['a.txt']);
    await places.clearReleased(['a.txt']);
    assert.equal(await sweep(), 1);
    assert.deepEqual([await lying(), await names()], [['a.txt'], ['a.txt']]);
  });

  test('are not cleared by whoever comes when somebody else has taken them since', async () => {
    const { places, clock, sweep, names, lying } = await somePlaces(engine);
    await places.clearReleased(both);
    assert.equal(await sweep(), 0);
    assert.deepEqual([await lying(), await names()], [both, both]);
    clock.pass(2 * day);
    await places.clearReleased(both);
    assert.deepEqual([await lying(), await names()], [[], []]);
  });

  test('are cleared by one of those who come at once', async () => {
    const { places, clock, sweep, before, erasing, lying } = await somePlaces(engine);
    clock.pass(2 * day);
    before(async () => {
      before(async () => {});
      await Promise.all([sweep(), places.clearReleased(both)]);
    });
    assert.equal(await sweep(), 2);
    assert.deepEqual([erasing.sort(), await lying()], [both, []]);
  });

  test('are cleared the next time where the files could not be erased', async () => {
    const { clock, sweep, before, names, lying } = await somePlaces(engine);
    clock.pass(2 * day);
    before(async () => {
      throw new Error('away');
    });
    await assert.rejects(sweep(), /away/);
    assert.deepEqual([await lying(), await names()], [both, both]);
    before(async () => {});
    assert.equal(await sweep(), 2);
    assert.deepEqual([await lying(), await names()], [[], []]);
  });

  test('are taken over by whoever does the same work again, and by nobody else', async () => {
    const { places, put, names, lying, store } = await somePlaces(engine);
    await places.clear(both);
    const paths = (stem: string) => [`${stem}.txt`, `${stem}-small.txt`];
    const take = (claim?: string) => places.take({ stem: 'a', paths, claim });
    const settle = (claim: string, post: number) => store.write((tx) => settlePaths(tx as never, both, post, claim));
    const [died, other, again] = ['work', 'other work', 'work'].map(claimFor) as [string, string, string];
    assert.equal(await take(died), 'a');
    await put();
    assert.deepEqual([await take(other), await take()], ['a-1', 'a-2']);
    assert.equal(await take(again), 'a');
    const { id } = await aPostRow(store);
    await assert.rejects(settle(died, id), { code: 'file_under_way' });
    await places.clear(both, died);
    assert.deepEqual(await lying(), both, 'they are another’s now');
    await settle(again, id);
    assert.equal(await take(claimFor('work')), 'a-3', 'nor is what is kept taken over');
    assert.equal((await names()).length, 8);
  });
});
