import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asked } from '#test/firewall-engine.ts';
import { compileRules } from './engine.ts';
import type { Condition } from './rule.ts';
import { createView } from './view.ts';

describe('what is worked for a request', () => {
  it('counts from when a large body is read, and is looked at between many values', () => {
    let worked = 0;
    const run = (condition: Condition, rawBody: string, each: number) => {
      worked = 0;
      const engine = compileRules([{ id: '1', type: 'BLOCK', rules: [condition] }], {
        now: () => 0,
        worked: () => (worked += each),
        report: assert.fail,
      });
      return engine.run('early', createView(asked({ rawBody })), { trusted: false });
    };
    const some = { parameter: 'raw.*', mutations: ['json_encode'], match: { type: 'equals', value: 'no' } };
    assert.equal(run(some, JSON.stringify(Array(10_000).fill(1)), 1).ended.how, 'overBudget');
    assert.equal(worked < 60, true);
    assert.equal(run(some, JSON.stringify(['x'.repeat(20_000)]), 51).ended.how, 'overBudget');
    const { ended, left } = run(some, JSON.stringify(['x'.repeat(20_000)]), 3);
    assert.deepEqual([ended.how, left], ['through', 50 - (worked - 3)]);
  });
});
