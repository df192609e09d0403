import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectFields, wantedFields } from './fields.ts';

const record = { id: 1, title: { raw: 'r', rendered: 'R' }, deep: { a: { b: 1, c: 2 } }, list: [{ x: 1 }], none: null };

test('fields are selected as they are asked for, in the record’s order', () => {
  const cases: [unknown, unknown][] = [
    ['id', { id: 1 }],
    ['none,id', { id: 1, none: null }],
    ['title.raw', { title: { raw: 'r' } }],
    ['deep.a.c', { deep: { a: { c: 2 } } }],
    ['deep.a.b,deep.a', { deep: { a: { b: 1, c: 2 } } }],
    ['deep,deep.a.b', { deep: { a: { b: 1, c: 2 } } }],
    ['list', { list: [{ x: 1 }] }],
    ['list.x', []],
    ['id.x', []],
    ['zzz', []],
    ['a.b.c.d', []],
    ['.', []],
    [['id', 'title.raw'], { id: 1, title: { raw: 'r' } }],
    [['id,none'], { id: 1, none: null }],
    [['id', 5, null, { x: 1 }], { id: 1 }],
  ];
  for (const [asked, wanted] of cases) {
    assert.equal(
      JSON.stringify(selectFields(record, wantedFields(asked))),
      JSON.stringify(wanted),
      JSON.stringify(asked),
    );
  }
});

test('nothing asked for is everything', () => {
  for (const asked of [undefined, '', ' ', ',', [], [''], 5, {}, null]) {
    assert.equal(wantedFields(asked), undefined, JSON.stringify(asked));
  }
  assert.equal(selectFields(record, undefined), record);
});

test('what is no record is left alone', () => {
  const fields = wantedFields('id');
  for (const value of [null, 5, 'text', [1, 2]]) assert.equal(selectFields(value, fields), value);
});

test('_embedded implies _links', () => {
  for (const asked of ['_embedded', '_links', '_embedded.author']) {
    assert.equal(wantedFields(asked)?.members.get('_links'), null, asked);
  }
  assert.equal(wantedFields('id')?.members.has('_links'), false);
});

test('a part of _links is that part', () => {
  const links = { self: [{ href: 'a' }], author: [{ href: 'b' }] };
  assert.deepEqual(selectFields({ id: 1, _links: links }, wantedFields('_links.self')), {
    _links: { self: links.self },
  });
});
