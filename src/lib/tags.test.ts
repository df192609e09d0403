import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { processorTime } from '#test/turns.ts';
import { stripTags } from './tags.ts';

describe('tags are taken out of text', () => {
  const cases: [string, string][] = [
    ['1 < 2', '1 &lt; 2'],
    ['<b>bold</b> text', 'bold text'],
    ['a<script>alert("<b>")</script>b', 'ab'],
    ['a<STYLE type=x>p{}</Style >b', 'ab'],
    ['a<script>never closed', 'anever closed'],
    ['<<b>script>x', '&lt;script>x'],
    ['a <img src=x onerror=y', 'a &lt;img src=x onerror=y'],
    ['<!-- note -->x<?php y ?>', 'x'],
    ['a > b', 'a > b'],
  ];
  for (const [text, wanted] of cases)
    it(`${JSON.stringify(text)} becomes ${JSON.stringify(wanted)}`, () => assert.equal(stripTags(text), wanted));

  it('takes time in proportion to the text, however hostile', () => {
    const size = 300_000;
    const begun = processorTime();
    for (const part of ['<', '<a', '<script>', '</script', '<script></script', '<style><script>'])
      assert.ok(!stripTags(`${part.repeat(size)}>`).includes('<'));
    assert.ok(processorTime() - begun < 5_000);
  });
});
