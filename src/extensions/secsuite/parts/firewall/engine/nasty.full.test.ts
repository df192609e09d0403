import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asked } from '#test/firewall-engine.ts';
import { condition, request } from '#test/firewall-nasty.ts';
import { most, took } from '#test/work-taken.ts';
import { compileRules } from './engine.ts';
import { createView } from './view.ts';

test('no rule takes long, whatever is written and sent', () => {
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 3 }), request, (rules, sent) => {
      const engine = compileRules([{ id: '1', type: 'BLOCK', rules }], {
        now: () => 0,
        worked: () => 0,
        report: assert.fail,
      });
      for (const pass of ['early', 'late'] as const) {
        const time = took(() => engine.run(pass, createView(asked(sent)), { trusted: false }));
        assert.ok(time <= most, `${time} ms`);
      }
    }),
    { numRuns: 400, seed: 20_270_114 },
  );
});
