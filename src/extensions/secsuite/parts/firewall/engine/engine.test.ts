import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asked, engineOf, here, isMet, json, no, outcomeOf, viewOf, yes } from '#test/firewall-engine.ts';
import { checkRows } from '#test/rows.ts';
import { compileRules } from './engine.ts';
import type { Condition, Rule } from './rule.ts';
import type { User } from './run.ts';
import { createView } from './view.ts';

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
  it('end a request as the table says', () =>
    checkRows(cases, ([, rules, trusted, hits, ended]) => {
      const outcome = engineOf(rules).run('early', viewOf(here), { trusted });
      assert.deepEqual(
        outcome.hits.map(({ rule: id, effect }) => `${id} ${effect}`),
        hits,
      );
      assert.deepEqual(outcome.ended, ended);
    }));

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
    assert.deepEqual({ ...engine.sizes }, { early: 2, late: 3, write: 0 });
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
  it('needs what its parameters name, also of nested conditions', () =>
    checkRows(needs, ([parameter, wanted]) => {
      assert.deepEqual(needsOf(yes(parameter)), { ...nothing, ...wanted });
      assert.deepEqual(needsOf({ parameter: 'rules', rules: [yes(parameter)] }), { ...nothing, ...wanted });
    }));

  it('needs what is in files where a rule looks into them', () =>
    assert.deepEqual(needsOf({ parameter: 'files', match: { type: 'file_contains', match: { type: 'isset' } } }), {
      ...nothing,
      files: true,
      contents: true,
    }));

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
      worked: () => 0,
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
    engine.keep(2, rule('3', 'LOG'));
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
    const engine = compileRules([...many, rule('last', 'BLOCK')], {
      now: () => 0,
      worked: () => (now += 10),
      report: () => {},
    });
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
  it('looks at both ends of a value that is too long for patterns', () =>
    checkRows(longs, ([, text, how, tooLong]) => {
      const outcome = outcomeOf([regex], { form: { a: text } });
      assert.deepEqual([outcome.ended.how, outcome.tooLong], [how, tooLong]);
    }));

  it('does not call a value too long that only its words are looked for in', () => {
    const words = { parameter: 'post.a', match: { type: 'contains', value: 'evil' } };
    const outcome = outcomeOf([words], { form: { a: `${'x'.repeat(100_000)}evil${'x'.repeat(100_000)}` } });
    assert.deepEqual([outcome.ended.how, outcome.tooLong], ['blocked', false]);
  });

  it('works with no more text than is bounded, and says so', () => {
    const body = { form: { a: { b: 'x'.repeat(300_000) } } };
    for (const type of ['regex', 'contains', 'isset']) {
      const { ended, tooLong } = outcomeOf(
        [{ parameter: 'post.a', mutations: ['getArrayValues'], match: { type, value: '/x/' } }],
        body,
      );
      assert.deepEqual([ended.how, tooLong], ['through', true], type);
    }
  });

  it('finds what is not clean at the end of a text of any length', () => {
    for (const type of ['ctype_alnum', 'ctype_special', 'ctype_digit'])
      assert.ok(
        isMet({ parameter: 'post.a', match: { type, value: false } }, { form: { a: `${'é'.repeat(3e6)}<` } }),
        type,
      );
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
