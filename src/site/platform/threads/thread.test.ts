import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { slowTime } from '#test/guarded.ts';
import { createThread, type Thread } from './thread.ts';

const answering = new URL('./answering.ts', import.meta.url);

/** A thread that does this with each question, and a clock that the test moves. */
function thread<Q, A>(does: string) {
  const source = `import { answering } from '${answering}'; let asked = 0; answering(${does});`;
  const time = slowTime();
  const one: Thread<Q, A> = createThread({
    file: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    waiting: 2,
    patience: 1000,
    idle: 100,
    full: () => new Problem(429, 'full', 'The line is full.'),
    after: time.later,
  });
  after(() => one.end());
  return { ...one, time };
}

const unavailable = (error: unknown) => error instanceof Unavailable;

describe('A thread', () => {
  test('answers one question after the other, and remembers what it did', async () => {
    const { ask } = thread<number, [number, number]>('(number) => [number * 2, (asked += 1)]');
    assert.deepEqual(await Promise.all([ask(1, 'a'), ask(2, 'b'), ask(3, 'c')]), [
      [2, 1],
      [4, 2],
      [6, 3],
    ]);
  });

  test('is told nothing of what the program was started with', async () => {
    const { ask } = thread<null, number>('() => Object.keys(process.env).length');
    assert.equal(await ask(null, 'a'), 0);
  });

  test('ends when nobody asked for a while, and begins anew for whoever asks then', async () => {
    const { ask, time } = thread<null, number>('() => (asked += 1)');
    await ask(null, 'a');
    time.pass(99);
    assert.equal(await ask(null, 'a'), 2);
    time.pass(100);
    assert.equal(await ask(null, 'a'), 1);
    assert.equal(time.waiting(), 1);
  });

  test('is given up when an answer takes too long, and the next question has a new one', async () => {
    const { ask, time } = thread<boolean, number>('(slow) => { while (slow); return (asked += 1); }');
    await ask(false, 'a');
    const stuck = ask(true, 'a');
    const next = ask(false, 'b');
    time.pass(1000);
    await assert.rejects(stuck, unavailable);
    assert.equal(await next, 1);
  });

  test('that fails at a question answers the next', async () => {
    const { ask } = thread<boolean, number>('(bad) => { if (bad) throw new Error("no"); return (asked += 1); }');
    await assert.rejects(ask(true, 'a'), unavailable);
    assert.equal(await ask(false, 'a'), 1);
  });

  test('that fails while nobody asks is replaced for whoever does', async () => {
    const { ask } = thread<boolean, number>(
      '(bad) => { if (bad) queueMicrotask(() => process.exit(1)); return (asked += 1); }',
    );
    assert.equal(await ask(true, 'a'), 1);
    // Until it is known to be gone, whoever asks is told so.
    const untilAnswered = (): Promise<number> => ask(false, 'a').catch(untilAnswered);
    assert.equal(await untilAnswered(), 1);
  });

  test('keeps only so many waiting', async () => {
    const { ask } = thread<number, number>('(number) => number');
    const three = [ask(1, 'a'), ask(2, 'a'), ask(3, 'a')];
    await assert.rejects(ask(4, 'a'), { code: 'full' });
    assert.deepEqual(await Promise.all(three), [1, 2, 3]);
  });

  test('that has ended answers nobody, those who were waiting either', async () => {
    const { ask, end } = thread<boolean, number>('(slow) => { while (slow); return 1; }');
    await ask(false, 'a');
    const [stuck, waiting] = [ask(true, 'a'), ask(false, 'b')];
    stuck.catch(() => {});
    waiting.catch(() => {});
    await end();
    await assert.rejects(stuck, unavailable);
    await assert.rejects(waiting, unavailable);
    await assert.rejects(ask(false, 'a'), unavailable);
  });
});
