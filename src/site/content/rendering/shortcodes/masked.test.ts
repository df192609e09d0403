import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { masked } from './syntax.ts';

/** With a dot for what is hidden, so that its length shows. */
const seen = (html: string): string => masked(html).replaceAll('\u0001', '.');

describe('What is read as text stays where it is, and nothing else', () => {
  const cases: [html: string, seen: string][] = [
    ['a < b > c [d]', 'a < b > c [d]'],
    ['<b>a</b>', '...a....'],
    ['<p class="x">a<br />b</p>', '             a      b    '],
    ['<a title="[x]">y</a>', '...............y....'],
    [`<a title='x>' b=">">y`, '....................y'],
    ['<a b"c>d">e', '.......d">e'],
    ['a<!-- [b] --> c <!-- wp:d {"e":"f"} -->g', 'a............ c .......................g'],
    ['<!-->a', '.....a'],
    ['<script>a</script>b<STYLE>c</STYLE>d', '..................b................d'],
    ['<textarea><b></textarea>a', '........................a'],
    ['<my-own a>b<svg viewBox="0 0">c', '..........b...................c'],
    ['a <b c="d', 'a .......'],
    ['a <!-- b', 'a ......'],
    ['<!doctype a>b<?c d>e</ f>g</>h', '............b......e.....g...h'],
    ['<<b>a', '<...a'],
  ];
  test('in each kind of element', () => checkRows(cases, ([html, expected]) => assert.equal(seen(html), expected)));
});
