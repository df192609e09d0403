import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { absent, engineOf, here, isMet, json, marked, no, viewOf, yes } from '#test/firewall-engine.ts';
import { checkRows } from '#test/rows.ts';
import type { Asked } from './asked.ts';
import { lookUp, parameterOf } from './parameter.ts';
import type { Condition } from './rule.ts';
import type { View } from './view.ts';

describe('a list of conditions', () => {
  const cases: [about: string, list: Condition[], wanted: boolean][] = [
    ['T', [yes()], true],
    ['F', [no], false],
    ['Fi', [marked(no)], false],
    ['Ti', [marked(yes())], true],
    ['Ti,Ti', [marked(yes()), marked(yes())], true],
    ['Ti,Fi', [marked(yes()), marked(no)], false],
    ['Ti,Fi,T', [marked(yes()), marked(no), yes()], true],
    ['Ti,Fi,F', [marked(yes()), marked(no), no], false],
    ['Fi,T', [marked(no), yes()], true],
    ['Ti,F', [marked(yes()), no], true],
    ['Ti,Ti,F', [marked(yes()), marked(yes()), no], true],
    ['absent-inclusive, Ti', [marked(absent), marked(yes())], false],
    ['an inclusive that looks at nothing, Ti', [{ inclusive: true, match: { type: 'isset' } }, marked(yes())], false],
    [
      'marked by something but true',
      [
        { ...no, inclusive: 1 },
        { ...yes(), inclusive: 'true' },
      ],
      true,
    ],
    ['nothing to look at', [{ match: { type: 'isset' } }], false],
    ['neither match nor rules', [{ parameter: 'get.a' }], false],
    ['several parameters are or', [{ parameter: ['get.absent', 'get.a'], match: { type: 'isset' } }], true],
    ['several values count once', [marked({ parameter: 'get.list.*', match: { type: 'isset' } }), marked(no)], false],
    ['nested', [{ parameter: 'rules', rules: [no, yes()] }], true],
    ['nested below what is absent', [{ parameter: 'get.absent', rules: [yes()] }], false],
    ['nested below what is there', [{ parameter: 'get.a', rules: [yes()] }], true],
    ['rules before a match', [{ parameter: 'get.a', rules: [no], match: { type: 'isset' } }], false],
    ['nested in nothing is nothing', [{ parameter: 'rules', rules: [] }], false],
  ];
  it('is true or false as the table says', () =>
    checkRows(cases, ([, list, wanted]) => assert.equal(isMet(list, here), wanted)));

  it('is false when it is empty, and so is a rule without one', () => {
    const rules = [
      { id: '1', type: 'BLOCK', rules: [] },
      { id: '2', type: 'BLOCK' },
      { id: '3', type: 'BLOCK', rules: {} as never },
    ];
    assert.equal(engineOf(rules).run('early', viewOf(here), { trusted: false }).ended.how, 'through');
  });

  it('counts to the eighth level and no further', () => {
    const nested = (levels: number): Condition =>
      levels === 1 ? yes() : { parameter: 'rules', rules: [nested(levels - 1)] };
    assert.deepEqual(
      [8, 9, 100].map((levels) => isMet(nested(levels), here)),
      [true, false, false],
    );
  });
});

describe('a request', () => {
  const svg = { field: 'img', name: 'a.svg', type: 'image/svg+xml', size: 9, contents: Buffer.from('<svg><script>') };
  const key: Condition = {
    parameter: 'post.payload',
    mutations: ['base64_decode', 'json_decode'],
    match: { type: 'array_key_value', key: 'user_role', match: { type: 'equals', value: 'administrator' } },
  };
  const token: Condition = {
    parameter: 'all',
    mutations: ['getArrayValues'],
    match: { type: 'regex', value: '/t0ken/' },
  };
  const pid: Condition[] = [
    { parameter: 'get.pid', match: { type: 'ctype_digit', value: false } },
    { parameter: 'get.pid', match: { type: 'less_than', value: 100 } },
  ];
  const away: Condition = { parameter: 'get.url', match: { type: 'hostname' } };
  const cases: [condition: Condition | Condition[], request: Partial<Asked>, wanted: boolean][] = [
    [{ parameter: 'get.test', match: { type: 'isset' } }, { url: '/?test=' }, true],
    [{ parameter: ['get.test', 'get.test2'], match: { type: 'isset' } }, { url: '/?test2=1' }, true],
    [
      { parameter: 'post.usernames', match: { type: 'array_in_array', value: ['admin'] } },
      { form: 'usernames[]=admin' },
      true,
    ],
    [
      { parameter: 'post.usernames', match: { type: 'contains', value: 'admin' } },
      { form: 'usernames[]=admin' },
      false,
    ],
    [
      { parameter: 'post.user.role.type*', match: { type: 'contains', value: 'administrator' } },
      { form: 'user[role][type5]=administrator' },
      true,
    ],
    [pid, { url: '/?pid=99' }, true],
    [pid, { url: '/?pid=500' }, false],
    [pid, { url: '/?pid=1%20or%201' }, true],
    [key, { form: { payload: Buffer.from(json({ user_role: 'administrator' })).toString('base64') } }, true],
    [key, { form: { payload: Buffer.from(json({ user_role: 'editor' })).toString('base64') } }, false],
    [
      { parameter: 'server.REQUEST_URI', match: { type: 'regex', value: '/(\\/something\\/)/i' } },
      { url: '/a/%73omething/' },
      true,
    ],
    [away, { url: '/?url=/local' }, true],
    [away, { url: '/?url=https://garden.test/x' }, false],
    [away, { url: '/?url=//evil.example' }, true],
    [{ parameter: 'get.s', match: { type: 'inline_xss' } }, { url: '/?s=a%20"word"' }, false],
    [{ parameter: 'get.s', match: { type: 'inline_xss' } }, { url: '/?s="%20onload=1' }, true],
    [
      { parameter: 'files.img', match: { type: 'file_contains', match: { type: 'contains', value: '<script' } } },
      { files: [svg] },
      true,
    ],
    [{ parameter: 'get.a', mutations: ['nope'], match: { type: 'equals', value: 'x' } }, { url: '/?a=x' }, true],
    [token, { url: '/?a=t0ken' }, true],
    [token, { form: 'a[b]=t0ken' }, true],
    [token, { url: '/t0ken/' }, true],
    [token, { rawBody: json({ a: ['t0ken'] }) }, true],
    [token, { rawBody: 'a t0ken' }, true],
    [{ parameter: 'raw', match: { type: 'contains', value: '"A":["x' } }, { rawBody: json({ a: ['X'] }) }, true],
    [{ parameter: 'raw', match: { type: 'contains', value: 'y' } }, { rawBody: json({ a: ['x'] }) }, false],
    [token, { rawBody: '{"a":"\\u0074\\u0030ken"}' }, true],
    [{ parameter: 'raw', match: { type: 'regex', value: '/<b>t0ken/' } }, { rawBody: '{"\\u003cb>t0ken":1}' }, true],
    [{ parameter: 'raw', match: { type: 'contains', value: '\\u0074' } }, { rawBody: '{"a":"\\u0074"}' }, true],
    [{ parameter: 'raw', match: { type: 'not_contains', value: 'x' } }, { rawBody: json({ a: ['x'] }) }, false],
    [{ parameter: 'raw', match: { type: 'not_contains', value: 'y' } }, { rawBody: json({ a: ['x'] }) }, true],
    [{ parameter: 'raw', match: { type: 'regex', value: '/"a":\\[/' } }, { rawBody: json({ a: ['x'] }) }, true],
    [
      { parameter: 'raw', match: { type: 'contains', value: '"a":["x"]' } },
      { rawBody: Buffer.from(json({ a: ['x'] })).toString('base64') },
      true,
    ],
    [
      { parameter: 'raw', mutations: ['json_encode'], match: { type: 'contains', value: '{"a":["x"]}' } },
      { rawBody: '{ "a": [ "x" ] }' },
      true,
    ],
    [{ parameter: 'raw', match: { type: 'contains', value: '{"a":["x"]}' } }, { rawBody: '{ "a": [ "x" ] }' }, false],
    [{ parameter: 'raw', match: { type: 'quotes' } }, { rawBody: json({ a: ['x'] }) }, false],
    [token, { headers: { cookie: 'a=t0ken' } }, false],
    [{ parameter: 'server.ip', match: { type: 'equals', value: '203.0.113.7' } }, {}, true],
    [
      { parameter: 'server.HTTP_USER_AGENT', match: { type: 'contains', value: 'sqlmap' } },
      { headers: { 'user-agent': 'SQLMap/1' } },
      true,
    ],
    [{ parameter: 'server.HTTP_X_*', match: { type: 'equals', value: 'b' } }, { headers: { 'x-a': 'b' } }, true],
    [{ parameter: 'cookie.c', match: { type: 'equals', value: '1' } }, { headers: { cookie: 'b=2; c=1' } }, true],
    [{ parameter: 'request.a', match: { type: 'equals', value: '2' } }, { url: '/?a=1', form: 'a=2' }, true],
    [{ parameter: 'raw.*', match: { type: 'equals', value: 'x' } }, { rawBody: json({ a: ['x'] }) }, true],
    [
      { parameter: 'rest.params.id', match: { type: 'equals', value: 5 } },
      { rest: { route: '/r', method: 'GET', params: { id: 5 } } },
      true,
    ],
  ];
  it('meets a request or not, as documented', () =>
    checkRows(cases, ([condition, request, wanted]) => assert.equal(isMet(condition, request), wanted)));
});

describe('whatever is asked', () => {
  /** The rules of lists as they are told, one step after the other. */
  function holdsAsTold(list: readonly Condition[], view: View): boolean {
    const need = list.length === 1 ? 0 : list.filter(({ inclusive }) => inclusive === true).length;
    let hits = 0;
    for (const condition of list) {
      if (!isTrueAsTold(condition, view)) continue;
      if (need <= 1 || condition.inclusive !== true) return true;
      hits += 1;
    }
    return need > 1 && hits >= need;
  }

  function isTrueAsTold({ parameter, match, rules }: Condition, view: View): boolean {
    for (const said of [parameter ?? []].flat()) {
      const found = said === 'rules' ? [null] : valuesAsTold(String(said), view);
      for (const value of found) {
        if (rules !== undefined ? holdsAsTold(rules, view) : match?.type === 'isset' || value === match?.value)
          return true;
      }
    }
    return false;
  }

  function valuesAsTold(said: string, view: View): readonly unknown[] {
    const parameter = parameterOf(said);
    return parameter === undefined ? [] : lookUp(view.source(parameter.source), parameter);
  }

  const parameters = [
    'get.a',
    'get.b',
    'get.l.*',
    'get.l*',
    'get.*',
    'post.a',
    'request.a',
    'cookie.c',
    'server.HTTP_X',
    'server.REQUEST_METHOD',
    'server.HTTP_X*',
    'all.get.a',
    'raw.a',
    'files.f',
    '7',
  ];
  const list = fc.letrec<{ list: Condition[] }>((tie) => {
    const parameter = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...parameters) },
      fc.subarray(parameters, { maxLength: 3 }),
      fc.constant('rules'),
    );
    const inclusive = fc.boolean();
    const plain = fc.record({
      parameter,
      inclusive,
      match: fc.constantFrom(
        { type: 'isset' },
        { type: 'equals_strict', value: '1' },
        { type: 'equals_strict', value: '2' },
      ),
    });
    const nested = fc.record({ parameter, inclusive, rules: tie('list') });
    return {
      list: fc.array(fc.oneof({ maxDepth: 2, depthSize: 'small' }, plain, nested as fc.Arbitrary<never>), {
        maxLength: 4,
      }),
    };
  }).list;
  const value = fc.constantFrom('1', '2', '3');
  const sent: fc.Arbitrary<Partial<Asked>> = fc.record({
    url: fc.subarray(['a=1', 'b=2', 'l[]=1&l[]=2', 'l1=3']).map((some) => `/?${some.join('&')}`),
    form: fc.oneof(fc.constant(undefined), fc.record({ a: value })),
    headers: fc.record({ cookie: value.map((one) => `c=${one}`), x: value }, { requiredKeys: [] }),
    rawBody: fc.oneof(
      fc.constant(undefined),
      value.map((one) => json({ a: one })),
    ),
  });

  it('the engine finds what one finds who looks at everything', () => {
    let found = 0;
    const agree = (conditions: Condition[], request: Partial<Asked>): void => {
      const told = holdsAsTold(conditions, viewOf(request));
      found += Number(told);
      assert.equal(isMet(conditions, request), told);
    };
    fc.assert(fc.property(list, sent, agree), { numRuns: 3000, seed: 3 });
    assert.ok(found > 500 && found < 2500, `${found} of 3000 lists were true`);
  });
});
