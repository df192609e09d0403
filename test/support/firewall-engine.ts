// For tests of the engine: a request in a line, and whether a condition holds for it.

import type { Asked } from '../../src/extensions/secsuite/parts/firewall/engine/asked.ts';
import {
  compileRules,
  type Outcome,
  type RuleSet,
  type RunOptions,
} from '../../src/extensions/secsuite/parts/firewall/engine/engine.ts';
import type { Condition, Rule } from '../../src/extensions/secsuite/parts/firewall/engine/rule.ts';
import { passes } from '../../src/extensions/secsuite/parts/firewall/engine/run.ts';
import { createView, type View } from '../../src/extensions/secsuite/parts/firewall/engine/view.ts';

export const asked = (some: Partial<Asked> = {}): Asked => ({
  method: 'GET',
  url: '/',
  headers: { host: 'garden.test' },
  address: '203.0.113.7',
  peer: '10.0.0.1',
  port: 40_000,
  secure: true,
  serverName: 'garden.test',
  serverPort: 443,
  protocol: 'HTTP/1.1',
  time: 1_790_000_000_500,
  siteHost: 'garden.test',
  ...some,
});

export const viewOf = (some: Partial<Asked> = {}): View => createView(asked(some));

/** An engine whose clock stands still; what it reports is thrown. */
export const engineOf = (rules: readonly Rule[]): RuleSet =>
  compileRules(rules, {
    now: () => 0,
    worked: () => 0,
    report: (_, error) => {
      throw error;
    },
  });

export function outcomeOf(
  rules: readonly Condition[],
  some: Partial<Asked>,
  options: Partial<RunOptions> = {},
): Outcome {
  const engine = engineOf([{ id: '1', type: 'BLOCK', rules }]);
  const pass = passes.find((one) => engine.sizes[one] > 0) ?? 'early';
  return engine.run(pass, viewOf(some), { trusted: false, ...options });
}

/** Whether the list is true for the request. */
export const isMet = (
  rules: Condition | readonly Condition[],
  some: Partial<Asked>,
  options?: Partial<RunOptions>,
): boolean => outcomeOf([rules].flat(), some, options).ended.how === 'blocked';

export const json = (value: unknown): string => JSON.stringify(value);

/** True for what is here, unless it looks elsewhere. */
export const yes = (parameter = 'get.a'): Condition => ({ parameter, match: { type: 'isset' } });
export const no: Condition = { parameter: 'get.a', match: { type: 'equals', value: 'other' } };
export const absent: Condition = yes('get.absent');
export const marked = (condition: Condition): Condition => ({ ...condition, inclusive: true });
export const here: Partial<Asked> = { url: '/?a=1&list[]=x&list[]=y' };
