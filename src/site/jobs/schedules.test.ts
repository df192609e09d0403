import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aQueue, type TestQueue } from '#test/queue.ts';

/** A schedule whose jobs are counted. */
function hourly({ jobs }: TestQueue, ran: string[], who: string): void {
  const queue = jobs.kind<null>({
    name: 'test.tidy',
    about: 'Tidies up',
    run: async () => ({ ran: ran.push(who) }),
  });
  jobs.schedule({ name: 'test.tidy', every: hour, add: () => queue.add(null) });
}

eachEngine('schedules', (engine) => {
  test('of several processes one adds the job, once for all the times that were missed', async () => {
    const one = await aQueue(engine);
    const other = await one.another();
    const ran: string[] = [];
    hourly(one, ran, 'one');
    hourly(other, ran, 'other');
    const both = () => Promise.all([one.jobs.settled(), other.jobs.settled()]);
    await both();
    assert.deepEqual(ran, [], 'not at the first start');
    one.clock.pass(hour);
    await both();
    assert.equal(ran.length, 1);
    one.clock.pass(hour / 2);
    await both();
    assert.equal(ran.length, 1);
    one.clock.pass(48 * hour);
    await both();
    assert.equal(ran.length, 2);
  });

  test('one that fails is written down, and the others go on', async () => {
    const queue = await aQueue(engine);
    const ran: string[] = [];
    queue.jobs.schedule({ name: 'test.broken', every: hour, add: () => Promise.reject(new Error('broken')) });
    hourly(queue, ran, 'one');
    await queue.jobs.settled();
    queue.clock.pass(hour);
    await queue.jobs.settled();
    assert.deepEqual(ran, ['one']);
    const errors = queue.log.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ details }) => (details as { schedule: string }).schedule),
      ['test.broken'],
    );
  });

  test('a next time that a wrong clock set too far off is not waited for', async () => {
    const queue = await aQueue(engine);
    const ran: string[] = [];
    hourly(queue, ran, 'one');
    await queue.jobs.settled();
    const next_at = queue.clock.in(1_000 * hour).toISOString();
    await queue.store.write((tx) => tx.updateTable('schedules').set({ next_at }).execute());
    await queue.jobs.settled();
    assert.equal(ran.length, 1);
  });
});
