// Lists of bans that no index has are looked for in slices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bans, suiteOfBans } from '#test/bans-alone.ts';
import { eachEngine } from '#test/databases.ts';
import { turnsOf } from '#test/turns.ts';
import { fill } from '../../../../bench/ban-rows.ts';

/** Many slices, and at once far longer than one of them. All are of noon. */
const many = 50_000;

eachEngine('Looking for bans among many of one second', (engine) => {
  test('lets other requests have their turn', async () => {
    const noon = Date.parse('2026-11-20T12:00:00Z');
    const { add, admin, config } = await suiteOfBans(engine, () => new Date(noon));
    // The site writes nothing more by itself after its first request as administrator.
    await add('2001:db8::1');
    await fill(config, many);
    const { answer, longest, whole } = await turnsOf(() => admin.get(`${bans}?search=hay`));
    assert.deepEqual([answer.status, answer.body], [200, []]);
    assert.ok(longest <= Math.max(10, whole / 4), `${longest} of ${whole} ms without a turn for anybody else`);
  });
});
