// Rules come and go one by one; what is left answers as if it had been made whole.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engineOf, here, viewOf, yes } from '#test/firewall-engine.ts';
import type { Rule } from './rule.ts';

const rule = (id: string, type: string, more: Partial<Rule> = {}): Rule => ({ id, type, rules: [yes()], ...more });
const nothing = { form: false, raw: false, files: false, contents: false, rest: false };

describe('A set of rules', () => {
  it('asks rules in the order of their places, whenever they came', () => {
    const set = engineOf([]);
    const hits = () => set.run('early', viewOf(here), { trusted: false }).hits.map(({ rule }) => rule);
    for (const place of [3, 1, 2]) set.keep(place, rule(`${place}`, 'LOG'));
    assert.deepEqual(hits(), ['1', '2', '3']);
    set.keep(2, rule('other', 'LOG'));
    assert.deepEqual(hits(), ['1', 'other', '3']);
    set.drop(1);
    set.drop(4);
    assert.deepEqual([hits(), set.sizes.early], [['other', '3'], 2]);
  });

  it('needs what its rules need just now, and moves a rule to the pass that it belongs to', () => {
    const set = engineOf([rule('1', 'LOG', { rules: [yes('post.a')] }), rule('2', 'LOG', { rules: [yes('raw')] })]);
    set.drop(0);
    assert.deepEqual(set.needs.early, { ...nothing, raw: true });
    set.keep(1, rule('2', 'LOG', { rules: [yes('rest.method')] }));
    assert.deepEqual([set.needs.early, set.sizes], [nothing, { early: 0, late: 1, write: 0 }]);
    set.keep(1, rule('2', 'LOG', { rules: [yes('write.record'), yes('rest.method')] }));
    assert.deepEqual({ ...set.sizes }, { early: 0, late: 0, write: 1 });
  });
});
