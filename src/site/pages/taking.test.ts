import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { taking } from './export.ts';

const piece = 'x'.repeat(2 ** 16);

async function* many(count: number, closed: () => void, before: () => Promise<unknown> = async () => {}) {
  try {
    for (let left = count; left > 0; left--) {
      await before();
      yield piece;
    }
  } finally {
    closed();
  }
}

test('what nobody takes ends, and lets go of what it was read from', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const count of [1, 9]) {
    const body = new PassThrough();
    let isClosed = false;
    const pieces = many(count, () => {
      isClosed = true;
    });
    const taken = assert.rejects(pipeline(taking(body, 100).of(pieces), body), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    await turn();
    t.mock.timers.tick(100);
    await taken;
    assert.deepEqual([isClosed, body.destroyed], [true, true]);
  }
});

test('what is taken comes whole, however long it takes to come', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const body = new PassThrough();
  const { of, end } = taking(body, 100);
  const slow = many(
    3,
    () => {},
    async () => {
      await turn();
      t.mock.timers.tick(110);
    },
  );
  const [all] = await Promise.all([text(body), pipeline(of(slow), body).finally(end)]);
  assert.equal(all.length, 3 * piece.length);
});
