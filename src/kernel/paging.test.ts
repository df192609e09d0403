import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offsetOf, pagingHeaders, stretchHeaders } from './paging.ts';

const url = 'http://site.test/api/x';
const linked = (total: number, page: number, perPage: number, query: [string, unknown][] = []) =>
  pagingHeaders({ total, page, perPage, url, query }).Link;
const to = (page: number, rel: string) => `<${url}?page=${page}>; rel="${rel}"`;

test('pages are counted up', () => {
  const cases: [total: number, perPage: number, pages: number][] = [
    [0, 10, 0],
    [1, 10, 1],
    [10, 10, 1],
    [11, 10, 2],
    [1002, 100, 11],
  ];
  for (const [total, perPage, pages] of cases) {
    const headers = pagingHeaders({ total, page: 1, perPage, url, query: [] });
    assert.deepEqual([headers['X-WP-Total'], headers['X-WP-TotalPages']], [total, pages]);
  }
});

test('neighbours are linked: prev first, and never above the last page', () => {
  const cases: [total: number, page: number, link: string | undefined][] = [
    [0, 1, undefined],
    [10, 1, undefined],
    [11, 1, to(2, 'next')],
    [30, 2, `${to(1, 'prev')}, ${to(3, 'next')}`],
    [30, 3, to(2, 'prev')],
    [30, 4, to(3, 'prev')],
    [30, 50, to(3, 'prev')],
    [0, 2, undefined],
  ];
  for (const [total, page, link] of cases) assert.equal(linked(total, page, 10), link, `${total} ${page}`);
});

test('the page is replaced where it stands, or put at the end', () => {
  assert.equal(
    linked(11, 1, 10, [
      ['a', 1],
      ['page', 1],
      ['b', 2],
    ]),
    `<${url}?a=1&page=2&b=2>; rel="next"`,
  );
  assert.equal(linked(11, 1, 10, [['a', 1]]), `<${url}?a=1&page=2>; rel="next"`);
});

test('an offset counts exactly, however far away the page', () => {
  assert.equal(offsetOf({ page: 1, per_page: 10 }), 0);
  assert.equal(offsetOf({ page: 3, per_page: 25 }), 50);
  assert.equal(offsetOf({ page: Number.MAX_SAFE_INTEGER, per_page: 100 }), Number.MAX_SAFE_INTEGER);
});

test('what nobody counts goes on behind a place of its own, and tells what else may be done', () => {
  const query = [
    ['per_page', 2],
    ['after', 'old'],
  ] as const;
  const next = `<${url}?per_page=2&after=new>; rel="next"`;
  assert.deepEqual(stretchHeaders({ url, query: query.slice(0, 1), after: 'new', links: [] }), { Link: next });
  assert.deepEqual(stretchHeaders({ url, query, after: 'new', links: [['create-form', `${url}/y`]] }), {
    Link: `${next}, <${url}/y>; rel="create-form"`,
  });
  assert.deepEqual(stretchHeaders({ url, query, after: undefined, links: [] }), {});
});
