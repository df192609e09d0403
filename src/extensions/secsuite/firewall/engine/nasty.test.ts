// Whatever people write as rules and whoever sends what: nothing fails, and nothing keeps the others waiting.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileRules } from './engine.ts';
import { faultsOf } from './faults.ts';
import { compilePattern } from './patterns.ts';
import type { Condition } from './rule.ts';
import { subjectOf } from './subject.ts';
import { asked } from './support/asking.ts';
import { type Asked, createView } from './view.ts';

const most = 50;

/** The least processor time of a few times, in milliseconds: what else the machine does must not count. */
function took(work: () => unknown, tries = 3): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < tries && least > most; time++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** As one who looks for the slowest would write it: always the same. */
function randomText(length: number, signs: string): string {
  let state = 1;
  const pieces: string[] = [];
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pieces.push(signs[(state >>> 0) % signs.length]!);
  }
  return pieces.join('');
}

describe('no pattern takes long', () => {
  const patterns = [
    '/[ab]*a[ab]{13}[cd]/',
    '/a[ab]{30}[cd]/',
    '/a[ab]{200}[cd]/',
    '/a[ab]{900}[cd]/',
    '/(?:[ax]?){900}[cd]/',
    '/a[^c]{0,200}[cd]{2}/i',
    '/(?:[ab]{1,30}[bc]{1,30}){10}[d-f]/',
    '/(?:a|ab|b|ba){150}[cd]/',
    '/\\b(?:\\w{1,40}\\s*){12}[;#]/i',
    '/(?:\\pL|\\pN){400}[;#]/i',
    '/(.*)(.*)(.*)(.*)(.*)(.*)[^\\x00-\\x7f]$/s',
  ];
  const texts = [
    randomText(65_536, 'ab'),
    randomText(65_536, 'ab =;xé\n'),
    'a'.repeat(200_000),
    randomText(200_000, 'ab'),
  ];
  for (const written of patterns)
    it(written, () => {
      const { pattern } = compilePattern(written);
      assert.ok(pattern);
      for (const text of texts) {
        const subject = subjectOf(text);
        const time = took(() => pattern.find(subject));
        assert.ok(time <= most, `${time} ms for ${text.length} of ${text.slice(0, 10)}`);
      }
    });
});

const hostile = [
  '',
  '0',
  'a',
  '[',
  '{',
  '"',
  "'",
  '%',
  '%00',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  '<script>',
  '[x a="',
  '<!-- wp:a {',
  '-->',
  'é',
  '\u212a',
  '9'.repeat(400),
  '1e999',
];
const scalar = fc.oneof(
  fc.constantFrom(...hostile),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary' }),
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...hostile), fc.string()), tie('any'), { maxKeys: 4 }),
  ),
})).any;
const types = [
  'isset',
  'equals',
  'equals_strict',
  'more_than',
  'less_than',
  'contains',
  'stripos',
  'not_contains',
  'quotes',
  'inline_js_xss',
  'inline_xss',
  'regex',
  'ctype_digit',
  'ctype_alnum',
  'ctype_special',
  'is_numeric',
  'in_array',
  'not_in_array',
  'array_in_array',
  'array_key_value',
  'hostname',
  'file_contains',
  'current_user_cannot',
  'general_xss',
  'nobody_knows',
];
const names = [
  'json_decode',
  'json_encode',
  'base64_decode',
  'urldecode',
  'intval',
  'getArrayValues',
  'getShortcodeAtts',
  'getBlockAtts',
];
const parameter = fc.oneof(
  fc.constantFrom(
    'get',
    'get.*',
    'post.a',
    'post.*',
    'post.a*',
    'request.a',
    'cookie.*',
    'files',
    'files.f',
    'server.*',
    'server.REQUEST_URI',
    'raw',
    'raw.*',
    'raw.a.*',
    'all',
    'all.*',
    'rest.params.*',
    'rules',
    '',
  ),
  value,
);
const match = fc.letrec<{ match: unknown }>((tie) => ({
  match: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...types).map((type) => ({ type })),
    fc.record({
      type: fc.constantFrom(...types),
      value: fc.oneof(value, fc.constantFrom('/a+/i', '/[ab]*a[ab]{13}[cd]/', '/(/', '~.*~s')),
      key: fc.oneof(value, fc.constantFrom('a', '*', 'x.a*', ['a', 'b'])),
      match: tie('match'),
    }),
    value,
  ),
})).match;
const condition = fc.letrec<{ one: unknown }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      parameter,
      match,
      mutations: fc.oneof(fc.array(fc.constantFrom(...names), { maxLength: 4 }), fc.constant(undefined)),
      inclusive: fc.boolean(),
    }),
    fc.record({ parameter, rules: fc.array(tie('one'), { maxLength: 3 }), inclusive: fc.constant(true) }),
  ),
})).one as fc.Arbitrary<Condition>;

const long = fc
  .constantFrom(...hostile, 'ab')
  .map((piece) => piece.repeat(Math.ceil(100_000 / Math.max(1, piece.length))));
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 2, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: long },
);
const request: fc.Arbitrary<Partial<Asked>> = fc.record({
  url: fc.oneof(
    text.map((said) => `/?a=${encodeURIComponent(said.slice(0, 2000).toWellFormed())}`),
    text.map((said) => `/${said.slice(0, 8000)}`),
  ),
  headers: fc.record({ cookie: text, 'user-agent': text }),
  form: fc.oneof(
    text,
    text.map((said) => ({ a: said, ab: [said, { c: said }] })),
  ),
  rawBody: fc.oneof(
    text,
    value.map((said) => JSON.stringify({ a: said })),
    text.map((said) => JSON.stringify({ a: [said] })),
  ),
  files: fc.array(
    fc.record({
      field: fc.constantFrom('f', 'g[]', '__proto__', '[]'),
      name: text,
      type: text,
      size: fc.nat(),
      contents: text.map((said) => Buffer.from(said)),
    }),
    { maxLength: 3 },
  ),
  rest: fc.constantFrom(undefined, { route: '/r', method: 'GET', params: { a: 1 } }),
});

describe('whatever is written and sent', () => {
  it('nothing fails, and nothing takes long', () => {
    const failed: unknown[] = [];
    const once = (rules: readonly Condition[], sent: Partial<Asked>): void => {
      const engine = compileRules([{ id: '1', type: 'BLOCK', rules }], {
        now: () => 0,
        report: (_, error) => failed.push(error),
      });
      for (const pass of ['early', 'late'] as const) {
        const time = took(() => engine.run(pass, createView(asked(sent)), { trusted: false }), 4);
        assert.ok(time <= most, `${time} ms`);
      }
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

describe('nobody waits long for', () => {
  const one = (condition: Condition, sent: Partial<Asked>): number => {
    const engine = compileRules([{ id: '1', type: 'BLOCK', rules: [condition] }], {
      now: () => 0,
      report: assert.fail,
    });
    return took(() => engine.run('early', createView(asked(sent)), { trusted: false }), 5);
  };
  const words = (value: string): Condition => ({ parameter: 'post.a', match: { type: 'contains', value } });
  const changed = (...mutations: string[]): Condition => ({
    parameter: 'post.a',
    mutations,
    match: { type: 'regex', value: '/[ab]*a[ab]{13}[cd]/' },
  });
  const full = 256 * 1024;
  const cases: [about: string, condition: Condition, sent: Partial<Asked>][] = [
    ['a long word in a long text', words(`${'a'.repeat(30_000)}b`), { form: { a: 'a'.repeat(1_000_000) } }],
    ['a long word that begins otherwise', words(`b${'a'.repeat(30_000)}`), { form: { a: 'a'.repeat(1_000_000) } }],
    ['a word of two letters', words('ab'), { form: { a: 'a'.repeat(4_000_000) } }],
    [
      'a file of five megabytes',
      { parameter: 'files', match: { type: 'file_contains', match: { type: 'contains', value: '<?php' } } },
      { files: [{ field: 'f', name: '', type: '', size: 0, contents: Buffer.from('<?ph '.repeat(1024 * 1024)) }] },
    ],
    [
      'a pattern in a file of five megabytes',
      { parameter: 'files', match: { type: 'file_contains', match: { type: 'regex', value: '/a[ab]{200}[cd]/' } } },
      {
        files: [{ field: 'f', name: '', type: '', size: 0, contents: Buffer.from(randomText(5 * 1024 * 1024, 'ab')) }],
      },
    ],
    [
      'blanks where a number may be',
      { parameter: 'post.a', match: { type: 'equals', value: '1' } },
      { form: { a: `${' '.repeat(500_000)}x` } },
    ],
    [
      'signs of all kinds',
      { parameter: 'post.a', match: { type: 'ctype_special', value: true } },
      { form: { a: '-é'.repeat(250_000) } },
    ],
    [
      'an address of many @',
      { parameter: 'post.a', match: { type: 'hostname' } },
      { form: { a: `https://${'@'.repeat(250_000)}` } },
    ],
    [
      'half a tag, many times',
      { parameter: 'post.a', match: { type: 'general_xss' } },
      { form: { a: '<a '.repeat(60_000) } },
    ],
    [
      'tags with many attributes',
      { parameter: 'post.a', match: { type: 'general_xss' } },
      { form: { a: `<a ${'href=javascript: '.repeat(3_800)}>` } },
    ],
    ['brackets without an end', changed('getShortcodeAtts', 'getArrayValues'), { form: { a: '[a '.repeat(full / 3) } }],
    [
      'shortcodes of many attributes',
      changed('getShortcodeAtts', 'getArrayValues'),
      { form: { a: `[a ${'b="c" '.repeat(full / 7)}]` } },
    ],
    [
      'shortcodes with open quotes',
      changed('getShortcodeAtts', 'getArrayValues'),
      { form: { a: `[a ${'b=" '.repeat(full / 4 - 2)}]` } },
    ],
    [
      'the same shortcode again and again',
      changed('getShortcodeAtts', 'getArrayValues'),
      { form: { a: '[a b=c]'.repeat(full / 7) } },
    ],
    [
      'blocks without an end',
      changed('getBlockAtts', 'json_encode'),
      { form: { a: '<!-- wp:a {} '.repeat(full / 13) } },
    ],
    [
      'the same block again and again',
      changed('getBlockAtts', 'json_encode'),
      { form: { a: '<!-- wp:a {"b":[1],"c":"d"} /-->'.repeat(full / 32) } },
    ],
    [
      'a block of many members, and then again and again',
      changed('getBlockAtts', 'json_encode'),
      {
        form: {
          a: `<!-- wp:a {${Array.from({ length: 10_000 }, (_, at) => `"${at}":1`).join()}} -->${'<!-- wp:a {"b":{}} -->'.repeat(5_000)}`,
        },
      },
    ],
    [
      'lists in lists in lists',
      {
        parameter: 'raw',
        mutations: ['json_encode', 'json_decode', 'getArrayValues'],
        match: { type: 'regex', value: '/x/' },
      },
      { rawBody: `${'['.repeat(120_000)}1${']'.repeat(120_000)}` },
    ],
    [
      'many values of one name',
      { parameter: 'raw.*', match: { type: 'regex', value: '/a+b/' } },
      { rawBody: JSON.stringify({ a: Array(5_000).fill('aaa') }) },
    ],
  ];
  for (const [about, condition, sent] of cases)
    it(about, () => {
      const time = one(condition, sent);
      assert.ok(time <= most, `${time} ms`);
    });
});
