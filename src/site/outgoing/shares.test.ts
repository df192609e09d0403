import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { testClock } from '#test/queue.ts';
import { createShares, type Shares } from './shares.ts';

const begun = () => new Promise((later) => setImmediate(later));

/** Look-ups that end when they are told to: who began, in order. */
function lookUps({ inTurn }: Pick<Shares, 'inTurn'>) {
  const who: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const look = (user: number): Promise<void> =>
    inTurn(user, () => {
      who.push(user);
      return new Promise<void>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    });
  return { who, ends, look };
}

test('so many of all go at once, and of each: whoever asks much waits behind others who ask little', async () => {
  const { who, ends, look } = lookUps(createShares(testClock(), { each: 2, all: 3, aMinute: 60 }));
  const over = [1, 1, 1, 2, 3].map(look);
  await begun();
  assert.deepEqual(who, [1, 1, 2]);
  for (const [at, now] of [
    [1, 1, 2, 3],
    [1, 1, 2, 3, 1],
  ].entries()) {
    ends[at]!();
    await begun();
    assert.deepEqual(who, now);
  }
  for (const end of ends.slice(2)) end();
  await Promise.all(over);
});

test('what fails makes room', async () => {
  const { who, ends, look } = lookUps(createShares(testClock(), { each: 1, all: 1, aMinute: 60 }));
  const [failing, other] = [look(1), look(2)];
  await begun();
  ends[0]!(new Error('away'));
  await assert.rejects(failing, /away/);
  await begun();
  assert.deepEqual(who, [1, 2]);
  ends[1]!();
  await other;
});

test('somebody begins so many within a minute, and others theirs', () => {
  const clock = testClock();
  const { mayLookUp } = createShares(clock, { each: 1, all: 1, aMinute: 2 });
  const asked = () => [1, 1, 1, 2].map(mayLookUp);
  assert.deepEqual(asked(), [true, true, false, true]);
  clock.pass(minute);
  assert.deepEqual(asked(), [true, true, false, true]);
});

test('whoever has as many under way or waiting begins no more, however many minutes pass', async () => {
  const clock = testClock();
  const shares = createShares(clock, { each: 1, all: 2, aMinute: 2 });
  const { who, ends, look } = lookUps(shares);
  const over = [look(1), look(1)];
  clock.pass(5 * minute);
  assert.deepEqual([shares.mayLookUp(1), shares.mayLookUp(2)], [false, true]);
  await begun();
  ends[0]!();
  await over[0];
  assert.equal(shares.mayLookUp(1), true);
  over.push(look(1));
  await begun();
  assert.equal(who.length, 2, 'still one at a time');
  ends[1]!();
  await over[1];
  await begun();
  ends[2]!();
  await over[2];
});
