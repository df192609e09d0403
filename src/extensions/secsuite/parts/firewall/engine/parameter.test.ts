import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asked, viewOf } from '#test/firewall-engine.ts';
import { checkRows } from '#test/rows.ts';
import { readerOf } from './asked.ts';
import { keyPath, lookUp, parameterOf } from './parameter.ts';
import { createView } from './view.ts';

const get = { a: '1', e: '', n: null, arr: ['x', 'y'], u: { r: { type1: 's', type2: 'e', z: 'q' }, k: 'v' } };

const found = (written: string, sources: Record<string, unknown>): readonly unknown[] => {
  const parameter = parameterOf(written);
  return parameter === undefined ? [] : lookUp(sources[parameter.source], parameter);
};

describe('a parameter finds', () => {
  const cases: [written: string, values: unknown[]][] = [
    ['get.a', ['1']],
    ['get.e', ['']],
    ['get.n', []],
    ['get.a.b', []],
    ['get.arr', [['x', 'y']]],
    ['get.arr.0', ['x']],
    ['get.arr.2', []],
    ['get.arr.length', []],
    ['get.arr.*', ['x', 'y']],
    ['get.arr.1*', ['y']],
    ['get.u.*', ['s', 'e', 'q', 'v']],
    ['get.u.r.type*', ['s', 'e']],
    ['get.u.*.type1', ['s']],
    ['get.*.type*', []],
    ['get.u.typ*e', []],
    ['get.u.r.typ*.x', []],
    ['get.U.k', []],
    ['get', [get]],
    ['get.constructor', []],
    ['get.__proto__', []],
    ['get.u.__proto__.toString', []],
    ['', []],
    ['7', []],
    ['elsewhere.a', []],
    ['rules', []],
  ];
  it('the values at its path', () =>
    checkRows(cases, ([written, values]) => assert.deepEqual(found(written, { get }), values)));

  it('the members of what a name begins with whole, once flattened', () =>
    assert.deepEqual(found('get.ab*', { get: { ab1: [['x']], ab2: { y: ['z'] }, c: '' } }), [['x'], ['z']]));
});

describe('a key within a value finds', () => {
  const value = { a: { b: 'x', 0: 'zero' }, list: ['p', 'q'], k: 'v' };
  const cases: [key: string, values: unknown[]][] = [
    ['k', ['v']],
    ['a.b', ['x']],
    ['a.0', ['zero']],
    ['list.1', ['q']],
    ['z.a.*', ['zero', 'x']],
    ['*', ['zero', 'x', 'p', 'q', 'v']],
    ['a.*', ['zero', 'x', 'p', 'q', 'v']],
    ['0', []],
    ['', []],
    ['get.a', []],
  ];
  it('the values at its path', () =>
    checkRows(cases, ([key, values]) => {
      const path = keyPath(key);
      assert.deepEqual(path === undefined ? [] : lookUp(value, path), values);
    }));
});

describe('a request is seen', () => {
  const upload = { field: 'one', name: 'a.svg', type: 'image/svg+xml', size: 5, contents: Buffer.from('<svg>') };
  const view = viewOf({
    method: 'POST',
    url: '/a%20b?x[y][]=1&c.d=2&same=1&same=2&e+f=%41',
    headers: {
      cookie: 'theme=dark%20blue; theme=no; a.b=1; in.time=no; in_time=yes',
      'user-agent': 'Mower/1.0',
      'x-two': ['one', 'two'],
      'content-type': 'text/plain',
      authorization: 'Basic c2VjcmV0',
      'proxy-authorization': 'Basic c2VjcmV0',
    },
    form: 'x[z]=3&c_d=4',
    files: [upload, { ...upload, field: 'more[]', name: 'b' }, { ...upload, field: 'more[]', name: 'c' }],
    rawBody: 'x[z]=3',
    rest: { route: '/core/v2/posts', method: 'POST', params: { title: 'T' } },
  });
  const entry = { name: 'a.svg', type: 'image/svg+xml', tmp_name: '', error: 0, size: 5 };
  const cases: [source: Parameters<typeof view.source>[0], value: unknown][] = [
    ['get', { x: { y: ['1'] }, c_d: '2', same: '2', e_f: 'A' }],
    ['post', { x: { z: '3' }, c_d: '4' }],
    ['request', { x: { z: '3' }, c_d: '4', same: '2', e_f: 'A' }],
    ['cookie', { theme: 'dark blue', a_b: '1', in_time: 'yes' }],
    [
      'files',
      {
        one: entry,
        more: { name: ['b', 'c'], type: [entry.type, entry.type], tmp_name: ['', ''], error: [0, 0], size: [5, 5] },
      },
    ],
    ['raw', 'x[z]=3'],
    ['rest', { route: '/core/v2/posts', method: 'POST', params: { title: 'T' } }],
  ];
  it('with what each source says', () =>
    checkRows(cases, ([source, value]) => assert.deepEqual(structuredClone(view.source(source)), value)));

  it('with all of it at once', () =>
    assert.deepEqual(Object.keys(view.source('all') as object), ['post', 'get', 'url', 'raw']));

  const environment: [name: string, value: unknown][] = [
    ['REQUEST_METHOD', 'POST'],
    ['REQUEST_URI', '/a%20b?x[y][]=1&c.d=2&same=1&same=2&e+f=%41'],
    ['QUERY_STRING', 'x[y][]=1&c.d=2&same=1&same=2&e+f=%41'],
    ['REMOTE_ADDR', '10.0.0.1'],
    ['REMOTE_PORT', '40000'],
    ['ip', '203.0.113.7'],
    ['SERVER_NAME', 'garden.test'],
    ['SERVER_PORT', '443'],
    ['SERVER_PROTOCOL', 'HTTP/1.1'],
    ['HTTPS', 'on'],
    ['CONTENT_TYPE', 'text/plain'],
    ['CONTENT_LENGTH', undefined],
    ['REQUEST_TIME', 1_790_000_000],
    ['HTTP_USER_AGENT', 'Mower/1.0'],
    ['HTTP_X_TWO', 'one, two'],
    ['HTTP_user_agent', undefined],
    ['HTTP_AUTHORIZATION', undefined],
    ['HTTP_PROXY_AUTHORIZATION', undefined],
    ['HTTP_CONSTRUCTOR', undefined],
    ['constructor', undefined],
  ];
  it('with the variables of its environment, alone and among the others', () =>
    checkRows(environment, ([name, value]) => {
      assert.equal(readerOf(name)?.(view.asked), value);
      assert.equal((view.source('server') as Record<string, unknown>)[name], name === 'constructor' ? Object : value);
    }));

  it('without HTTPS where it came without', () =>
    assert.equal((viewOf({ secure: false }).source('server') as object as { HTTPS?: string }).HTTPS, undefined));

  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const bodies: [about: string, body: string | Buffer | undefined, value: unknown][] = [
    ['nothing', undefined, undefined],
    ['an empty one', '', undefined],
    ['a nought', '0', undefined],
    ['text', 'some text', 'some text'],
    ['a JSON object', '{"a":{"b":1}}', { a: { b: 1 } }],
    ['a JSON list after a blank', Buffer.from('\n [1]'), [1]],
    ['an empty JSON object', '{}', undefined],
    ['an empty JSON list', '[]', undefined],
    ['a JSON text', '"a"', '"a"'],
    ['a JSON object after a mark of its byte order', '\ufeff{"a":1}', { a: 1 }],
    ['a JSON object with signs that the interface leaves out', '{"a\\u0000b":"c\\u0000d"}', { ab: 'cd' }],
    [
      'the same beside a name that it leaves out',
      '{"a\\u0000":"\\ud800b","__proto__":0}',
      JSON.parse('{"a":"\ufffdb","__proto__":0}'),
    ],
    ['more lists than the interface reads', `[${'[],'.repeat(100_000)}0]`, `[${'[],'.repeat(100_000)}0]`],
    ['broken JSON', '{"a":', '{"a":'],
    ['JSON in base64', base64('{"a":1}'), { a: 1 }],
    ['text in base64', base64('a text, any'), 'a text, any'],
    ['a word that is no text in base64', 'test', 'test'],
    ['base64 that nobody would write so', 'YR==', 'YR=='],
  ];
  it('with its body, decoded', () =>
    checkRows(bodies, ([, rawBody, value]) => assert.deepEqual(viewOf({ rawBody }).source('raw'), value)));

  it('with a name that could mean more, as a name', () => {
    const evil = createView(
      asked({ rawBody: '{"__proto__":{"role":"x"}}', url: '/?__proto__[role]=x', headers: { cookie: '__proto__=1' } }),
    );
    for (const name of ['raw.role', 'get.role', 'cookie.role'])
      assert.deepEqual(lookUp(evil.source(parameterOf(name)!.source), parameterOf(name)!), []);
    assert.deepEqual(lookUp(evil.source('raw'), parameterOf('raw.__proto__.role')!), ['x']);
    assert.equal(({} as Record<string, unknown>).role, undefined);
  });
});
