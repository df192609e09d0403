// The queue of a site that was put back from a backup.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hour, minute } from '#lib/spans.ts';
import type { AnyStore } from '#store/store.ts';
import { archiveOf, archivesIn } from '#test/archives.ts';
import { keptLog, onBothStores } from '#test/databases.ts';
import { testClock } from '#test/queue.ts';
import { keyTables, openKeys } from '../platform/keys.ts';
import { createSeal } from '../platform/seal.ts';
import { prepareRestore } from '../transfer/backup/restore.ts';
import { createJobs } from './create.ts';
import type { Kind } from './job.ts';
import { jobTables } from './tables.ts';

const owners = [keyTables, jobTables];
const secret = 'a secret that only this test knows of';

onBothStores('the queue of a restored site', (engine) => {
  const archives = archivesIn(engine);

  test('tries at once and afresh what failed where it came from, and waits for what is for later', async () => {
    const [clock, seal] = [testClock(), createSeal(randomBytes(32))];
    const ran: string[] = [];
    let isMended = false;
    const kind: Kind<string> = {
      name: 'test.send',
      about: 'Sends',
      attempts: 2,
      pause: () => hour,
      async run(payload, { attempt }) {
        ran.push(`${payload} ${attempt}`);
        if (!isMended) throw new Error('Nobody is there.');
      },
    };
    const jobsOf = (store: AnyStore) => {
      const jobs = createJobs({ store, clock, seal, log: keptLog() });
      engine.atEnd(() => jobs.stop());
      return { jobs, queue: jobs.kind(kind) };
    };
    const from = await engine.place();
    const store = await engine.store(owners, from);
    await openKeys(store, secret, clock);
    const before = jobsOf(store);
    const failing = await before.queue.add('failing');
    await before.jobs.settled();
    await before.queue.add('later', { at: clock.in(2 * hour) });
    await before.queue.add('waiting');
    assert.deepEqual(ran.splice(0), ['failing 1']);

    const to = await engine.place();
    const { carryOut } = await prepareRestore({
      archive: await archives.open((await archiveOf(from, owners)).bytes),
      store: { ...to, tables: owners, log: keptLog() },
      files: () => assert.fail('The archive has no files.'),
      secret,
      secretRemedy: 'correct the password',
      isInUse: async () => false,
    });
    await carryOut();
    const after = jobsOf(await engine.store(owners, to));
    clock.pass(minute);
    isMended = true;
    await after.jobs.settled();
    assert.deepEqual(ran.splice(0).sort(), ['failing 1', 'waiting 1']);
    assert.deepEqual((await after.jobs.find(failing))?.errors, []);
    clock.pass(2 * hour);
    await after.jobs.settled();
    assert.deepEqual(ran, ['later 1']);
  });
});
