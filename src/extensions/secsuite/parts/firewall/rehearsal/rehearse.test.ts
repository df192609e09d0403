import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSeal } from '#site/platform/seal.ts';
import type { Asked } from '../engine/asked.ts';
import { compileRules } from '../engine/engine.ts';
import type { Condition } from '../engine/rule.ts';
import { createView } from '../engine/view.ts';
import { rehearse, type Verdict } from './rehearse.ts';
import { addBody, nowhere, type RequestShape, shapeOfRequest, shapeText } from './shape.ts';

const hash = createSeal(Buffer.alloc(32)).keyedHash('test');
const roles = ['author'];
const user = { roles, can: (name: string) => name === 'edit_posts' };
const context = { hash, siteHost: 'site.example', can: (_: readonly string[], name: string) => user.can(name) };

const asked = (of: Partial<Asked>): Asked => ({ ...nowhere, siteHost: 'site.example', ...of });

const requests: readonly Asked[] = [
  asked({ url: '/plain/path' }),
  asked({ url: '/list?page=2&q=word&empty=&a[x]=1&a[y]=two&flag=1&flag=0', headers: { 'user-agent': 'Tool/1.0 "x"' } }),
  asked({
    url: '/list?q=%3Cscript%3Ealert(1)%3C/script%3E&page=10&token=abc&url=//evil.example',
    address: '192.0.2.7',
  }),
  asked({
    method: 'POST',
    url: '/form',
    form: { name: 'ada', password: 'x', list: ['admin', '7'], n: '1e1' },
    rawBody: 'name=ada',
  }),
  asked({ method: 'POST', url: '/json', rawBody: '{"a":{"b":"<b>","c":10,"d":true},"l":["x","y"],"e":null}' }),
  asked({ url: '/list?q=aGVsbG8=&page=0', headers: { cookie: 'theme=dark; session=1' } }),
];

const parameters: readonly NonNullable<Condition['parameter']>[] = [
  ...[
    'get.q',
    'get.page',
    'get.empty',
    'get.a',
    'get.a.*',
    'get.a.x',
    'get.none',
    'get.token',
    'get.password',
    'get.*',
    'get.flag',
    'get',
  ],
  ...[
    'post.name',
    'post.list',
    'post.list.*',
    'post.password',
    'post.n',
    'request.q',
    'cookie.theme',
    'cookie.session',
  ],
  ...[
    'raw',
    'raw.a.b',
    'raw.a.c',
    'raw.a.d',
    'raw.l',
    'raw.a',
    'all',
    'files',
    'server.REQUEST_URI',
    'server.REQUEST_METHOD',
  ],
  ...['server.HTTP_USER_AGENT', 'server.HTTP_COOKIE', 'server.ip', 'server.QUERY_STRING', 'get.url', 'rules'],
  ['get.none', 'get.page'],
];

const matches: readonly Condition['match'][] = [
  { type: 'isset' },
  ...['word', 'WORD', '', 2, '10', 10, true, false, 'ada', '/plain/path', 'GET'].flatMap((value) =>
    ['equals', 'equals_strict', 'contains', 'not_contains', 'more_than', 'less_than'].map((type) => ({ type, value })),
  ),
  ...['~/list~', '/script/i', '/^$/'].map((value) => ({ type: 'regex', value })),
  ...[['ada', 'x', 1], ['2', 'dark'], [true]].flatMap((value) =>
    ['in_array', 'not_in_array', 'array_in_array'].map((type) => ({ type, value })),
  ),
  ...['ctype_digit', 'ctype_alnum', 'ctype_special', 'is_numeric'].flatMap((type) =>
    [true, false, 1].map((value) => ({ type, value })),
  ),
  ...['quotes', 'inline_xss', 'general_xss', 'hostname'].map((type) => ({ type })),
  { type: 'array_key_value', key: ['x', 'b', 'c'], match: { type: 'equals', value: '1' } },
  { type: 'array_key_value', key: '*', match: { type: 'contains', value: 'b' } },
  { type: 'current_user_cannot', value: 'edit_posts' },
  { type: 'current_user_cannot', value: 'administrator' },
];

const conditions: readonly Condition[] = [
  ...parameters.flatMap((parameter) => matches.map((match): Condition => ({ parameter, match: match! }))),
  ...['get.q', 'rules'].map((parameter) => ({
    parameter,
    mutations: ['base64_decode'],
    match: { type: 'contains', value: 'hell' },
  })),
  { parameter: 'rules', rules: [{ parameter: 'get.page', match: { type: 'isset' } }] },
];

const rules: readonly (readonly Condition[])[] = [
  ...conditions.map((one) => [one]),
  ...conditions.flatMap((one, at) =>
    at % 7 === 0
      ? [[{ ...one, inclusive: true }, { ...conditions[(at * 31) % conditions.length]!, inclusive: true }, one]]
      : [],
  ),
];

const shapeFor = (request: Asked, withValues: boolean): RequestShape => {
  const shape = shapeOfRequest(request, { hash, withValues });
  addBody(shape, { rawBody: '', ...request }, { hash, withValues });
  return JSON.parse(shapeText({ ...shape, roles }));
};

const noCounts = (): Record<Verdict, number> => ({ matched: 0, 'not-matched': 0, unknown: 0 });

describe('A rule that is tried on shapes of requests', () => {
  test('is said to match, or not to match, only where the engine says the same', () => {
    const offenders: unknown[] = [];
    const counts = { false: noCounts(), true: noCounts() };
    const scenes = requests.map((request) => ({
      view: createView({ ...request, rawBody: request.rawBody ?? '' }),
      shapes: [false, true].map((withValues) => ({ withValues, shape: shapeFor(request, withValues) })),
    }));
    for (const conditionList of rules) {
      const engine = compileRules([{ id: '1', type: 'LOG', rules: conditionList }], {
        now: () => 0,
        worked: () => 0,
        report: () => {},
      });
      for (const { view, shapes } of scenes) {
        const isHit = (['early', 'late'] as const).some(
          (pass) => engine.run(pass, view, { trusted: false, user }).hits.length > 0,
        );
        for (const { withValues, shape } of shapes) {
          const verdict = rehearse({ rules: conditionList }, shape, context);
          counts[`${withValues}`][verdict] += 1;
          if (verdict !== 'unknown' && (verdict === 'matched') !== isHit)
            offenders.push({ url: view.asked.url, withValues, verdict, isHit, rule: JSON.stringify(conditionList) });
        }
      }
    }
    assert.deepEqual(offenders.slice(0, 20), []);
    const shareUnknown = ({ unknown, matched, 'not-matched': others }: Record<Verdict, number>): number =>
      unknown / (unknown + matched + others);
    assert.ok(shareUnknown(counts.false) < 0.25, JSON.stringify(counts));
    assert.ok(shareUnknown(counts.true) < 0.05, JSON.stringify(counts));
  });

  test('finds no value and no name of a secret in a shape', () => {
    const secrets = ['abc', 'ada', 'evil', 'Tool', '192.0.2.7', 'password', 'token', 'session', 'dark'];
    const texts = requests.map((request) => JSON.stringify(shapeFor(request, false)).replace(/"hash":"[^"]*"/g, ''));
    assert.deepEqual(
      texts.flatMap((text) => secrets.filter((one) => text.includes(one))),
      [],
    );
    const long = asked({
      url: `/reset/${'a1'.repeat(20)}?${'b2'.repeat(20)}&key=1`,
      headers: { 'x-long': 'y'.repeat(600) },
    });
    const text = JSON.stringify(shapeFor(long, true));
    assert.deepEqual(
      ['a1a1', 'b2b2', 'yyyy'].filter((one) => text.includes(one)),
      [],
    );
  });
});
