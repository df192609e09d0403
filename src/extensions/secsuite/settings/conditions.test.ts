import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import type { Condition } from '../module.ts';
import { type ConditionContext, holds, toolHolds } from './conditions.ts';

const context: ConditionContext = {
  front: 'nginx',
  isActive: (module) => module === 'webauthn',
  isOn: (flag) => flag === 'tried',
};
const isOn: Condition['settings'] = { type: 'object', properties: { enabled: { type: 'boolean', enum: [true] } } };

describe('A condition', () => {
  const cases: readonly (readonly [about: string, condition: Condition, values: Record<string, unknown>, boolean])[] = [
    ['holds where it asks for nothing', {}, {}, true],
    ['holds by what is set', { settings: isOn }, { enabled: true }, true],
    ['holds by what a form sends', { settings: isOn }, { enabled: '1' }, true],
    ['does not hold by what is set otherwise', { settings: isOn }, { enabled: false }, false],
    ['holds while nothing is said', { settings: isOn }, {}, true],
    ['holds behind that web server', { 'server-type': ['apache', 'nginx'] }, {}, true],
    ['does not hold behind another', { 'server-type': ['apache'] }, {}, false],
    ['holds for the whole edition', { 'install-type': 'pro' }, {}, true],
    ['does not hold for another', { 'install-type': 'free' }, {}, false],
    ['holds with the modules on', { 'active-modules': ['webauthn'] }, {}, true],
    ['does not hold with one off', { 'active-modules': ['webauthn', 'ssl'] }, {}, false],
    ['holds where a group is named', { 'user-groups': ['a.group'] }, { a: { group: ['x'] } }, true],
    ['does not hold where none is', { 'user-groups': ['a.group'] }, { a: { group: [] } }, false],
    ['does not hold where there is no such list', { 'user-groups': ['a.group'] }, { a: 'group' }, false],
    ['holds while it is tried out', { 'feature-flags': ['tried'] }, {}, true],
    ['does not hold while it is not', { 'feature-flags': ['other'] }, {}, false],
    ['needs all its parts', { settings: isOn, 'active-modules': ['ssl'] }, { enabled: true }, false],
  ];
  test('hold as the table says', () =>
    checkRows(cases, ([, condition, values, expected]) => assert.equal(holds(condition, values, context), expected)));
});

describe('A condition of a tool', () => {
  const of = (module: string) => ({ enabled: module === 'backup' });
  test('asks for settings of other modules', () => {
    assert.equal(toolHolds({ settings: { backup: isOn } }, of, context), true);
    assert.equal(toolHolds({ settings: { backup: isOn, global: isOn } }, of, context), false);
    assert.equal(toolHolds({ 'active-modules': ['ssl'] }, of, context), false);
    assert.equal(toolHolds({}, of, context), true);
  });
});
