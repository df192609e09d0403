import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worksOnLongText } from '#test/doubling.ts';
import { firstPictureEager, partsOf } from './single.ts';

test('a text is cut where its author said so, and not where nothing is before', () => {
  const block = '<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->';
  assert.deepEqual(partsOf('whole'), ['whole']);
  assert.deepEqual(partsOf('a<!--nextpage-->b'), ['a', 'b']);
  assert.deepEqual(partsOf(`a${block}b${block.replace('page -->', 'page {"a":1} -->')}c`), ['a', 'b', 'c']);
  assert.deepEqual(partsOf('<!--nextpage-->a'), ['a']);
});

const img = (more: string) => `<img loading="lazy" decoding="async" ${more}/>`;

test('the first large picture is not put off, and no other is brought forward', () => {
  const large = img('width="600" height="400" sizes="auto, 100vw" src="a.jpg"');
  const small = img('width="20" height="20" src="b.jpg"');
  const eager = '<img fetchpriority="high" decoding="async" width="600" height="400" sizes="100vw" src="a.jpg"/>';
  assert.equal(firstPictureEager(`<p>${small}${large}${large}</p>`), `<p>${small}${eager}${large}</p>`);
  const own = '<img width="600" height="400" src="c.jpg">';
  for (const html of ['', 'x', small, `${own}${large}`]) assert.equal(firstPictureEager(html), html);
});

test('long texts are gone through once', () => {
  for (const piece of [
    '<!--nextpage-->',
    '<!-- wp:nextpage -->',
    '<!-- wp:nextpage -->\n<!--nextpage-->',
    '<!-- wp:nextpage { ',
  ])
    worksOnLongText(piece, partsOf);
  for (const piece of [img('src="a"'), '<img loading="lazy"', '<img loading="lazy" width="1'])
    worksOnLongText(piece, firstPictureEager);
});
