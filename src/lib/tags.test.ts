import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
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
  it('and only tags', () => checkRows(cases, ([text, wanted]) => assert.equal(stripTags(text), wanted)));

  it('takes time in proportion to the text, however hostile', () => {
    const size = 300_000;
    withinProcessorTime(5_000, () => {
      for (const part of ['<', '<a', '<script>', '</script', '<script></script', '<style><script>'])
        assert.ok(!stripTags(`${part.repeat(size)}>`).includes('<'));
    });
  });
});
