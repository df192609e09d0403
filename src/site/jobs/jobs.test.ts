// Jobs as their owners see them: put into the queue, done, told of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { onBothStores } from '../../../test/support/databases.ts';
import { aQueue } from '../../../test/support/queue.ts';
import { Hopeless, type Kind } from './job.ts';

const counting = (ran: unknown[]): Kind<{ n: number }> => ({
  name: 'test.count',
  about: 'Counts',
  async run(payload) {
    ran.push(payload.n);
    return { twice: payload.n * 2 };
  },
});

onBothStores('jobs', (engine) => {
  test('a job is done once and tells its result', async () => {
    const { jobs } = await aQueue(engine);
    const ran: unknown[] = [];
    const queue = jobs.kind(counting(ran));
    const id = await queue.add({ n: 21 }, { by: 7 });
    const before = await jobs.find(id);
    assert.equal(before?.status, 'queued');
    assert.equal(before?.progress, 0);
    await jobs.settled();
    const after = await jobs.find(id);
    assert.deepEqual(ran, [21]);
    assert.equal(after?.status, 'done');
    assert.deepEqual(after?.result, { twice: 42 });
    assert.equal(after?.by, 7);
    assert.equal(after?.progress, 100);
    assert.ok(after?.started_at && after.finished_at);
  });

  test('a job added in a write is there if and only if the write is', async () => {
    const { jobs, store } = await aQueue(engine);
    const ran: unknown[] = [];
    const queue = jobs.kind(counting(ran));
    await store.write((tx, during) => queue.addIn(tx, during, { n: 1 }));
    const undone = store.write(async (tx, during) => {
      await queue.addIn(tx, during, { n: 2 });
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    await jobs.settled();
    assert.deepEqual(ran, [1]);
  });

  test('of unfinished jobs with one key there is one, and after it another may come', async () => {
    const { jobs } = await aQueue(engine);
    const ran: unknown[] = [];
    const queue = jobs.kind(counting(ran));
    const first = await queue.add({ n: 1 }, { key: 'k' });
    assert.equal(await queue.add({ n: 2 }, { key: 'k' }), first);
    const together = await Promise.all([3, 4, 5].map((n) => queue.add({ n }, { key: 'other' })));
    assert.equal(new Set(together).size, 1);
    await jobs.settled();
    assert.equal(ran.length, 2);
    assert.notEqual(await queue.add({ n: 6 }, { key: 'k' }), first);
  });

  test('a job is not begun before its moment', async () => {
    const { jobs, clock } = await aQueue(engine);
    const ran: unknown[] = [];
    const queue = jobs.kind(counting(ran));
    await queue.add({ n: 1 }, { at: clock.in(60_000) });
    await jobs.settled();
    assert.deepEqual(ran, []);
    clock.pass(60_000);
    await jobs.settled();
    assert.deepEqual(ran, [1]);
  });

  test('a job that throws is begun again, later each time, and fails after its last attempt', async () => {
    const { jobs, clock, log } = await aQueue(engine);
    const attempts: number[] = [];
    const queue = jobs.kind<null>({
      name: 'test.fail',
      about: 'Fails',
      attempts: 3,
      async run(_, { attempt }) {
        attempts.push(attempt);
        throw new Error('a secret that nobody may read');
      },
    });
    const id = await queue.add(null);
    for (const minutes of [0, 1, 2]) {
      clock.pass(minutes * 60_000 - 1);
      await jobs.settled();
      assert.equal(attempts.length, minutes, 'a moment too early');
      clock.pass(1);
      await jobs.settled();
    }
    assert.deepEqual(attempts, [1, 2, 3]);
    const job = await jobs.find(id);
    assert.equal(job?.status, 'failed');
    assert.deepEqual(
      job?.errors.map(({ item, code }) => [item, code]),
      [['', 'failed']],
    );
    assert.doesNotMatch(JSON.stringify(job), /secret/);
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 3);
  });

  test('what is hopeless is not tried again, and what is away is, however few attempts there are', async () => {
    const { jobs, clock } = await aQueue(engine);
    const hopeless = jobs.kind<null>({
      name: 'test.hopeless',
      about: 'Has no hope',
      attempts: 9,
      run: () => Promise.reject(new Hopeless('The address does not exist.')),
    });
    let away = 2;
    const patient = jobs.kind<null>({
      name: 'test.patient',
      about: 'Waits',
      run: async () => {
        if (away-- > 0) throw new Unavailable('The storage is away.');
      },
    });
    const [one, other] = [await hopeless.add(null), await patient.add(null)];
    await jobs.settled();
    assert.equal((await jobs.find(one))?.status, 'failed');
    assert.equal((await jobs.find(one))?.errors[0]?.message, 'The address does not exist.');
    const waiting = await jobs.find(other);
    assert.deepEqual([waiting?.status, waiting?.errors[0]?.code], ['queued', 'unavailable']);
    clock.pass(60_000);
    await jobs.settled();
    clock.pass(120_000);
    await jobs.settled();
    const done = await jobs.find(other);
    assert.deepEqual([done?.status, done?.errors, done?.attempt], ['done', [], 3]);
  });

  test('every item that fails has its reason, and the others are done', async () => {
    const { jobs, log } = await aQueue(engine);
    const queue = jobs.kind<null>({
      name: 'test.items',
      about: 'Does items',
      async run(_, work) {
        const items = Array.from({ length: 100 }, (_, at) => at + 1);
        await work.total(items.length);
        await work.each(() => items, {
          key: String,
          do: async (item) => {
            if (item % 10 === 0) throw new Problem(422, 'not_an_image', `Item ${item} is no image.`);
            if (item === 1) throw new Error('at /secret/place');
          },
        });
      },
    });
    const id = await queue.add(null);
    await jobs.settled();
    const job = await jobs.find(id);
    assert.deepEqual([job?.status, job?.total, job?.done, job?.failed], ['done', 100, 89, 11]);
    assert.deepEqual(job?.errors[1], { item: '10', code: 'not_an_image', message: 'Item 10 is no image.' });
    assert.equal(job?.errors[0]?.code, 'failed');
    assert.doesNotMatch(JSON.stringify(job), /secret/);
    assert.deepEqual(
      (await jobs.errors(id, { skipped: 9, most: 10 })).map(({ item }) => item),
      ['90', '100'],
    );
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1);
  });

  test('a job of which every item fails has failed, and one without items has not', async () => {
    const { jobs } = await aQueue(engine);
    const queue = jobs.kind<string[]>({
      name: 'test.items',
      about: 'Does items',
      async run(items, work) {
        await work.each(() => items, { key: String, do: () => Promise.reject(new Problem(400, 'no', 'No.')) });
      },
    });
    const [all, none] = [await queue.add(['a', 'b']), await queue.add([])];
    await jobs.settled();
    const statuses = [await jobs.find(all), await jobs.find(none)].map((job) => [job?.status, job?.total]);
    assert.deepEqual(statuses, [
      ['failed', 2],
      ['done', 0],
    ]);
  });

  test('what is confidential is unreadable while it waits and gone when the job ended', async () => {
    const { jobs, store } = await aQueue(engine);
    let got: unknown;
    const queue = jobs.kind<{ link: string }>({
      name: 'test.confidential',
      about: 'Keeps a secret',
      confidential: true,
      async run(payload) {
        got = payload;
      },
    });
    await queue.add({ link: 'https://site.test/reset' });
    const rows = () => store.db.selectFrom('jobs').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(await rows()), /reset/);
    await jobs.settled();
    assert.deepEqual(got, { link: 'https://site.test/reset' });
    assert.equal((await rows())[0]?.payload, null);
  });

  test('jobs are listed, the newest first, and counted', async () => {
    const { jobs, clock } = await aQueue(engine);
    const queue = jobs.kind(counting([]));
    const other = jobs.kind<null>({ name: 'test.other', about: 'Something else', run: async () => undefined });
    const first = await queue.add({ n: 1 });
    await other.add(null);
    const last = await queue.add({ n: 3 });
    clock.pass(2_000);
    assert.equal((await jobs.figures()).late, 2_000);
    const listed = await jobs.list({ kind: 'test.count', most: 10 });
    assert.deepEqual(
      listed.map(({ id }) => id),
      [last, first],
    );
    assert.equal((await jobs.list({ most: 1 })).length, 1);
    await jobs.settled();
    assert.equal((await jobs.list({ status: 'queued', most: 10 })).length, 0);
    const { ended, waiting, late } = await jobs.figures();
    assert.deepEqual([waiting, late], [[], 0]);
    assert.deepEqual(ended.map(({ kind, status, jobs: count }) => `${kind} ${status} ${count}`).sort(), [
      'test.count done 2',
      'test.other done 1',
    ]);
  });

  test('jobs are forgotten a week after they ended, with their errors', async () => {
    const { jobs, store, clock } = await aQueue(engine);
    const queue = jobs.kind<null>({
      name: 'test.fail',
      about: 'Fails',
      run: () => Promise.reject(new Hopeless('No.')),
    });
    const id = await queue.add(null);
    await jobs.settled();
    clock.pass(6 * 24 * 3_600_000);
    await jobs.settled();
    assert.ok(await jobs.find(id));
    clock.pass(25 * 3_600_000);
    await jobs.settled();
    assert.equal(await jobs.find(id), undefined);
    assert.deepEqual(await store.db.selectFrom('job_errors').selectAll().execute(), []);
  });

  test('a job whose end cannot be written down fails, and keeps no other from ending', async () => {
    const { jobs, store } = await aQueue(engine);
    const odd = jobs.kind<null>({
      name: 'test.odd',
      about: 'Ends oddly',
      async run(_, work) {
        await work.total(Number.NaN);
        return {};
      },
    });
    const queue = jobs.kind(counting([]));
    const circular = jobs.kind<null>({
      name: 'test.circular',
      about: 'Tells what cannot be told',
      async run() {
        const result: Record<string, unknown> = {};
        return Object.assign(result, { result });
      },
    });
    const ids = [await odd.add(null), await queue.add({ n: 1 }), await circular.add(null)];
    await jobs.settled();
    const statuses = await Promise.all(ids.map(async (id) => (await jobs.find(id))?.status));
    assert.deepEqual(statuses, ['failed', 'done', 'failed']);
    assert.ok(await store.db.selectFrom('job_errors').select('job').execute());
  });

  test('a kind that nobody knows stays in the queue untouched', async () => {
    const { jobs, another } = await aQueue(engine);
    const { jobs: theirs } = await another();
    const id = await theirs.kind(counting([])).add({ n: 1 });
    await jobs.settled();
    const job = await jobs.find(id);
    assert.deepEqual([job?.status, job?.attempt], ['queued', 0]);
    assert.equal((await jobs.figures()).late, 0);
  });
});
