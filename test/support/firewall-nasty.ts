// Conditions and requests of any form, for tests of the firewall.
import fc from 'fast-check';
import type { Asked } from '../../src/extensions/secsuite/parts/firewall/engine/asked.ts';
import type { Condition } from '../../src/extensions/secsuite/parts/firewall/engine/rule.ts';

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
export const value = fc.letrec<{ any: unknown }>((tie) => ({
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
export const condition = fc.letrec<{ one: unknown }>((tie) => ({
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
export const request: fc.Arbitrary<Partial<Asked>> = fc.record({
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
