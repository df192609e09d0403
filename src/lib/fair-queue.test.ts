import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

const full = () => new Error('full');

/** Work that ends when it is told to. */
function counter() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (number: number) => async () => {
    begun.push(number);
    await new Promise<void>((end) => ends.set(number, end));
    return number;
  };
  return { begun, work, end: (number: number) => ends.get(number)!() };
}

test('so many are served at a time, the others in the order they came', async () => {
  const line = new FairQueue({ together: 2, waiting: 5, full });
  const { begun, work, end } = counter();
  const served = [1, 2, 3, 4].map((number) => line.serve('all', work(number)));
  assert.deepEqual(begun, [1, 2]);
  end(2);
  assert.equal(await served[1], 2);
  await soon();
  assert.deepEqual(begun, [1, 2, 3]);
  end(1);
  end(3);
  await served[0];
  await served[2];
  await soon();
  end(4);
  assert.equal(await served[3], 4);
});

test('whoever finds the line full is refused, and those in it are served all the same', async () => {
  const line = new FairQueue({ together: 1, waiting: 1, full });
  const { work, end } = counter();
  const first = line.serve('all', work(1));
  const second = line.serve('all', work(2));
  await assert.rejects(line.serve('all', work(3)), full());
  end(1);
  await first;
  await soon();
  end(2);
  assert.equal(await second, 2);
});

test('work that fails gives its place to the next', async () => {
  const line = new FairQueue({ together: 1, waiting: 1, full });
  const failing = line.serve('all', () => Promise.reject(new Error('it failed')));
  const next = line.serve('all', async () => 'served');
  await assert.rejects(failing, /it failed/);
  assert.equal(await next, 'served');
  assert.equal(await line.serve('all', async () => 'and again'), 'and again');
});

test('parties take turns, so that a crowd does not keep one person waiting', async () => {
  const line = new FairQueue({ together: 1, waiting: 10, full });
  const order: string[] = [];
  const come = (who: string) => line.serve(who, async () => void order.push(who));
  const served = ['crowd', 'crowd', 'crowd', 'crowd', 'anna', 'ben', 'anna'].map(come);
  await Promise.all(served);
  assert.deepEqual(order, ['crowd', 'crowd', 'anna', 'ben', 'crowd', 'anna', 'crowd']);
});

test('a full line makes room for a smaller party by the last of the largest', async () => {
  const line = new FairQueue({ together: 1, waiting: 3, full });
  const { begun, work, end } = counter();
  const crowd = [1, 2, 3, 4].map((number) => line.serve('crowd', work(number)));
  await assert.rejects(line.serve('crowd', work(5)), full());
  const anna = line.serve('anna', work(6));
  await assert.rejects(crowd[3]!, full());
  for (const number of [1, 2, 6, 3]) {
    end(number);
    await soon();
  }
  assert.deepEqual(begun, [1, 2, 6, 3]);
  await Promise.all([...crowd.slice(0, 3), anna]);
});

test('parties of one size refuse whoever comes to a full line', async () => {
  const line = new FairQueue({ together: 1, waiting: 2, full });
  const { work, end } = counter();
  const served = ['a', 'b', 'c'].map((who, number) => line.serve(who, work(number)));
  await assert.rejects(line.serve('d', work(9)), full());
  for (const number of [0, 1, 2]) {
    end(number);
    await soon();
  }
  await Promise.all(served);
});
