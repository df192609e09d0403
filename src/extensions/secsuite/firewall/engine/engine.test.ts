import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileRules } from './engine.ts';
import type { Condition, Rule } from './rule.ts';
import type { User } from './run.ts';
import { asked, engineOf, isMet, outcomeOf, viewOf } from './support/asking.ts';
import { type Asked, createView } from './view.ts';

const yes = (parameter = 'get.a'): Condition => ({ parameter, match: { type: 'isset' } });
const no: Condition = { parameter: 'get.a', match: { type: 'equals', value: 'other' } };
const marked = (condition: Condition): Condition => ({ ...condition, inclusive: true });
const absent: Condition = { parameter: 'get.absent', match: { type: 'isset' } };
const here: Partial<Asked> = { url: '/?a=1&list[]=x&list[]=y' };

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
  for (const [about, list, wanted] of cases)
    it(`is ${wanted} for ${about}`, () => assert.equal(isMet(list, here), wanted));

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

const json = (value: unknown): string => JSON.stringify(value);

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
  for (const [condition, request, wanted] of cases)
    it(`${wanted ? 'meets' : 'does not meet'} ${json(condition)} with ${json(request).slice(0, 90)}`, () =>
      assert.equal(isMet(condition, request), wanted));
});

const rule = (id: string, type: string, more: Partial<Rule> = {}): Rule => ({ id, type, rules: [yes()], ...more });

describe('rules', () => {
  const cases: [about: string, rules: Rule[], trusted: boolean, hits: string[], ended: object][] = [
    [
      'refuse with the first that blocks',
      [rule('1', 'LOG'), rule('2', 'BLOCK'), rule('3', 'BLOCK')],
      false,
      ['1 nothing', '2 refuses'],
      { how: 'blocked', rule: '2' },
    ],
    [
      'let pass before any other is looked at',
      [rule('1', 'BLOCK'), rule('2', 'WHITELIST')],
      false,
      [],
      { how: 'allowed', rule: '2' },
    ],
    [
      'go on after those that log',
      [rule('1', 'LOG'), rule('2', 'LOG')],
      false,
      ['1 nothing', '2 nothing'],
      { how: 'through' },
    ],
    ['of no known kind do nothing', [rule('1', 'SHOUT'), rule('2', 'LOG')], false, ['2 nothing'], { how: 'through' }],
    [
      'redirect',
      [rule('1', 'REDIRECT', { type_params: 'https://a.test/b' }), rule('2', 'BLOCK')],
      false,
      ['1 redirects'],
      { how: 'redirected', rule: '1', to: 'https://a.test/b' },
    ],
    ...['', '/b', 'javascript:alert(1)', 'https://', 'https:a.test'].map((to): (typeof cases)[number] => [
      `go on where a redirect names no place, such as ${json(to)}`,
      [rule('1', 'REDIRECT', { type_params: to }), rule('2', 'BLOCK')],
      false,
      ['1 nothing', '2 refuses'],
      { how: 'blocked', rule: '2' },
    ]),
    [
      'never write a line break into a header',
      [rule('1', 'REDIRECT', { type_params: 'https://a.test/\r\nX: y' })],
      false,
      ['1 redirects'],
      { how: 'redirected', rule: '1', to: 'https://a.test/X:%20y' },
    ],
    [
      'refuse nobody who is trusted, and go on',
      [rule('1', 'BLOCK'), rule('2', 'BLOCK')],
      true,
      ['1 nothing', '2 nothing'],
      { how: 'through' },
    ],
    [
      'redirect those who are trusted',
      [rule('1', 'REDIRECT', { type_params: 'https://a.test/' })],
      true,
      ['1 redirects'],
      { how: 'redirected', rule: '1', to: 'https://a.test/' },
    ],
    [
      'that spare those who are trusted are left out for them',
      [
        rule('1', 'LOG', { bypass_whitelist: false }),
        rule('2', 'LOG', { bypass_whitelist: 0 }),
        rule('3', 'LOG', { bypass_whitelist: true }),
      ],
      true,
      ['3 nothing'],
      { how: 'through' },
    ],
    [
      'that spare those who are trusted refuse the others',
      [rule('1', 'BLOCK', { bypass_whitelist: 0 })],
      false,
      ['1 refuses'],
      { how: 'blocked', rule: '1' },
    ],
  ];
  for (const [about, rules, trusted, hits, ended] of cases)
    it(about, () => {
      const outcome = engineOf(rules).run('early', viewOf(here), { trusted });
      assert.deepEqual(
        outcome.hits.map(({ rule: id, effect }) => `${id} ${effect}`),
        hits,
      );
      assert.deepEqual(outcome.ended, ended);
    });

  it('are held against each request anew', () => {
    const engine = engineOf([rule('1', 'BLOCK')]);
    const ends = ['/', '/?a=1', '/?b=1', '/?a=2'].map(
      (url) => engine.run('early', viewOf({ url }), { trusted: false }).ended.how,
    );
    assert.deepEqual(ends, ['through', 'blocked', 'through', 'blocked']);
  });
});

describe('a rule that asks who somebody is', () => {
  const rules: Condition[] = [
    { parameter: 'rules', inclusive: true, rules: [yes(), { parameter: 'post.a', match: { type: 'isset' } }] },
    { parameter: 'rules', inclusive: true, match: { type: 'current_user_cannot', value: 'administrator' } },
  ];
  const user = (...roles: string[]): User => ({ roles, can: (name) => name === 'edit_posts' });
  it('is held late, against everybody who may not', () => {
    const ends = [undefined, user('editor'), user('administrator')].map(
      (one) => outcomeOf(rules, here, { user: one }).ended.how,
    );
    assert.deepEqual(ends, ['blocked', 'blocked', 'through']);
    const may = { parameter: 'rules', match: { type: 'current_user_cannot', value: 'edit_posts' } };
    assert.deepEqual([isMet(may, {}, { user: user() }), isMet(may, {})], [false, true]);
  });

  it('is late however deep it asks, and no other rule is', () => {
    const deep: Condition[] = [{ parameter: 'rules', rules: [{ parameter: 'rules', rules }] }];
    const inKeys: Condition[] = [
      {
        parameter: 'get.a',
        match: { type: 'array_key_value', key: 'b', match: { type: 'current_user_cannot', value: 'x' } },
      },
    ];
    const engine = engineOf(
      [deep, inKeys, [yes('rest.params.a')], [yes()], [yes()]].map((some, at) => ({
        id: `${at}`,
        type: 'LOG',
        rules: some,
      })),
    );
    assert.deepEqual(engine.sizes, { early: 2, late: 3 });
    assert.equal(engine.run('early', viewOf(here), { trusted: false }).hits.length, 2);
  });
});

describe('an engine', () => {
  const needsOf = (...rules: Condition[]) => engineOf([{ id: '1', type: 'LOG', rules }]).needs.early;
  const nothing = { form: false, raw: false, files: false, contents: false, rest: false };
  const needs: [parameter: string, wanted: object][] = [
    ['get.a', {}],
    ['post.a', { form: true }],
    ['request.*', { form: true }],
    ['raw', { raw: true }],
    ['all', { form: true, raw: true }],
    ['files.a', { files: true }],
  ];
  for (const [parameter, wanted] of needs)
    it(`needs ${json(wanted)} for ${parameter}, also of nested conditions`, () => {
      assert.deepEqual(needsOf(yes(parameter)), { ...nothing, ...wanted });
      assert.deepEqual(needsOf({ parameter: 'rules', rules: [yes(parameter)] }), { ...nothing, ...wanted });
    });

  it('needs what is in files where a rule looks into them', () =>
    assert.deepEqual(needsOf({ parameter: 'files', match: { type: 'file_contains', match: { type: 'isset' } } }), {
      ...nothing,
      files: true,
      contents: true,
    }));

  it('takes over the patterns of the one before it', () => {
    const rules = [{ id: '1', type: 'LOG', rules: [{ parameter: 'get.a', match: { type: 'regex', value: '/a/' } }] }];
    const before = engineOf(rules);
    const after = compileRules(rules, { now: () => 0, report: () => {}, before });
    assert.equal(after.patterns.get('/a/'), before.patterns.get('/a/'));
    assert.equal(compileRules([], { now: () => 0, report: () => {}, before: after }).patterns.size, 0);
  });

  it('goes on after a rule that fails, and tells of it once in an hour', () => {
    let now = 0;
    const told: unknown[] = [];
    const failing: Rule = {
      id: 'bad',
      type: 'BLOCK',
      rules: [{ parameter: 'rules', match: { type: 'current_user_cannot', value: 'x' } }],
    };
    const after: Rule = {
      ...failing,
      id: 'good',
      rules: [{ ...yes(), inclusive: true }, ...failing.rules!.map(() => yes('rest.method'))],
    };
    const engine = compileRules([failing, after], {
      now: () => now,
      report: (id, error) => told.push([id, (error as Error).message]),
    });
    const user: User = {
      roles: [],
      can: () => {
        throw new Error('out of order');
      },
    };
    const ask = () => engine.run('late', viewOf(here), { trusted: false, user }).ended;
    assert.deepEqual(ask(), { how: 'blocked', rule: 'good' });
    ask();
    assert.deepEqual(told, [['bad', 'out of order']]);
    now = 3_600_000;
    ask();
    assert.equal(told.length, 2);
  });

  const many: Rule[] = Array.from({ length: 40 }, (_, at) => ({
    id: `${at}`,
    type: 'LOG',
    rules: Array.from({ length: 50 }, () => no),
  }));
  it('stops when its time is over, for all but those who are trusted', () => {
    let now = 0;
    const engine = compileRules([...many, rule('last', 'BLOCK')], { now: () => (now += 10), report: () => {} });
    const ended = (trusted: boolean, budget?: number) =>
      engine.run('early', viewOf(here), { trusted, budget: budget ?? 50 }).ended;
    assert.deepEqual([ended(false), ended(true)], [{ how: 'overBudget' }, { how: 'through' }]);
    assert.deepEqual(ended(false, 10_000), { how: 'blocked', rule: 'last' });
  });

  it('says when it cannot read what came, if a rule looks at it', () => {
    const url = `/?${Array.from({ length: 1001 }, (_, at) => `a${at}=1`).join('&')}`;
    const { ended } = outcomeOf([yes()], { url });
    assert.ok(ended.how === 'unreadable' && ended.problem.status === 400);
    assert.equal(outcomeOf([yes()], { url }, { trusted: true }).ended.how, 'through');
    assert.equal(outcomeOf([yes('cookie.a')], { url }).ended.how, 'through');
  });

  const regex: Condition = { parameter: 'post.a', match: { type: 'regex', value: '/evil/' } };
  const longs: [about: string, text: string, how: string, tooLong: boolean][] = [
    ['at its beginning', `evil${'x'.repeat(70_000)}`, 'blocked', false],
    ['at its end', `${'x'.repeat(140_000)}evil`, 'blocked', false],
    ['not in its middle', `${'x'.repeat(70_000)}evil${'x'.repeat(70_000)}`, 'through', true],
    ['all of it where it is just short enough', `${'x'.repeat(65_532)}evil`, 'blocked', false],
  ];
  for (const [about, text, how, tooLong] of longs)
    it(`looks at a value that is too long for patterns: ${about}`, () => {
      const outcome = outcomeOf([regex], { form: { a: text } });
      assert.deepEqual([outcome.ended.how, outcome.tooLong], [how, tooLong]);
    });

  it('does not call a value too long that only its words are looked for in', () => {
    const words = { parameter: 'post.a', match: { type: 'contains', value: 'evil' } };
    const outcome = outcomeOf([words], { form: { a: `${'x'.repeat(100_000)}evil${'x'.repeat(100_000)}` } });
    assert.deepEqual([outcome.ended.how, outcome.tooLong], ['blocked', false]);
  });

  it('works with no more text than is bounded, and says so where a pattern asks for it', () => {
    const body = { form: { a: { b: 'x'.repeat(300_000) } } };
    const through = (type: string) =>
      outcomeOf([{ parameter: 'post.a', mutations: ['getArrayValues'], match: { type, value: '/x/' } }], body);
    assert.deepEqual([through('regex').ended.how, through('regex').tooLong], ['through', true]);
    assert.deepEqual([through('isset').ended.how, through('isset').tooLong], ['through', false]);
  });

  it('looks at nothing twice', () => {
    const seen: string[] = [];
    const view = createView(asked(here));
    const counting = {
      ...view,
      source: (name: Parameters<typeof view.source>[0]) => {
        seen.push(name);
        return view.source(name);
      },
    };
    const rules = [rule('1', 'LOG'), rule('2', 'LOG'), rule('3', 'LOG', { rules: [yes('post.b'), no] })];
    engineOf(rules).run('early', counting, { trusted: false });
    assert.deepEqual(
      seen.filter((name) => name === 'get').length,
      2,
      'once to see whom it concerns, once for the value',
    );
  });
});
