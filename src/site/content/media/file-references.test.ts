import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worksOnLongText } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { nameOf, namesIn, numbersIn, piecesOf } from './file-references.ts';

const named: readonly [string, string][] = [
  ['an address', '<a href="http://site.test/media/2026/11/boat.pdf">x</a>'],
  ['a copy', '<img src="/media/2026/11/boat-300x200.jpg">'],
  ['a copy of what is shown by one', '<img srcset="/media/2026/11/boat-scaled.jpg 2560w">'],
  ['a block', '<!-- wp:file {"href":"http:\\/\\/site.test\\/media\\/boat.txt"} /-->'],
  ['a style', '<p style="background:url(/media/boat.png)">x</p>'],
  ['an escaped address', '<a href="/media/b%6fat.txt?x=1#y">x</a>'],
  ['the end of a sentence', 'See boat.pdf.'],
];
test('a text names a file in each of these ways', () =>
  checkRows(named, ([, text]) => assert.ok([...namesIn(text)].includes('boat'))));

test('what has no ending is no file, and what cannot be read is taken as it is', () => {
  assert.deepEqual([...namesIn('boat /media/boat %E0%A4%A.jpg')], ['%E0%A4%A']);
});

test('a file that is called like a copy is found by its whole name', () => {
  assert.equal(nameOf('boat-300x200.jpg'), 'boat-300x200');
  assert.deepEqual([...namesIn('/boat-300x200.jpg')], ['boat-300x200', 'boat']);
});

test('galleries, playlists, pictures and blocks of files name them by number, and nothing else does', () => {
  const blocks =
    '<!-- wp:image {"id":44,"width":9} --><img class="size-full wp-image-55 x"><!-- wp:gallery {"ids":[66,77]} -->';
  const others =
    '<!-- wp:navigation-link {"id":8} --> {"id":9} <!-- wp:media-text {"mediaId":88,"mediaLink":"/1"} /-->';
  assert.deepEqual([...numbersIn(`${blocks} ${others}`)], [44, 66, 77, 88, 55]);
  const text = '[gallery ids="1, 22" size=x] [playlist ids=333] [galleryx ids="4"] 5 [caption id="6"]7[/caption]';
  assert.deepEqual([...numbersIn(text)], [1, 22, 333]);
});

const repeated = [
  'a.',
  '.',
  '-1x1',
  '[gallery ',
  '[gallery 1 ',
  '%41.',
  'a',
  '-scaled',
  '[playlist]',
  '<!-- wp:image ',
  '"id":[1,',
  'wp-image-1',
];
test('a text takes no longer than it is long, whatever it repeats', () =>
  checkRows(repeated, (piece) => worksOnLongText(piece, (text) => [...namesIn(text), ...numbersIn(text)].length, 300)));

test('a long text is looked through in pieces, and no name is torn', () => {
  const texts = [
    'a word.jpg '.repeat(30_000),
    `${'x'.repeat(65_000)} long-name-${'y'.repeat(800)}.jpg end`,
    'one.jpg',
    '',
  ];
  for (const text of texts) {
    const pieces = [...piecesOf(text)];
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.every(({ length }) => length <= 65_536));
    assert.deepEqual(
      pieces.flatMap((piece) => [...namesIn(piece)]),
      [...namesIn(text)],
    );
  }
});
