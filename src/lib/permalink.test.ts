import assert from 'node:assert/strict';
import { test } from 'node:test';
import { structureOf } from './permalink.ts';

const post = { id: 7, date: '2026-02-03T04:05:06' };

test('an address tells of the date, the number and the slug, as it is set', () => {
  for (const [text, path] of [
    ['/%year%/%monthnum%/%day%/%postname%/', '2026/02/03/river/'],
    ['%postname%', 'river'],
    ['/news/%year%%monthnum%/%post_id%-%postname%.html', 'news/202602/7-river.html'],
    ['/archives/%post_id%/', 'archives/7/'],
    ['/%hour%/%minute%/%second%/%postname%/', '04/05/06/river/'],
  ] as const)
    assert.equal(structureOf(text)?.pathOf(post, 'river'), path, text);
});

test('and is read as it is made', () => {
  const dated = structureOf('/%year%/%monthnum%/%day%/%postname%/');
  assert.deepEqual(dated?.read(['2026', '02', '03', 'river', 'picture']), {
    slug: 'river',
    path: '2026/02/03/river',
    below: ['picture'],
  });
  assert.equal(dated?.read(['2026', '2', '03', 'river']), undefined);
  assert.equal(dated?.read(['2026', '02', '03']), undefined);
  const numbered = structureOf('/news/%post_id%-%postname%.html')?.read(['NEWS', '7-river-bank.html']);
  assert.deepEqual(numbered, { slug: 'river-bank', id: 7, path: 'NEWS/7-river-bank.html', below: [] });
  assert.deepEqual([dated?.isLikePages, structureOf('/%postname%/')?.isLikePages], [false, true]);
});

test('what would give several posts one address, or none, is no such thing', () => {
  for (const text of ['', '/', '/%year%/', '/%postname%/%postname%/', '/%author%/%postname%/', '/a b/%postname%/'])
    assert.equal(structureOf(text), undefined, text);
  for (const text of ['/../%postname%/', '/%postname%//', '/%%/%postname%', '/?p=%post_id%', '/a/%2e/%postname%'])
    assert.equal(structureOf(text), undefined, text);
});
