import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createJobs } from '#site/jobs/create.ts';
import { jobTables } from '#site/jobs/tables.ts';
import { createSeal } from '#site/platform/seal.ts';
import { eachEngine, keptLog, type TestEngine } from '#test/databases.ts';
import type { Ended } from '#test/gatehouse.ts';
import { aMadePlace } from '#test/serving.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

/** A site that does not serve, and its queue as another process has it. */
async function aPlace(engine: TestEngine) {
  const { run, data, where } = await aMadePlace(engine);
  const [, , , database] = where;
  const store = await engine.store([jobTables], { data, ...(database !== undefined && { database }) });
  const log = keptLog();
  const jobs = createJobs({ store, clock: () => new Date(), seal: createSeal(randomBytes(32)), log });
  engine.atEnd(() => jobs.stop());
  const sweep = await store.write(async (tx, during) => {
    const queued = { kind: 'identity.sweep', confidential: 0, status: 'queued', payload: 'null', by: 0 };
    const now = new Date().toISOString();
    const row = { ...queued, id: '8d3f1c1e-0000-4000-8000-000000000001', run_at: now, created_at: now };
    await tx.insertInto('jobs').values(row).execute();
    during.changed('jobs.queued');
    return row.id;
  });
  const items = jobs.kind<null>({
    name: 'test.items',
    about: 'Does items',
    async run(_, work) {
      await work.total(3);
      await work.each(() => ['one', 'two \u202e', 'three'], {
        key: String,
        do: (item) => (item === 'one' ? Promise.resolve() : Promise.reject(new Error('a secret'))),
      });
      return { made: 1 };
    },
  });
  return { run, jobs, items, sweep };
}

eachEngine('gatehouse jobs', (engine) => {
  test('what is due is done here and now, but for what nobody here can do', async () => {
    const { run, items, sweep } = await aPlace(engine);
    const id = await items.add(null);
    assert.match(
      fine(await run('jobs', 'list')),
      /^ID .*STATE\n.*queued, no active extension runs this kind\n.* queued\n$/,
    );
    assert.match(fine(await run('jobs', 'run')), /^identity\.sweep: 1 done$/m);
    assert.equal(JSON.parse(fine(await run('jobs', 'show', sweep, '--json'))).status, 'done');
    const refused = await run('jobs', 'run', id);
    assert.deepEqual([refused.code, refused.err], [1, 'No active extension runs jobs of the kind test.items.\n']);
    assert.equal((await run('jobs', 'run')).err, 'No job was due.\n');
  });

  test('one job is done alone, and not twice', async () => {
    const { run, sweep } = await aPlace(engine);
    assert.equal(fine(await run('jobs', 'run', sweep)), 'identity.sweep: done\n');
    const again = await run('jobs', 'run', sweep);
    assert.deepEqual([again.code, again.err], [1, 'The job ended already: it is done.\n']);
  });

  test('a job is shown with every reason, and nothing that steers a terminal or that only the log may know', async () => {
    const { run, jobs, items } = await aPlace(engine);
    const id = await items.add(null, { by: 3 });
    await jobs.settled();
    const shown = fine(await run('jobs', 'show', id));
    assert.match(shown, /^State +done, 3 of 3, 2 failed$/m);
    assert.match(shown, /^By +user 3$/m);
    assert.match(shown, /^Result +\{"made":1\}$/m);
    assert.match(shown, /^three: The job failed .* \(failed\)$/m);
    assert.doesNotMatch(shown, /secret|\u202e/);
    assert.equal(JSON.parse(fine(await run('jobs', 'show', id, '--json', '--follow'))).errors.length, 2);
    const list = JSON.parse(fine(await run('jobs', 'list', '--status', 'done', '--kind', 'test.items', '--json')));
    assert.deepEqual(
      list.map((job: { id: string }) => job.id),
      [id],
    );
  });

  test('a job that waits is cancelled, and then no more', async () => {
    const { run, sweep } = await aPlace(engine);
    assert.equal(fine(await run('jobs', 'cancel', sweep)), 'The job is cancelled.\n');
    const again = await run('jobs', 'cancel', sweep);
    assert.deepEqual([again.code, again.err], [1, 'The job ended already: it is cancelled.\n']);
    const unknown = await run('jobs', 'cancel', 'nothing');
    assert.equal(unknown.err, 'Job nothing does not exist; jobs are deleted 7 days after they end.\n');
  });

  test('a status that there is none of is wrong use', async () => {
    const { run } = await aPlace(engine);
    const { code, err } = await run('jobs', 'list', '--status', 'asleep');
    assert.equal(code, 2);
    assert.match(err, /Status asleep does not exist; a job is queued, running, done, failed or cancelled/);
  });
});
