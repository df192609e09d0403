import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { faultsOf } from './faults.ts';
import type { Condition, Match } from './rule.ts';

const config = (rules: unknown, more: object = {}): object => ({ type: 'BLOCK', rules, ...more });
const match = (one: unknown): object => config([{ parameter: 'get.a', match: one }]);
const isset: Match = { type: 'isset' };

const nested = (levels: number): Condition =>
  levels === 1 ? { parameter: 'get.a', match: isset } : { parameter: 'rules', rules: [nested(levels - 1)] };
const within = (levels: number): Match =>
  levels === 1 ? isset : { type: 'array_key_value', key: 'a', match: within(levels - 1) };
const conditions = (count: number): Condition[] => Array(count).fill({ parameter: 'get.a', match: isset });

describe('a rule has no fault', () => {
  const sound: [about: string, config: object][] = [
    ['that is plain', match(isset)],
    ['with members of its own', { ...match(isset), note: 'for the shop' }],
    ['with several parameters', config([{ parameter: ['get.a', 'post.a'], match: isset }])],
    [
      'with all that it may have',
      config([{ parameter: 'rules', inclusive: true, mutations: Array(8).fill('urldecode'), rules: [nested(1)] }]),
    ],
    ['of eight levels', config([nested(8)])],
    ['of eight matches', match(within(8))],
    ['of 200 conditions', config([...conditions(100), { parameter: 'rules', rules: conditions(99) }])],
    ['that leads elsewhere', config([nested(1)], { type: 'REDIRECT', type_params: 'https://garden.test/' })],
    ['with a pattern', match({ type: 'regex', value: '/union\\s+select/i' })],
  ];
  it('in any form that is allowed', () => checkRows(sound, ([, one]) => assert.deepEqual(faultsOf(one), [])));
});

describe('a rule has a fault', () => {
  const cases: [about: string, config: unknown, paths: string[]][] = [
    ['that is none', 'rule', ['config']],
    ['without conditions', { type: 'BLOCK' }, ['config.rules']],
    ['with a condition that is none', config([nested(1), null]), ['config.rules[1]']],
    ['that does not say where to look', config([{ match: isset }]), ['config.rules[0].parameter']],
    ['that looks in a number', config([{ parameter: ['get.a', 5], match: isset }]), ['config.rules[0].parameter']],
    [
      'that looks nowhere as only feeds say it',
      config([{ parameter: false, match: isset }]),
      ['config.rules[0].parameter'],
    ],
    ['with a match of no type', match({}), ['config.rules[0].match.type']],
    ['with a match of an unknown type', match({ type: 'toString' }), ['config.rules[0].match.type']],
    ['with a match that is none', match('isset'), ['config.rules[0].match']],
    [
      'with an unknown match in another',
      match({ type: 'array_key_value', key: 'a', match: { type: 'x' } }),
      ['config.rules[0].match.match.type'],
    ],
    [
      'with an unknown mutation',
      config([{ parameter: 'get.a', mutations: ['urldecode', 'nope'] }]),
      ['config.rules[0].mutations[1]'],
    ],
    [
      'with mutations that are no list',
      config([{ parameter: 'get.a', mutations: 'urldecode' }]),
      ['config.rules[0].mutations'],
    ],
    [
      'with nine mutations',
      config([{ parameter: 'get.a', mutations: Array(9).fill('urldecode') }]),
      ['config.rules[0].mutations'],
    ],
    ['with a pattern that does not compile', match({ type: 'regex', value: '/(/' }), ['config.rules[0].match.value']],
    ['with a pattern that looks back', match({ type: 'regex', value: '/(?<=a)b/' }), ['config.rules[0].match.value']],
    [
      'with a pattern that is too large',
      match({ type: 'regex', value: '/(?:[ab]{500}c){5}/' }),
      ['config.rules[0].match.value'],
    ],
    ['with no pattern', match({ type: 'regex' }), ['config.rules[0].match.value']],
    [
      'with a pattern without delimiters in a nested condition',
      config([{ parameter: 'rules', rules: [{ parameter: 'get.a', match: { type: 'regex', value: 'abc' } }] }]),
      ['config.rules[0].rules[0].match.value'],
    ],
    ['that leads nowhere', config([nested(1)], { type: 'REDIRECT' }), ['config.type_params']],
    [
      'that leads to a script',
      config([nested(1)], { type: 'REDIRECT', type_params: 'javascript:alert(1)' }),
      ['config.type_params'],
    ],
    ['that leads to a path', config([nested(1)], { type: 'REDIRECT', type_params: '/sorry' }), ['config.type_params']],
    ['of nine levels', config([nested(9)]), [`config.rules[0]${'.rules[0]'.repeat(7)}.rules`]],
    ['of 100 levels', config([nested(100)]), [`config.rules[0]${'.rules[0]'.repeat(7)}.rules`]],
    ['of nine matches', match(within(9)), [`config.rules[0].match${'.match'.repeat(8)}`]],
    [
      'of 201 conditions',
      config([...conditions(100), { parameter: 'rules', rules: conditions(100) }]),
      ['config.rules'],
    ],
    [
      'that is too large',
      config([{ parameter: 'get.a', match: { type: 'contains', value: 'é'.repeat(33_000) } }]),
      ['config'],
    ],
  ];
  it('at each path that the table names', () =>
    checkRows(cases, ([, one, paths]) => {
      const faults = faultsOf(one);
      assert.deepEqual(
        faults.map(({ path }) => path),
        paths,
      );
      for (const { message } of faults) assert.match(message, /^[A-Z].+\.$/);
    }));

  it('of which ten are told', () => assert.equal(faultsOf(config(Array(50).fill(null))).length, 10));

  it('where a feed may look nowhere in its own way', () =>
    assert.deepEqual(faultsOf(config([{ parameter: false, match: isset }, { match: isset }]), 'feed'), []));
});
