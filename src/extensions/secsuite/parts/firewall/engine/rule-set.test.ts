// Rules come and go one by one; what is left answers as if it had been made whole.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engineOf, here, viewOf, yes } from '#test/firewall-engine.ts';
import { createSlots, type Slot } from './conditions.ts';
import { compileRules } from './engine.ts';
import { parameterOf } from './parameter.ts';
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

  it('asks no more about a rule that is gone, also where it asked of every request', () => {
    const cannot = [{ parameter: 'rules', match: { type: 'current_user_cannot', value: 'x' } }];
    const set = engineOf([rule('1', 'LOG', { rules: cannot }), rule('2', 'LOG', { rules: cannot })]);
    set.drop(0);
    assert.deepEqual(
      set.run('late', viewOf(here), { trusted: false }).hits.map((hit) => hit.rule),
      ['2'],
    );
  });

  it('gives back each place that nobody looks at any more, and no other', () => {
    const open = new Set<Slot>();
    const slots = createSlots({ opened: (slot) => void open.add(slot), closed: (slot) => void open.delete(slot) });
    const [one, other] = [slots.holder(), slots.holder()];
    const [a, b] = ['get.a', 'get.b'].map((written) => parameterOf(written)!);
    assert.equal(one.slot(a!, undefined), one.slot(a!, undefined));
    assert.equal(other.slot(a!, undefined), one.slot(a!, undefined));
    other.slot(b!, undefined);
    assert.equal(open.size, 2);
    other.release();
    assert.equal(open.size, 1);
    one.release();
    assert.equal(open.size, 0);
  });

  it('reads nothing of a request that only a rule asked for that is gone', () => {
    const set = engineOf([rule('1', 'LOG', { rules: [yes('cookie.a')] }), rule('2', 'LOG')]);
    set.drop(0);
    const seen: string[] = [];
    const view = viewOf(here);
    const counting = {
      ...view,
      source: (name: Parameters<typeof view.source>[0]) => {
        seen.push(name);
        return view.source(name);
      },
    };
    set.run('early', counting, { trusted: false });
    assert.equal(seen.includes('cookie'), false);
  });

  it('tells again of a rule that fails once it was changed', () => {
    const told: string[] = [];
    const set = compileRules([], { now: () => 0, worked: () => 0, report: (id) => told.push(id) });
    const failing = rule('1', 'LOG', {
      rules: [{ parameter: 'rules', match: { type: 'current_user_cannot', value: 'x' } }],
    });
    const user = {
      roles: [],
      can: () => {
        throw new Error('out of order');
      },
    };
    for (const _ of 'twice') {
      set.keep(1, failing);
      for (const _ of 'often') set.run('late', viewOf(here), { trusted: false, user });
    }
    assert.deepEqual(told, ['1', '1', '1', '1', '1']);
  });
});
