// What is filtered may hold more of its kind: marks of blocks, and what they say. However it is laid inside of each other, it takes
// no longer than its length, and comes out no longer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { measuresTime, quickest } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { markOf } from '../marks.ts';
import { safeFootnotes } from '../meta.ts';
import { createTextFilter, filterComment, filterPost, filterTitle } from './filter.ts';

type Spelling = (text: string) => string;

/** As text stands in JSON inside of a mark, in two ways: with every odd sign by its number, and as it is but where it would end the mark. */
const numbered: Spelling = (text) =>
  text.replace(/[\\"<>&-]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
const plain: Spelling = (text) => JSON.stringify(text).slice(1, -1).replaceAll('-->', '--\\u003e');

const mark = (said: string, spelling: Spelling): string => `<!-- wp:x {"a":"${spelling(said)}"} -->`;

function nested(depth: number, inside: string, spelling: Spelling): string {
  let text = inside;
  for (let level = 0; level < depth; level++) text = mark(text, spelling);
  return text;
}

/** What a mark says, once it stands in a text. */
const saidIn = (text: string): string => {
  const { attributes = '' } = markOf(text.replace(/^<!--|-->$/g, '')) ?? {};
  return JSON.parse(attributes).a;
};

const hostile = '<b onclick=x>x</b>';

describe('A mark in what a mark says', () => {
  for (const [how, spelling] of Object.entries({ numbered, plain })) {
    test(`is filtered: ${how}`, () => {
      const kept = filterPost(nested(2, hostile, spelling));
      assert.equal(saidIn(saidIn(kept)), '<b>x</b>');
      assert.equal(filterPost(kept), kept);
    });

    test(`is text, where it stands deeper in: ${how}`, () => {
      const kept = filterPost(nested(3, hostile, spelling));
      const inside = saidIn(saidIn(kept));
      assert.match(inside, /^&lt;!-- wp:x \{.*\} --&gt;$/);
      assert.doesNotMatch(inside, /[<>]/);
      assert.equal(filterPost(kept), kept);
    });
  }

  test('is no more than text in a key, too', () => {
    const key = nested(2, hostile, numbered);
    const kept = filterPost(`<!-- wp:x {"${numbered(mark(key, numbered))}":1} -->`);
    const [said = ''] = Object.keys(JSON.parse(markOf(kept.replace(/^<!--|-->$/g, ''))?.attributes ?? ''));
    assert.match(saidIn(said), /^&lt;!-- wp:x /);
  });
});

/** Each is written out longer than it came, or makes what is around it so. */
const pieces = [
  hostile,
  '<&&&&&&&&&&&&',
  '<""""""""""""',
  '<------------',
  '<\u0001\u0001\u0001\u0001\u0001\u0001',
  '<\\\\\\\\\\\\\\\\',
  '<ä\u{1f600}\ud800',
  '<>',
  '<p title=\'""""""""\'>',
  '<p title="&&&&&&&&">',
  '<p id=1>',
  '<a href=&&&&&&&&>',
  '<img srcset="a&&&&,b&&&&">',
  '<p style="color:&quot;&quot;">',
  '<br/>',
  '<!--&<&<&<-->',
  '<!-- wp:y -->',
  '<!-- wp:y {"a":1e20} -->',
  '<!-- wp:y {"a":"<&&&&&&&&"} -->',
];

const uploads = 'https://x.test/up';

/** Everything that HTML of people is filtered by. */
const ways: Record<string, (html: string) => string> = {
  'content and excerpts': (html) => filterPost(html, uploads),
  titles: filterTitle,
  comments: filterComment,
  footnotes: (html) => safeFootnotes(JSON.stringify([{ id: 'a', content: html }]), createTextFilter(uploads)),
};

describe('What is filtered is no longer than a few times what came', () => {
  const shapes: (readonly [depth: number, spelling: Spelling])[] = [
    ...[0, 1, 2, 3, 4, 8].map((depth) => [depth, plain] as const),
    ...[1, 2, 3, 4, 8, 24].map((depth) => [depth, numbered] as const),
  ];
  test('through each filter', () =>
    checkRows(Object.entries(ways), ([, filter]) => {
      for (const piece of pieces)
        for (const [depth, spelling] of shapes) {
          const html = nested(depth, piece.repeat(40), spelling);
          const [came, kept] = [Buffer.byteLength(html), Buffer.byteLength(filter(html))];
          assert.ok(kept <= 12 * came, `${depth} deep, ${JSON.stringify(piece)}: ${came} became ${kept}`);
        }
    }));
});

describe('What is twice as long takes twice as long', () => {
  /** So many bytes, or nearly. */
  const shapes: Record<string, (size: number) => string> = {
    'marks in marks, ever deeper': (size) => nested(Math.sqrt(size / 25), '<b>x</b>', numbered),
    'marks in marks around what is taken out': (size) => nested(Math.sqrt(size / 25), hostile, numbered),
    'marks beside each other in a mark': (size) => mark(mark(hostile, plain).repeat(size / 50), plain),
    'marks beside each other in a mark of a mark': (size) =>
      mark(mark(mark(hostile, plain).repeat(size / 60), plain), plain),
    'many words that a mark says': (size) => `<!-- wp:x {"a":[${'"<",'.repeat(size / 4)}""]} -->`,
    'many names that a mark says': (size) =>
      `<!-- wp:x {${Array.from({ length: size / 12 }, (_, at) => `"<${at}":1`).join(',')}} -->`,
    'lists in lists that a mark says': (size) => `<!-- wp:x {"a":["<",${'[[[1]]],'.repeat(size / 8)}1]} -->`,
    'styles in what a mark says': (size) => mark(`<p style="${'color:rgb(1);'.repeat(size / 13)}">`, plain),
    'addresses in what a mark says': (size) => mark(`<img srcset="${'a&b 1x,'.repeat(size / 7)}">`, plain),
  };

  test('whatever is nested', () =>
    checkRows(Object.entries(shapes), ([, shape]) => {
      const [short, long] = [shape(60_000), shape(120_000)];
      const through = (html: string) => () => {
        for (const filter of Object.values(ways)) filter(html);
      };
      if (!measuresTime) return through(short)();
      const [once = 0, twice = 0] = quickest(through(short), through(long));
      assert.ok(twice < 3 * once + 15, `${once} ms became ${twice} ms`);
    }));
});
