import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { measuresTime, quickest } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { deepest, replaced, shortcodesIn, unwrapped, withoutShortcodes } from './syntax.ts';

const layers = Array.from({ length: 2 * deepest }, (_, number) => `layer-${number}`);
const names = new Set(['gallery', 'caption', 'site-gallery', 'embed', ...layers]);

/** What each says, in the order they stand in. */
const said = (text: string) =>
  Array.from(shortcodesIn(text, names), ({ name, attributes, inner }) => [
    name,
    attributes,
    ...(inner === undefined ? [] : [inner]),
  ]);
const marked = (text: string): string => replaced(text, names, ({ name, inner = '' }) => `{${name}:${inner}}`);

describe('A shortcode', () => {
  const cases: [about: string, text: string, ...found: unknown[]][] = [
    [
      'has attributes in quotes of either kind or in none',
      `[gallery ids="1, 2" link='file' columns=2]`,
      ['gallery', { ids: '1, 2', link: 'file', columns: '2' }],
    ],
    ['has attributes without a name', '[gallery 5 "a b" Size=x]', ['gallery', { 0: '5', 1: 'a b', size: 'x' }]],
    ['may close itself', '[gallery/] [gallery a=b /]', ['gallery', {}], ['gallery', { a: 'b' }]],
    ['may hold something', '[caption]a [b] c[/caption]', ['caption', {}, 'a [b] c']],
    ['may hold others', '[caption][gallery][/caption]', ['caption', {}, '[gallery]'], ['gallery', {}]],
    ['of another name is none', '[galleries] [gallery-x] [gallery_] [ gallery] [gallery', ...[]],
    ['has a name with a line in it', '[site-gallery id=1]', ['site-gallery', { id: '1' }]],
    ['that closes nothing is none', 'a[/caption]', ...[]],
    [
      'that is not closed does not swallow the next',
      '[gallery] a [gallery]b[/gallery]',
      ['gallery', {}],
      ['gallery', {}, 'b'],
    ],
    [
      'is the same with the breaks that its lines are given',
      '[gallery ids="1,<br />\n2"<br />\nsize=a</p>\n<p>link=b]',
      ['gallery', { ids: '1,\n2', size: 'a', link: 'b' }],
    ],
    [
      'may say whole tags',
      `[caption caption="<a href="x" title=']'>y</a> < z"]`,
      ['caption', { caption: `<a href="x" title=']'>y</a> < z` }],
    ],
    ['says the names of what objects have as any other', '[gallery __proto__=1]', ['gallery', { ['__proto__']: '1' }]],
  ];
  test('is found with its attributes and content', () =>
    checkRows(cases, ([, text, ...found]) => assert.deepEqual(said(text), found)));

  test('is written in its place', () => {
    assert.equal(marked('a [gallery] b [caption]c[/caption] d'), 'a {gallery:} b {caption:c} d');
    assert.equal(marked('[nothing] here'), '[nothing] here');
  });

  test('that is only spoken of stays, without its outer brackets', () => {
    assert.equal(marked('[[gallery ids="1"]] [[caption]x[/caption]]'), '[gallery ids="1"] [caption]x[/caption]');
    assert.equal(
      marked('[caption]so: [[caption]] and [[/caption]][/caption]'),
      '{caption:so: [[caption]] and [[/caption]]}',
    );
    assert.equal(marked('[[gallery] [gallery]] [[nothing]]'), '[{gallery:} {gallery:}] [[nothing]]');
  });

  test('stands in no tag, no comment and no script', () => {
    for (const text of [
      '<a title="[gallery]">',
      `<a title='> [gallery]'>`,
      '<a [gallery]>',
      '<!-- [gallery] -->',
      '<script>"[gallery]"</script>',
      '<style>[gallery]</style>',
      '<textarea>[gallery]</textarea>',
      'a <b title="[gallery]',
      'a <b [gallery]',
      'a <!-- [gallery]',
    ])
      assert.deepEqual([marked(text), said(text)], [text, []]);
    assert.equal(marked('1 < 2 [gallery] > 1'), '1 < 2 {gallery:} > 1');
  });

  test('neither begins nor ends in a tag', () => {
    const hidden = `[caption caption="<a title='"]<img src=x onerror=y>[/caption]'>`;
    assert.equal(marked(hidden), hidden);
    assert.equal(marked('[caption]<img alt="[/caption]">'), '{caption:}<img alt="[/caption]">');
  });
});

describe('A paragraph', () => {
  const cases: [about: string, html: string, bare: string][] = [
    [
      'of one shortcode is none',
      '<p>[gallery]</p>\n<p> [caption]a</p>\n<p>b[/caption]\n</p>',
      '[gallery]\n[caption]a</p>\n<p>b[/caption]',
    ],
    ['with other words stays', '<p>a [gallery]</p>', '<p>a [gallery]</p>'],
    ['of one that is only spoken of stays', '<p>[[gallery]]</p>', '<p>[[gallery]]</p>'],
    ['of one that nobody knows stays', '<p>[unknown]</p>', '<p>[unknown]</p>'],
    ['of a link stays', '<p>[embed]a[/embed]</p>', '<p>[embed]a[/embed]</p>'],
  ];
  test('around a shortcode goes', () =>
    checkRows(cases, ([, html, bare]) => assert.equal(unwrapped(html, names), bare)));
});

test('A text may be read without them, and without what they hold', () =>
  assert.equal(
    withoutShortcodes('a [caption]<b>c</b>[/caption] [[gallery]] [nothing] d', names),
    'a  [gallery] [nothing] d',
  ));

describe('Text made to take long is done in time', () => {
  const pieces = [
    '[',
    '[[',
    '[gallery ',
    '[gallery]',
    '[gallery a="b" ',
    '[caption]',
    '[/caption]',
    '[caption][/caption]',
    '[[caption]',
    `[gallery ${`a='" b="' `.repeat(20)}`,
    `[gallery ${'a="'.repeat(20)}]`,
    '<a b="[gallery]',
    '<a [gallery]',
    '<!-- [gallery]',
    '<p>[gallery]</p>',
    '<p> \n',
    '[gallery\n',
    '-',
    ' ',
    '\n',
    '<script>',
    'a="b"c ',
  ];
  test('whatever it repeats', () =>
    checkRows(pieces, (piece) => {
      const nested = [
        layers.map((name) => `[${name}]`).join(''),
        layers
          .toReversed()
          .map((name) => `[/${name}]`)
          .join(''),
      ];
      const readAll = (length: number) => (): void => {
        const some = piece.repeat(length / piece.length);
        for (const text of [`[gallery]${some}`, `<p>[caption ${some}`, `[gallery a="${some}"]`, nested.join(some)])
          read(text);
      };
      if (!measuresTime) return readAll(50_000)();
      const [half = 0, whole = 0] = quickest(readAll(50_000), readAll(100_000));
      assert.ok(whole < 3 * half + 30 && whole < 500, `${half} ms and ${whole} ms`);
    }));
});

/** All that is done with a text. */
function read(text: string): void {
  Array.from(shortcodesIn(text, names));
  unwrapped(text, names);
  const again = (one: string, depth: number): string =>
    replaced(one, names, ({ inner = '' }) => (depth < deepest ? again(inner, depth + 1) : ''));
  again(text, 1);
}
