// Whatever people write as rules and whoever sends what: nothing fails.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { asked } from '#test/firewall-engine.ts';
import { condition, request, value } from '#test/firewall-nasty.ts';
import type { Asked } from './asked.ts';
import { compileRules } from './engine.ts';
import { faultsOf } from './faults.ts';
import type { Condition } from './rule.ts';
import { createView } from './view.ts';

describe('whatever is written and sent', () => {
  it('nothing fails', () => {
    const failed: unknown[] = [];
    const once = (rules: readonly Condition[], sent: Partial<Asked>): void => {
      const engine = compileRules([{ id: '1', type: 'BLOCK', rules }], {
        now: () => 0,
        worked: () => 0,
        report: (_, error) => failed.push(error),
      });
      for (const pass of ['early', 'late'] as const) engine.run(pass, createView(asked(sent)), { trusted: false });
    };
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 3 }), request, (rules, sent) => {
        faultsOf({ type: 'BLOCK', rules });
        once(rules, sent);
        assert.deepEqual(failed, []);
      }),
      { numRuns: 400, seed: 20_270_114 },
    );
  });

  it('no description of a rule makes the search for its faults fail', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          value,
          fc.record({ type: value, rules: value, type_params: value }),
          fc.record({ rules: fc.array(fc.record({ parameter: value, match: value, mutations: value, rules: value })) }),
        ),
        (config) => void faultsOf(config),
      ),
      { numRuns: 500, seed: 5 },
    );
  });
});
