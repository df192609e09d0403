// Lists of bans that no index has: the same whatever lies in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bans, labelsOf, linkOf, suiteOfBans } from '#test/bans-alone.ts';
import { onBothStores } from '#test/databases.ts';
import { fill } from '../../../../bench/ban-rows.ts';

/** More than one page reads at once. All are of noon. */
const many = 5_000;
const hour = 3_600_000;

onBothStores('Looking for bans among many of one second', (engine) => {
  test('finds each of them once, in order', async () => {
    const noon = Date.parse('2026-11-20T12:00:00Z');
    let now = noon - hour;
    const { add, admin, config } = await suiteOfBans(engine, () => new Date(now));
    const lockout = { created_by: { type: 'lockout_module', id: 'brute_force' } };
    for (const at of [1, 2]) await add(`2001:db8::${at}`, { comment: 'A needle of the morning', ...lockout });
    now = noon;
    for (const at of [3, 4]) await add(`2001:db8::${at}`, { comment: 'A needle of noon' });
    await fill(config, many);
    for (const at of [5, 6]) await add(`2001:db8::${at}`, { comment: 'A needle of noon', ...lockout });
    now = noon + hour;
    await add('2001:db8::7', { comment: 'A needle of the evening' });

    const listed = async (query: string): Promise<string[]> => {
      const seen: string[] = [];
      for (let next: string | undefined = `${bans}?${query}`; next !== undefined; ) {
        const page = await admin.get(next);
        seen.push(...labelsOf(page).map((label) => label.replace('2001:db8::', '')));
        next = linkOf(page, 'next');
      }
      return seen;
    };
    assert.deepEqual(await listed('search=Needle&per_page=2'), ['7', '6', '5', '4', '3', '2', '1']);
    assert.deepEqual(await listed('search=2001:DB8:&per_page=100'), ['7', '6', '5', '4', '3', '2', '1']);
    assert.deepEqual(await listed('search=needle&actor_type=user'), ['7', '4', '3']);
    assert.deepEqual(await listed('search=needle&actor_type=user&actor_id=2'), []);
    assert.deepEqual(await listed('actor_type=lockout_module&per_page=1'), ['6', '5', '2', '1']);
    assert.deepEqual(await listed('actor_id=brute_force&created_after=2026-11-20T12:00:00Z'), []);
    assert.deepEqual(await listed('actor_id=brute_force&created_after=2026-11-20T11:59:59Z'), ['6', '5']);
    assert.deepEqual(await listed('search=needle&created_before=2026-11-20T12:00:00Z&per_page=1'), ['2', '1']);
  });
});
