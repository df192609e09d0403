import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modulesOn } from '../modules/all.ts';
import { listedOf, listIn, withListed } from './listed.ts';
import { createMatchableSettings } from './matchable-settings.ts';

const module = (id: string) => ({
  ...{ id, title: id },
  settings: [{ ...{ module: id, name: 'group', title: '', description: '' }, usually: [] }],
});

test('where one module refuses, those before it are put back', async () => {
  const kept: Record<string, Record<string, unknown>> = { one: { group: ['x'] }, two: { group: [] }, three: {} };
  const settings = {
    of: (id: string) => kept[id]!,
    overlay: async (id: string, sent: (before: Record<string, unknown>) => object) => {
      if (id === 'three') throw new Error('It is refused.');
      kept[id] = { ...kept[id], ...sent(kept[id]!) };
    },
  };
  const matchables = { ids: ['x'], has: (id: string) => id === 'x' };
  const listed = () => ['one', 'two', 'three'].map(module);
  const { change, of } = createMatchableSettings({ listed, settings, matchables });
  const before = of('x');
  const said = { one: { group: false }, two: { group: true }, three: { group: true } };
  await assert.rejects(change('x', said, { caller: { id: 1, can: () => true } }), /It is refused/);
  assert.deepEqual(of('x'), before);
  await change('x', { one: { group: false }, two: { group: true } }, { caller: { id: 1, can: () => true } });
  assert.deepEqual(of('x'), { one: { group: false }, two: { group: true }, three: { group: false } });
});

test('modules that are switched come first, then those that always run, then what passwords have to be', () => {
  const named = listedOf(modulesOn({ data: '.' })).map(({ id, settings }) => [id, ...settings.map(({ name }) => name)]);
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
