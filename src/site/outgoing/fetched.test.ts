import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fault, guard, head, plain, rude } from '#test/guarded.ts';
import { checkRows } from '#test/rows.ts';
import { afterReally } from '../platform/clock.ts';
import { deadlineOf } from './deadline.ts';
import { fetchedFrom } from './fetched.ts';

/** An answer as it is read: every piece lies in the same memory, which is full of something else by then. */
function answerOf(pieces: readonly string[]) {
  const memory = Buffer.alloc(100_000);
  async function* body() {
    for (const piece of pieces) {
      yield memory.subarray(0, memory.write(piece));
      memory.fill('?');
    }
  }
  return { status: 200, headers: new Headers({ 'content-type': 'text/plain' }), body: body(), close: () => {} };
}

function fetched(pieces: readonly string[], most: number) {
  const deadline = deadlineOf(10_000, { after: afterReally, ended: () => {} });
  return fetchedFrom(new URL('http://site.test/'), answerOf(pieces), { ...plain, most }, deadline);
}

describe('What is read whole', () => {
  const drops = 'drop by drop, '.repeat(3000).split('');
  const whole = drops.join('');
  test('is not kept in pieces', () =>
    checkRows(
      [
        ['nothing', []],
        ['one piece', [whole]],
        ['a little and then much', ['d', whole.slice(1)]],
        ['drops', drops.slice(0, 10_000)],
      ] as const,
      async ([, pieces]) => {
        assert.equal(await fetched(pieces, 100_000).text(), pieces.join(''));
      },
    ));

  test('may fill all that is taken, and may be nothing where nothing is taken', async () => {
    assert.equal(await fetched([whole], whole.length).text(), whole);
    assert.equal(await fetched([], 0).text(), '');
    await assert.rejects(fetched([whole], whole.length - 1).bytes(), fault('size'));
  });
});

describe('An answer in crumbs', () => {
  const chunked = (size: number, count: number) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count)}0\r\n\r\n`;

  test('is broken off long before it ends, for whoever reads it piece by piece too', async () => {
    const from = await rude((socket) => socket.end(chunked(1, 20_000)));
    await assert.rejects(guard(from).read({ most: 1_000_000 }), fault('broken'));
    let pieces = 0;
    const reading = async () => {
      for await (const _ of (await guard(from).outgoing.fetch(from.url, { ...plain, most: 1_000_000 })).body)
        pieces += 1;
    };
    await assert.rejects(reading(), fault('broken'));
    assert.ok(pieces < 11_000, `${pieces}`);
    await from.quiet();
  });

  test('is taken as long as they are few, or not that small', async () => {
    const few = await rude((socket) => socket.end(chunked(1, 9000)));
    assert.equal((await guard(few).read({ most: 1_000_000 })).length, 9000);
    const larger = await rude((socket) => socket.end(chunked(20, 20_000)));
    assert.equal((await guard(larger).read({ most: 1_000_000 })).length, 400_000);
  });
});
