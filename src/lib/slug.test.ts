import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withinProcessorTime } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { postSlug, shortSlug, slugOf } from './slug.ts';

const cases: [string, string][] = [
  ['Ann Lee', 'ann-lee'],
  ['ann.lee@example.test', 'ann-leeexample-test'],
  ['  --Ann--  ', 'ann'],
  ['Mother’s Day', 'mothers-day'],
  ['Zoë_3', 'zoe_3'],
  ['../etc', 'etc'],
  ['日本 語', '日本-語'],
  ['%%%', ''],
];

test('short texts become slugs', () => checkRows(cases, ([text, slug]) => assert.equal(slugOf(text), slug)));

const postCases: [string, string][] = [
  ['Äpfel & Öl — Straße', 'apfel-ol-strase'],
  ['Žluťoučký kůň', 'zlutoucky-kun'],
  ['Cafe\u0301 Ærø Łódź Þór İzmir', 'cafe-aero-lodz-thor-izmir'],
  ['日本 語', '%e6%97%a5%e6%9c%ac-%e8%aa%9e'],
  ['Зимний', '%d0%b7%d0%b8%d0%bc%d0%bd%d0%b8%d0%b9'],
  ['1990–1995—2000', '1990-1995-2000'],
  ['a\u00a0b/c.d', 'a-b-c-d'],
  ['“What’s” «this»… ¡ah!', 'whats-this-ah'],
  ['10×20', '10x20'],
  ['100%25 %C3%BC %zz %', '100%25-%c3%bc-zz'],
  ['snake_case -- and --- more', 'snake_case-and-more'],
  [' - .trimmed/ - ', 'trimmed'],
  ['<p class="a">Text</p>&nbsp;&copy;', 'text'],
  ['a < b', 'a-b'],
  ['soft\u00adhyphen zero\u200bwidth', 'softhyphen-zerowidth'],
  ['lone \ud800 half', 'lone-half'],
  ['🙂', '%f0%9f%99%82'],
  ['???', ''],
  ['', ''],
];

test('titles of posts become slugs, and slugs stay as they are', () =>
  checkRows(postCases, ([text, slug]) => {
    assert.equal(postSlug(text), slug);
    assert.equal(postSlug(slug), slug);
  }));

interface Titled {
  readonly kind: string;
  readonly input: string;
  readonly generated_slug?: string;
}

const { vectors } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/spec/rendering-vectors.json'), 'utf8'),
) as { vectors: Titled[] };

test('titles become the slugs of the recorded vectors', () =>
  checkRows(
    vectors.filter((one) => one.generated_slug !== undefined),
    ({ input, generated_slug }) => assert.equal(postSlug(input) || '<post id>', generated_slug),
  ));

test('an address has 200 bytes at most, and ends with a whole letter', () => {
  assert.equal(postSlug('a'.repeat(300)), 'a'.repeat(200));
  assert.equal(postSlug(`${'a'.repeat(199)}-b`), 'a'.repeat(199));
  const long = postSlug('語'.repeat(100));
  assert.ok(long.length <= 200);
  assert.equal(decodeURIComponent(long), '語'.repeat(22));
});

test('room is made for a number without cutting a letter in two', () => {
  assert.equal(shortSlug('%e6%97%a5%e6%9c%ac', 17), '%e6%97%a5');
  assert.equal(shortSlug('%e6%97%a5%e6%9c%ac', 18), '%e6%97%a5%e6%9c%ac');
  assert.equal(shortSlug('%f0%9f%99%82', 11), '');
  assert.equal(shortSlug('ab-cd', 3), 'ab');
});

test('a text made to take long is done at once', () => {
  withinProcessorTime(1_000, () => {
    for (const piece of ['<', '&', '\u0301', 'a\u0301', '%', '<!--', '-'])
      postSlug(piece.repeat(4_000_000 / piece.length));
  });
});
