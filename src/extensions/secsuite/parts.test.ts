// What the parts say together, and how they share names and events.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listenersOf } from './part.ts';
import { joinedByName } from './parts.ts';

describe('the parts of the security suite', () => {
  test('give each name once', () => {
    const declares = (part: string, ...values: number[]) =>
      [part, values.map((value) => ['file_change', value] as const)] as const;
    const [once, other, twice] = [declares('a', 1), declares('b', 2), declares('a', 1, 2)];
    assert.throws(() => joinedByName([once, other]), { message: 'The parts "a" and "b" both declare "file_change".' });
    assert.throws(() => joinedByName([twice]), { message: 'The part "a" declares "file_change" twice.' });
    assert.deepEqual([...joinedByName([once, ['b', [['backup', 2]]]])], Object.entries({ file_change: 1, backup: 2 }));
  });

  test('all hear of an event, and one that fails keeps no other from it', async () => {
    const heard: number[] = [];
    const fails = { on: { 'session.ended': () => assert.fail('Out of order') } };
    const hears = { on: { 'session.ended': ({ sessions }: { sessions: number }) => void heard.push(sessions) } };
    const hear = listenersOf<object>([hears, fails, hears])['session.ended'] ?? assert.fail();
    const event = { user: { id: 1 }, sessions: 3 } as Parameters<typeof hear>[0];
    await assert.rejects(async () => hear(event, {}), { message: 'Out of order' });
    assert.deepEqual(heard, [3, 3]);
  });
});
