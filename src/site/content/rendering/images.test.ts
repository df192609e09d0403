import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { worksOnLongText } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { imagesIn, type Pictured, pictured } from './images.ts';

const size = (file: string, width: number, height: number) => ({
  file,
  width,
  height,
  filesize: 1,
  mime_type: 'image/jpeg',
});
const picture: Pictured = {
  file: '2026/11/a.jpg',
  width: 800,
  height: 600,
  sizes: { medium: size('a-300x225.jpg', 300, 225), thumbnail: size('a-150x150.jpg', 150, 150) },
};
const known = new Map([[7, picture]]);
const urlOf = (file: string): string => `http://site.test/up/${file}`;
const shown = (html: string): string => pictured(html, { known, urlOf });

const whole = 'http://site.test/up/2026/11/a.jpg';
const middle = 'http://site.test/up/2026/11/a-300x225.jpg';
const copies = `srcset="${middle} 300w, ${whole} 800w"`;

describe('A picture in a text', () => {
  const cases: [about: string, html: string, shown: string][] = [
    [
      'of the site is given its size and its copies',
      `<img class="wp-image-7" src="${middle}">`,
      `<img loading="lazy" decoding="async" width="300" height="225" class="wp-image-7" src="${middle}" ${copies} sizes="auto, (max-width: 300px) 100vw, 300px" />`,
    ],
    [
      'is known by whatever spelling of its address',
      `<img class='x wp-image-7' src='https://site.test/up/2026/11/a-300x225.jpg?w=1#x' width=200 height=150>`,
      `<img loading="lazy" decoding="async" class='x wp-image-7' src='https://site.test/up/2026/11/a-300x225.jpg?w=1#x' width=200 height=150 ${copies} sizes="auto, (max-width: 200px) 100vw, 200px" />`,
    ],
    [
      'with one of its sizes alone is left as wide as it was made',
      `<img class="wp-image-7" src="${middle}" width="100%">`,
      `<img decoding="async" class="wp-image-7" src="${middle}" width="100%" ${copies} sizes="(max-width: 300px) 100vw, 300px" />`,
    ],
    [
      'that is another than it says is none of the site',
      '<img class="wp-image-7" src="http://site.test/up/b.jpg">',
      '<img decoding="async" class="wp-image-7" src="http://site.test/up/b.jpg">',
    ],
    [
      'keeps what somebody said',
      '<img fetchpriority="high" decoding="sync" src="b" width="1" height="1"><img loading="eager" sizes="1px" src="b" width="1" height="1">',
      '<img fetchpriority="high" decoding="sync" src="b" width="1" height="1"><img decoding="async" loading="eager" sizes="1px" src="b" width="1" height="1">',
    ],
    [
      'that says all of it stays as it is',
      `<img loading="lazy" decoding="async" width="300" height="225" class="wp-image-7" src="${middle}" ${copies} sizes="auto, 1px" />`,
      `<img loading="lazy" decoding="async" width="300" height="225" class="wp-image-7" src="${middle}" ${copies} sizes="auto, 1px" />`,
    ],
    [
      'says its sizes where it says them, and nowhere else',
      '<img alt=" sizes=\'1\'" width="1" height="1" sizes=\'1px\' src=b>',
      '<img loading="lazy" decoding="async" alt=" sizes=\'1\'" width="1" height="1" sizes=\'auto, 1px\' src=b>',
    ],
    [
      'is none in a comment or a script',
      '<!-- <img> --><script><img></script>',
      '<!-- <img> --><script><img></script>',
    ],
    ['without anything is still one', '<img><IMG/>', '<img decoding="async"><IMG decoding="async"/>'],
  ];
  test('gets its attributes', () => checkRows(cases, ([, html, expected]) => assert.equal(shown(html), expected)));

  test('beyond the five hundredth of a text has no copies to choose from', () => {
    const html = shown(`<img class="wp-image-7" src="${middle}">`.repeat(501));
    assert.deepEqual([html.split('<img ').length - 1, html.split('srcset=').length - 1], [501, 500]);
  });

  test('of any name breaks out of no attribute', () => {
    const nasty = { ...picture, file: '2026/11/a" onload=x.jpg' };
    const src = `http://site.test/up/${nasty.file.replace('"', '&quot;')}`;
    const html = pictured(`<img class="wp-image-7" src="${src}">`, { known: new Map([[7, nasty]]), urlOf });
    assert.match(html, /^(?:[^"]|"[^"]*")*$/);
    assert.ok(html.includes('a&quot; onload=x.jpg 800w'));
  });
});

test('A frame whose size is known comes late, unless somebody says otherwise', () => {
  assert.equal(
    shown('<iframe src="a" width="1" height="1"></iframe>'),
    '<iframe loading="lazy" src="a" width="1" height="1"></iframe>',
  );
  for (const html of ['<iframe src="a" width="1">', '<iframe loading="eager" width="1" height="1">'])
    assert.equal(shown(html), html);
});

test('The pictures of a text are those it names', () =>
  assert.deepEqual(imagesIn('<img class="wp-image-7 b"> wp-image-08 wp-image-9x'), [7]));

describe('Pictures made to take long are done at once', () => {
  const pieces = [
    '<img',
    '<img ',
    '<img a="',
    `<img class="wp-image-7" src="${middle}">`,
    '<img sizes=" ',
    'wp-image-',
  ];
  const widths = [
    '<img width=1 height=1 sizes=a',
    '<img width="1" height="1" sizes="1px"     >',
    '<iframe>',
    "<img ' ",
  ];
  test('whatever the text repeats', () =>
    checkRows([...pieces, ...widths], (piece) =>
      worksOnLongText(
        piece,
        (text) => {
          shown(text);
          shown(`${text}>`);
          imagesIn(text);
        },
        400,
      ),
    ));
});
