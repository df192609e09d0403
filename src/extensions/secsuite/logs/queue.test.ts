import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogType, NewEntry } from './entry.ts';
import { Queue } from './queue.ts';

const entry = (code: string, type: LogType = 'notice', data = ''): NewEntry =>
  ({ module: 'core', code, type, data, url: '' }) as NewEntry;
const bounds = { entries: 4, size: 1_000_000 };
const codes = (queue: Queue, most = 100) => queue.take(most).map(({ entry: { code } }) => code);

function queueOf(...entries: NewEntry[]): Queue {
  const queue = new Queue(bounds);
  for (const one of entries) queue.add(one);
  return queue;
}

describe('Entries that wait', () => {
  test('go in the order in which they came, whatever they are worth', () => {
    const queue = queueOf(entry('a', 'debug'), entry('b', 'fatal'), entry('c'), entry('d', 'debug'));
    assert.deepEqual(codes(queue, 3), ['a', 'b', 'c']);
    assert.deepEqual([codes(queue), queue.isEmpty, queue.leftOut()], [['d'], true, undefined]);
  });

  test('leave out debug first, the oldest of it, and say how many', () => {
    const queue = queueOf(
      entry('a', 'debug'),
      entry('b', 'debug'),
      entry('c', 'warning'),
      entry('d'),
      entry('e'),
      entry('f'),
    );
    assert.deepEqual(queue.leftOut(), { debug: 2 });
    assert.equal(queue.leftOut(), undefined);
    assert.deepEqual(codes(queue), ['c', 'd', 'e', 'f']);
  });

  test('leave out the oldest of least weight where there is no debug', () => {
    const queue = queueOf(
      entry('a', 'critical-issue'),
      entry('b'),
      entry('c', 'error'),
      entry('d'),
      entry('e', 'warning'),
    );
    assert.deepEqual(queue.leftOut(), { notice: 1 });
    queue.add(entry('f', 'debug'));
    assert.deepEqual(queue.leftOut(), { debug: 1 }, 'the least is what came last');
    assert.deepEqual(codes(queue), ['a', 'c', 'd', 'e']);
  });

  test('are bounded by their size as well', () => {
    const queue = new Queue({ entries: 100, size: 2_000 });
    for (const code of ['a', 'b', 'c']) queue.add(entry(code, 'notice', 'x'.repeat(600)));
    assert.deepEqual(queue.leftOut(), { notice: 1 });
    assert.deepEqual(codes(queue), ['b', 'c']);
  });

  test('go back to their places when they could not be kept', () => {
    const queue = queueOf(entry('a'), entry('b', 'error'), entry('c'));
    const taken = queue.take(2);
    queue.add(entry('d'));
    queue.putBack(taken);
    queue.add(entry('e', 'error'));
    assert.deepEqual(queue.leftOut(), { notice: 1 });
    assert.deepEqual(codes(queue), ['b', 'c', 'd', 'e']);
  });

  test('come and go by the thousand at the same cost', () => {
    const queue = new Queue({ entries: 100_000, size: 1e9 });
    for (let n = 0; n < 50_000; n++) queue.add(entry(String(n)));
    for (let n = 0; n < 50_000; n += 500) assert.equal(codes(queue, 500)[0], String(n));
    assert.equal(queue.isEmpty, true);
  });
});
