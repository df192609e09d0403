// A restore says what it does at every step, and others have their turn all the while.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveOf, archivesIn } from '#test/archives.ts';
import { eachEngine, keptLog, testEngine } from '#test/databases.ts';
import { fillPosts } from '#test/many-posts.ts';
import { tableOwners } from '../../../boot/tables.ts';
import { openKeys } from '../../platform/keys.ts';
import { prepareRestore } from './restore.ts';

const secret = 'a secret that only this test knows of';
const posts = 2_000;
/** Milliseconds of processor; without pauses it is as long as the whole. */
const longest = 500;

eachEngine('A restore', (engine) => {
  const source = testEngine('sqlite');
  const archives = archivesIn(engine);

  test('never stands still: rows, checks, indexes and the end are told as they come', async () => {
    const place = await source.place();
    const store = await source.store(tableOwners(), place);
    await openKeys(store, secret, () => new Date());
    await fillPosts(store, posts);
    const { bytes } = await archiveOf(place, tableOwners());
    const told = new Map<string, number>();
    const prepared = await prepareRestore({
      archive: await archives.open(bytes),
      store: { ...(await engine.place()), tables: tableOwners(), log: keptLog() },
      files: async () => assert.fail('there are none'),
      secret,
      secretRemedy: '',
      isInUse: async () => false,
      progress: (doing, rows) => void told.set(doing, rows),
    });
    let [last, most] = [process.threadCpuUsage(), 0];
    const ticking = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last);
      most = Math.max(most, (user + system) / 1_000);
      last = process.threadCpuUsage();
    }, 1);
    await prepared.carryOut();
    clearInterval(ticking);
    assert.ok(most < longest, `${Math.round(most)} ms without a turn for anybody else`);
    const steps = [
      'Checking the archive',
      'Restoring rows',
      'Checking the references between rows',
      'Building indexes',
    ];
    assert.deepEqual([...told.keys()], [...steps, 'Saving the database']);
    assert.ok(told.get('Building indexes')! >= posts);
  });
});
