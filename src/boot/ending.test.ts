import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as aTurn } from 'node:timers/promises';
import type { Extension } from '#site/extension.ts';
import { createCallsUnderWay, createEnding, type Leaver } from './ending.ts';

declare module '#site/extension.ts' {
  interface SharedServices {
    rope: unknown;
  }
}

function aHouse(patience = { finishes: 10_000, ends: 10_000 }) {
  const said: string[] = [];
  const report = (error: unknown, name: string) => void said.push(`${name}: ${(error as Error).message}`);
  const ending = createEnding({ patience, report, ended: () => {} });
  const leaver = (name: string, more: Partial<Extension> = {}): Leaver => ({
    extension: { name, nouns: () => ({}), ends: () => void said.push(name), ...more } as Extension,
    use: {},
    callsUnderWay: createCallsUnderWay(),
  });
  return { said, ending, leaver };
}

test('nobody is ended while anybody that leaves with them is at work; whoever needs another is ended first', async () => {
  const { said, ending, leaver } = aHouse();
  const gate = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const tower = leaver('tower', {
    needs: ['rope'],
    ends: () => slow.promise.then(() => void said.push('tower')),
  });
  const bell = leaver('bell', { provides: ['rope'] });
  void tower.callsUnderWay.of(() => gate.promise);
  const over = ending([tower, leaver('lamp'), bell]);
  await aTurn();
  assert.deepEqual(said, []);
  gate.resolve();
  await aTurn();
  assert.deepEqual(said, ['lamp']);
  slow.resolve();
  await over;
  assert.deepEqual(said, ['lamp', 'tower', 'bell']);
});

test('each is ended once, and whoever ends them again waits for that', async () => {
  const { said, ending, leaver } = aHouse();
  const slow = Promise.withResolvers<void>();
  const lamp = leaver('lamp', { ends: () => slow.promise.then(() => void said.push('lamp')) });
  const all = [ending([lamp]), ending([lamp])];
  slow.resolve();
  await all[1];
  assert.deepEqual(said, ['lamp']);
  await Promise.all([...all, ending([lamp])]);
  assert.deepEqual(said, ['lamp']);
});

test('several that do not come to an end keep everybody as long as one, and those that they need end all the same', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { said, ending, leaver } = aHouse({ finishes: 10_000, ends: 50 });
  const hanging = { ends: () => new Promise<void>(() => {}) };
  let isOver = false;
  const ended = ending([
    ...Array.from({ length: 20 }, (_, at) => leaver(`lamp${at}`, hanging)),
    leaver('tower', { needs: ['rope'], ...hanging }),
    leaver('bell', { provides: ['rope'] }),
  ]).then(() => {
    isOver = true;
  });
  await aTurn();
  t.mock.timers.tick(49);
  await aTurn();
  assert.equal(isOver, false);
  t.mock.timers.tick(1);
  await ended;
  assert.equal(said.filter((one) => one.endsWith(': The extension did not end within the time limit.')).length, 21);
  assert.equal(said.at(-1), 'bell');
});
