// An engine keeps places from one request to the next, and nothing in them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engineOf, here, no, viewOf, yes } from '#test/firewall-engine.ts';
import { compileRules } from './engine.ts';
import type { Condition, Rule } from './rule.ts';

const rule = (id: string, type: string, rules: Condition[]): Rule => ({ id, type, rules });

describe('Between requests the engine', () => {
  it('keeps nothing of one request for the next one', () => {
    const both = ['get.a', 'get.b'].map((parameter): Condition => ({ ...yes(parameter), inclusive: true }));
    const engine = engineOf([rule('both', 'BLOCK', both)]);
    const ended = (url: string) => engine.run('early', viewOf({ url }), { trusted: false }).ended.how;
    assert.equal(ended('/?a=1&b=1'), 'blocked');
    for (const url of ['/?a=1', '/?b=1', '/']) assert.equal(ended(url), 'through', url);
  });

  it('asks the same of the thousandth request, and little of any', () => {
    let looks = 0;
    const worked = () => looks++;
    const engine = compileRules([rule('a', 'LOG', [no])], { now: () => 0, worked, report: () => {} });
    for (let request = 0; request < 1000; request++) engine.run('early', viewOf(here), { trusted: false });
    assert.equal(looks, 0, 'nobody had to look at what it took');
  });
});
