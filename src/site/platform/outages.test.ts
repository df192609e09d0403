import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { keptLog } from '#test/databases.ts';
import { createOutages } from './outages.ts';

function watched() {
  const log = keptLog();
  const world = { now: 0, isAway: true, looking: 0 };
  let look = async (): Promise<void> => {};
  const outages = createOutages({
    log,
    clock: () => new Date(world.now),
    ping: async () => {
      if (world.isAway) throw new Unavailable('away');
    },
    repeat: (again) => {
      look = again;
      world.looking += 1;
      return () => {
        world.looking -= 1;
      };
    },
  });
  return { world, outages, look: () => look(), said: () => log.lines.map(({ message }) => message), log };
}

const back = 'The database and storage work again. Requests are answered and background jobs run.';
const away = () => new Unavailable('The database cannot be reached at the moment.');

test('what is away is told once, however many ask, and once more when it is back', async () => {
  const { world, outages, look, log, said } = watched();
  for (let n = 0; n < 1000; n += 1) outages.refused(away(), `r${n}`);
  world.now = 12_000;
  outages.refused(away(), 'last');
  await look();
  await look();
  assert.deepEqual(said(), ['The database cannot be reached at the moment.']);
  assert.deepEqual(log.lines[0]?.details, { request: 'r0' });
  world.isAway = false;
  await look();
  assert.deepEqual(log.lines[1], {
    level: 'info',
    message: back,
    details: { refused: 1001, seconds: 12 },
  });
  assert.equal(world.looking, 0);
});

test('it is told once, whoever finds it: requests, jobs or the store', async () => {
  const { world, outages, look, log, said } = watched();
  outages.away(away());
  outages.refused(away(), 'one');
  outages.away(away());
  await look();
  world.isAway = false;
  await look();
  assert.deepEqual(said(), ['The database cannot be reached at the moment.', back]);
  assert.deepEqual(log.lines[1]?.details, { refused: 1, seconds: 0 });
});

test('it is not over while requests are refused, though the store answers: a disk is full for writes alone', async () => {
  const { world, outages, look, said } = watched();
  world.isAway = false;
  for (let turn = 0; turn < 5; turn += 1) {
    outages.refused(new OutOfSpace('There is no room left.'), 'one');
    await look();
  }
  assert.deepEqual(said(), ['There is no room left.']);
  await look();
  assert.deepEqual(said(), ['There is no room left.', back]);
});

test('the next outage is told again', async () => {
  const { world, outages, look, said } = watched();
  world.isAway = false;
  for (const request of ['one', 'two']) {
    outages.refused(away(), request);
    await look();
    await look();
  }
  assert.equal(said().filter((message) => /cannot be reached/.test(message)).length, 2);
});

test('another reason is told too, and reasons without end are not', () => {
  const { outages, said } = watched();
  for (let n = 0; n < 50; n += 1) outages.refused(new Unavailable(`reason ${n}`), 'one');
  assert.equal(said().length, 10);
});

test('closing ends the looking', () => {
  const { world, outages } = watched();
  outages.close();
  outages.refused(away(), 'one');
  assert.equal(world.looking, 1);
  outages.close();
  assert.equal(world.looking, 0);
});
