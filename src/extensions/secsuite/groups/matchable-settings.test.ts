import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { eachEngine } from '#test/databases.ts';
import { aSwitchboard, behalf, one } from '#test/switchboard.ts';
import { modulesOn } from '../parts.ts';
import { moduleOrder } from '../settings/module-order.ts';
import { listedOf, listIn, withListed } from './listed.ts';
import { createMatchableSettings } from './matchable-settings.ts';

eachEngine('what is on for a group', (engine) => {
  test('is changed in all modules or in none, and nobody hears of what was refused', async () => {
    const { settings } = await aSwitchboard(engine);
    const matchables = { ids: [one], has: (id: string) => id === one };
    const listed = () => listedOf(modulesOn({ data: '.' }));
    const { change, of } = createMatchableSettings({ listed, settings, matchables });
    const told: string[] = [];
    settings.onChange((id) => void told.push(id));
    for (const id of ['dashboard', 'user-logging'] as const) settings.effect(id, () => void told.push(id));
    let refuses = true;
    settings.check('user-logging', () => (refuses ? [new Problem(400, 'not-this', 'It is refused.')] : []));
    const before = of(one);
    const said = { dashboard: { group: true }, 'user-logging': { group: true } };
    await assert.rejects(change(one, said, behalf), { code: 'not-this' });
    assert.deepEqual([of(one), told], [before, []]);
    refuses = false;
    const after = await change(one, said, behalf);
    assert.deepEqual([after.dashboard, after['user-logging']], [{ group: true }, { group: true }]);
    assert.deepEqual(told.sort(), ['dashboard', 'dashboard', 'user-logging', 'user-logging']);
  });
});

test('modules that are switched come first, then those that always run, then what passwords have to be', () => {
  const established = modulesOn({ data: '.' }).filter(({ id }) => moduleOrder.includes(id));
  const named = listedOf(established).map(({ id, settings }) => [id, ...settings.map(({ name }) => name)]);
  assert.deepEqual(named, [
    ['two-factor', 'exclude_group', 'application_passwords_group', 'protect_user_group', 'remember_group'],
    ['passwordless-login', 'group', '2fa_bypass_group'],
    ['user-logging', 'group'],
    ['fingerprinting', 'group'],
    ['global', 'manage_group'],
    ['dashboard', 'group'],
    ['password-requirements', ...['strength', 'hibp', 'age'].map((code) => `requirement_settings.${code}.group`)],
  ]);
});

test('a list is found on its way, and changed without its neighbours', () => {
  const name = 'requirement_settings.age.group';
  const before = { enabled: 1, requirement_settings: { age: { expire_max: 120, group: ['x'] }, hibp: { group: [] } } };
  assert.deepEqual(listIn(before, { name }), ['x']);
  assert.deepEqual(listIn({}, { name }), []);
  assert.equal(withListed(before, { name }, 'x', true), before);
  assert.deepEqual(withListed(before, { name }, 'y', true).requirement_settings, {
    age: { expire_max: 120, group: ['x', 'y'] },
    hibp: { group: [] },
  });
  assert.deepEqual(withListed({}, { name }, 'y', true), { requirement_settings: { age: { group: ['y'] } } });
});
