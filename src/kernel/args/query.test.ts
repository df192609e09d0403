import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { checkRows } from '#test/rows.ts';
import { Problem } from '../problem.ts';
import { formatQuery, listIn, mergedQueries, parseQuery, repeatedValues } from './query.ts';

describe('a query is read', () => {
  const cases: [text: string, wanted: unknown][] = [
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a', { a: '' }],
    ['a=&b', { a: '', b: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['=x&&a=1&', { a: '1' }],
    ['a=x+y', { a: 'x y' }],
    ['a=x%20y', { a: 'x y' }],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a%5B%5D=1&a%5B%5D=2', { a: ['1', '2'] }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['a[1]=x', { a: { 1: 'x' } }],
    ['a[5]=x&a[]=y', { a: { 5: 'x', 6: 'y' } }],
    ['a[x]=1&a[y]=2', { a: { x: '1', y: '2' } }],
    ['a[0][b]=1&a[0][c]=2&a[1][b]=3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
    ['a[x][]=1&a[x][]=2', { a: { x: ['1', '2'] } }],
    ['a=1&a[x]=2', { a: { x: '2' } }],
    ['a[x]=2&a=1', { a: '1' }],
    ['a.b=1&c d=2&e[f.g]=3', { a_b: '1', c_d: '2', e: { 'f.g': '3' } }],
    ['a[b=1', { a_b: '1' }],
    ['a[b]c=1', { a: { b: '1' } }],
    ['[a]=1', {}],
    ['a=%', { a: '%' }],
    ['a=%zz%41', { a: '%zzA' }],
    ['a=%ff%41', { a: '\ufffdA' }],
    ['a=%00b%00', { a: 'b' }],
    ['a%00b=1', { ab: '1' }],
    ['a=%ED%A0%80', { a: '\ufffd\ufffd\ufffd' }],
    ['constructor=1&toString[x]=2', { constructor: '1', toString: { x: '2' } }],
  ];
  it('as its names and values', () =>
    checkRows(cases, ([text, wanted]) => assert.deepStrictEqual(parseQuery(text), wanted)));

  it('in the order sent', () => {
    assert.deepEqual(Object.keys(parseQuery('c=1&a=2&b=3&a=4')), ['c', 'a', 'b']);
  });

  it('without ever reaching a prototype', () => {
    const hostile = '__proto__=1&__proto__[x]=1&a[__proto__][x]=1&_[proto__=1&constructor[prototype][x]=1';
    const query = parseQuery(hostile);
    assert.equal(({} as Record<string, unknown>).x, undefined);
    assert.equal(Object.getPrototypeOf(query), Object.prototype);
    assert.deepEqual(Object.keys(query), ['constructor']);
  });

  it('up to 1000 keys and 64 levels', () => {
    const isRefused = (error: unknown) => error instanceof Problem && error.status === 400;
    assert.equal(Object.keys(parseQuery('a&'.repeat(1000))).length, 1);
    assert.throws(() => parseQuery('a&'.repeat(1001)), isRefused);
    assert.ok(parseQuery(`a${'[b]'.repeat(63)}=1`).a);
    assert.throws(() => parseQuery(`a${'[b]'.repeat(64)}=1`), isRefused);
    assert.throws(() => parseQuery(`a${'[]'.repeat(1_000_000)}=1`), isRefused);
  });

  it('or refused with a Problem, whatever is sent', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'a0[]=&%+._\0F\ud800é __proto__'), maxLength: 60 });
    fc.assert(
      fc.property(hostile, (text) => {
        const query = parseQuery(text);
        assert.ok(!JSON.stringify(query).includes('\\u0000'));
        assert.ok(JSON.stringify(query).isWellFormed());
      }),
    );
  });
});

describe('a name that is sent several times', () => {
  const cases: [text: string, wanted: string[] | undefined][] = [
    ['a=1', undefined],
    ['a=1,2', undefined],
    ['a[]=1&a[]=2', undefined],
    ['a=1&a=2', ['1', '2']],
    ['a=1&b=5&a=2', ['1', '2']],
    ['a=1,2&a=3+4', ['1', '2', '3', '4']],
    ['a=%31&a=2', ['1', '2']],
    ['a=1&a[]=2,3', ['1', '2,3']],
    ['a[]=1&a=2', ['1', '2']],
    ['a[0]=1&a=2&a[5]=3', ['1', '2', '3']],
    ['a=1&a', ['1']],
    ['a=&a=', []],
    ['a=1&a[x]=2', undefined],
    ['a[x]=1&a=2', undefined],
    ['a=1&a[][x]=2', undefined],
    ['constructor=1&constructor=2', undefined],
  ];
  it('is a list only where it says so', () =>
    checkRows(cases, ([text, wanted]) => assert.deepEqual(listIn(parseQuery(text), 'a'), wanted)));

  it('shows no member for it', () => {
    assert.deepStrictEqual(Object.entries(parseQuery('a=1&a=2')), [['a', '2']]);
  });

  it('is known of queries that were merged', () => {
    const merged = mergedQueries(parseQuery('a=1&a=2'), undefined, { a: '3', b: '4' });
    assert.deepEqual({ ...merged }, { a: '3', b: '4' });
    assert.deepEqual(repeatedValues(merged), [
      ['a', '1'],
      ['a', '2'],
    ]);
  });

  it('is refused where that makes more items than any list may have', () => {
    const isRefused = (error: unknown) => error instanceof Problem && error.status === 400;
    const long = parseQuery(`a=1&a=${'1,'.repeat(10_000)}`);
    assert.equal(Object.keys(long).length, 1, 'a text may be that long');
    assert.throws(() => listIn(long, 'a'), isRefused);
  });
});

describe('arguments are written back', () => {
  const cases: [entries: [string, unknown][], wanted: string][] = [
    [[['a', 1]], 'a=1'],
    [[['sticky', true]], 'sticky=1'],
    [[['sticky', false]], 'sticky'],
    [[['search', '']], 'search'],
    [[['search', 'river stone & more']], 'search=river+stone+%26+more'],
    [[['include', []]], ''],
    [[['a', null]], ''],
    [[['include', [3, 5]]], 'include%5B0%5D=3&include%5B1%5D=5'],
    [[['c', { terms: [2], operator: 'AND' }]], 'c%5Bterms%5D%5B0%5D=2&c%5Boperator%5D=AND'],
    [[['a', "!'()*~-_."]], 'a=%21%27%28%29%2A%7E-_.'],
    [[['a', 'x\r\nSet-Cookie: y']], 'a=x%0D%0ASet-Cookie%3A+y'],
    [[['a', '\ud800']], 'a=%EF%BF%BD'],
  ];
  it('as a query string', () => checkRows(cases, ([entries, wanted]) => assert.equal(formatQuery(entries), wanted)));

  it('so that they read the same again', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 1 }));
    const query = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value, { maxKeys: 5 });
    fc.assert(
      fc.property(query, (sent) => {
        if (JSON.stringify(sent).includes('\\u0000')) return;
        assert.deepEqual({ ...parseQuery(formatQuery(Object.entries(sent))) }, { ...sent });
      }),
    );
  });
});

describe('a plain query', () => {
  const name = fc.stringMatching(/^[a-zA-Z]\w{0,3}$/);
  const value = fc.stringMatching(/^[\w,:-]{0,6}$/);
  const escaped = (text: string): string => text.replace(/^./, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

  it('says what it says when its signs are escaped, in the same order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (pairs) => {
        const written = (spell: (text: string) => string): string =>
          pairs.map(([one, other]) => `${spell(one)}=${other}`).join('&');
        const [plain, other] = [parseQuery(written((text) => text)), parseQuery(written(escaped))];
        assert.deepEqual(Object.entries(plain), Object.entries(other));
      }),
    );
  });
});
