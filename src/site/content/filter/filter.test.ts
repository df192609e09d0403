import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withinProcessorTime } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { smuggled } from '#test/smuggled.ts';
import { filterComment, filterPost, filterTitle, markLinks } from './filter.ts';

interface Vector {
  readonly kind: string;
  readonly input: string;
  readonly stored: string;
}

const { vectors } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../test/spec/rendering-vectors.json'), 'utf8'),
) as { vectors: Vector[] };

const vectorsOf = (kind: string): Vector[] => vectors.filter((one) => one.kind === kind);

/** The vectors keep every position; here a style may not leave its block. */
const inBlock = (stored: string): string => stored.replace(';position:fixed', '');

describe('The vectors', () => {
  test('of content', () =>
    checkRows(vectorsOf('filter-content'), ({ input, stored }) => assert.equal(filterPost(input), inBlock(stored))));
  test('of titles', () =>
    checkRows(vectorsOf('filter-title'), ({ input, stored }) => assert.equal(filterTitle(input), stored)));
  test('of comments by users who may write unfiltered HTML', () =>
    checkRows(vectorsOf('comment'), ({ input, stored }) => assert.equal(markLinks(input), stored)));
});

describe('In content', () => {
  const cases: [about: string, html: string, kept: string][] = [
    [
      'a bare ampersand is spelled out',
      'a & b &amp; &copy; &nosuch; &#8217; &#x1f600; &#0; &#xd800;',
      'a &amp; b &amp; &copy; &amp;nosuch; &#8217; &#x1f600; &amp;#0; &amp;#xd800;',
    ],
    ['signs that begin no tag are text', 'a < b > c <3', 'a &lt; b &gt; c &lt;3'],
    ['a tag that never ends is text', 'a <b class="x', 'a &lt;b class="x'],
    ['and so is one that only begins', 'a <p', 'a &lt;p'],
    ['line ends are kept', 'a\r\n<p>\nb</p>\t', 'a\r\n<p>\nb</p>\t'],
    ['tags are written in small letters, values in quotes', "<P CLASS=x ID='y\"z'>", '<p class="x" id="y&quot;z">'],
    ['the first of two attributes of one name counts', '<p class="a" class="b">', '<p class="a">'],
    ['a slash at the end stays', '<br/><img src="a.png" />', '<br /><img src="a.png" />'],
    ['a letter spelled as an entity is read', '<a href="&#106;ava&Tab;script&colon;x">', '<a href="x">'],
    ['schemes one in another go', '<a href=" javascript: vbscript:\tdata:x">', '<a href="x">'],
    ['line ends inside of a scheme do not hide it', '<a href="java\nscript:x">', '<a href="x">'],
    ['an address keeps its ampersands', '<a href="/?a=1&b=2&amp;c=3">', '<a href="/?a=1&amp;b=2&amp;c=3">'],
    ['a colon behind a path is no scheme', '<a href="/a:b?c:d#e:f">', '<a href="/a:b?c:d#e:f">'],
    [
      'an address of a set may have commas in it',
      '<img srcset=" https://x.test/a,b.png 1x,,/c.png,\n/d.png 200w , javascript:e">',
      '<img srcset="https://x.test/a,b.png 1x, /c.png, /d.png 200w, e">',
    ],
    ['each address of a set is looked at', '<img srcset="a.png 1x, javascript:b 2x">', '<img srcset="a.png 1x, b 2x">'],
    [
      'a picture from elsewhere may be a background',
      '<p style="background:url(\'https://x.test/a.png\') red">',
      '<p style="background:url(\'https://x.test/a.png\') red">',
    ],
    [
      'a value that spells a letter otherwise goes',
      '<p style="width:\\65xpression(1);color:red">',
      '<p style="color:red">',
    ],
    [
      'a call nobody knows goes',
      '<p style="width:foo(1);height:calc(1px + (2px))">',
      '<p style="height:calc(1px + (2px))">',
    ],
    ['a bracket that ends before one begins goes', '<p style="width:1px) calc(;color:red">', '<p style="color:red">'],
    [
      'an element stays where it stands',
      '<p style="position:fixed;inset:0;z-index:9;color:red"><p style="POSITION: Absolute !important;top:0;left:0">',
      '<p style="color:red"><p>',
    ],
    [
      'it may be the place of what is inside',
      '<p style="position:relative"><p style="position: static">',
      '<p style="position:relative"><p style="position: static">',
    ],
    [
      'it is not moved by negative margins, also under a name of their own',
      '<p style="margin-top:-9em;margin:0 -1px;--x:-9em;margin-left:calc(1px - 9em);margin-right:calc(9em*-1)">',
      '<p>',
    ],
    [
      'margins that take no room from others stay',
      '<p style="margin:0 auto;margin-top:var(--wp--preset--spacing--40);--a-b:calc(1em + 2px)">',
      '<p style="margin:0 auto;margin-top:var(--wp--preset--spacing--40);--a-b:calc(1em + 2px)">',
    ],
    [
      'what is drawn around a block stays near it',
      '<p style="outline:9999px solid red;box-shadow:0 0 0 100vmax #fff;text-shadow:0 5em red;filter:drop-shadow(0 9e3px 0 red);' +
        'border-image:linear-gradient(red,red) 1 / 1px / 999px;box-shadow:0 0 0 calc(60px*60) red;--x:0 0 0 9999px red">',
      '<p>',
    ],
    [
      'and may be drawn there',
      '<p style="outline:2px solid #9999ff;box-shadow:0 0 1px rgb(0 0 0 / 50%),0 8px 24px -4px #1119;filter:blur(2px) hue-rotate(90deg);' +
        'box-shadow:var(--wp--preset--shadow--x2l);border-image:url(/a9b.png) 30 / 10px">',
      '<p style="outline:2px solid #9999ff;box-shadow:0 0 1px rgb(0 0 0 / 50%),0 8px 24px -4px #1119;filter:blur(2px) hue-rotate(90deg);' +
        'box-shadow:var(--wp--preset--shadow--x2l);border-image:url(/a9b.png) 30 / 10px">',
    ],
    [
      'text does not leave its block to the left',
      '<p style="text-indent:-99em;letter-spacing:-9px;word-spacing:-9px;letter-spacing:-.02em;text-indent:2em">',
      '<p style="letter-spacing:-.02em;text-indent:2em">',
    ],
    ['nothing is left of a style without a good part', '<p style="behavior:url(x)">', '<p>'],
    ['a comment cannot end early', '<!-- a -- b --!><img src=x onerror=y>-->', '<!-- a - b --><img src="x">--&gt;'],
    ['tags in a comment are text', '<!--[if IE]><script><![endif]-->', '<!--[if IE]&gt;&lt;script&gt;&lt;![endif]-->'],
    ['what browsers take for a comment goes', '<!doctype html><?x y?><![CDATA[z]]>', ''],
    [
      'a mark of a block stays as it is',
      '<!-- wp:acme/x {"a":"1 \\u0026 2","b":[1.0]} /-->',
      '<!-- wp:acme/x {"a":"1 \\u0026 2","b":[1.0]} /-->',
    ],
    [
      'what a mark says is filtered',
      '<!-- wp:x {"a":{"b":["<i onclick=\\"y\\">z</i>"]}} -->',
      '<!-- wp:x {"a":{"b":["\\u003ci\\u003ez\\u003c/i\\u003e"]}} -->',
    ],
    ['a mark that says nothing sound says nothing', '<!-- wp:x {"a":} -->', '<!-- wp:x -->'],
    ['a mark cannot end inside of what it says', '<!-- wp:x {"a":"--><script>"} -->', '<!-- wp:x {"a":"-->"} --&gt;'],
    [
      'documents of this site may be shown',
      '<object type="application/pdf" data="/up/a.pdf"></object>',
      '<object type="application/pdf" data="/up/a.pdf"></object>',
    ],
    ['documents of other sites may not', '<object type="application/pdf" data="//x.test/a.pdf">', '<object>'],
    ['nor may other documents of this site', '<object type="text/html" data="/a.html?.pdf">', '<object>'],
    ['handlers of every spelling go', '<b/onclick=x><b onClick ="x"><b\tONCLICK=x><b "onclick=x">', '<b><b><b><b>'],
  ];
  test('harmless HTML stays, and the rest goes', () =>
    checkRows(cases, ([, html, kept]) => {
      assert.equal(filterPost(html), kept);
      assert.equal(filterPost(kept), kept);
    }));

  test('documents below the uploads may be shown, and none that only look so', () => {
    const shown = (address: string) =>
      filterPost(`<object type="application/pdf" data="${address}">`, 'https://x.test/up');
    assert.match(shown('https://x.test/up/2026/a.pdf'), /data=/);
    for (const address of [
      'https://x.test/up.evil/a.pdf',
      'https://x.test/up/../a.pdf',
      '/\\evil.test/a.pdf',
      '/\t/e.test/a.pdf',
    ])
      assert.doesNotMatch(shown(address), /data=/);
  });
});

/** Tags as the strictest reader could find them: every sign that could begin one. */
const tag = /<(?!!--)[^>]*>/g;
const sound = /^<(?:\/[a-z][a-z\d]*|[a-z][a-z\d]*(?: [a-z][a-z\d_.:-]*(?:="[^"<>]*")?)*(?: \/)?)>$/;

describe('What was smuggled', () => {
  test('is gone after each filter', () =>
    checkRows(smuggled, (html) =>
      checkRows(Object.entries({ filterPost, filterTitle, filterComment }), ([, filter]) => {
        const kept = filter(html);
        const bare = kept.replace(/<!--[^<>]*-->/g, '');
        for (const one of bare.match(tag) ?? []) {
          assert.match(one, sound);
          assert.doesNotMatch(
            one.replace(/="[^"]*"/g, ''),
            /\son|script|srcdoc|^<\/?(?:svg|math|style|iframe|template|noscript|title|xmp|meta|base|link)/i,
          );
        }
        assert.doesNotMatch(bare.replace(tag, ''), /[<>]/);
        assert.equal(filter(kept), kept);
      }),
    ));
});

describe('In comments', () => {
  test('a few tags stay, and links vouch for nothing', () => {
    assert.equal(
      filterComment(
        '<a href="http://x.test" rel="follow" class="c">l</a> <p>p</p> <!-- c --> <strong id="i">s</strong>',
      ),
      '<a href="http://x.test" rel="nofollow ugc">l</a> p  <strong>s</strong>',
    );
  });

  test('links keep what else their relation says', () => {
    assert.equal(markLinks("<A rel='ugc author' href=x>l</A>"), '<a href="x" rel="ugc author nofollow">l</A>');
  });
});

describe('Text made to take long is done at once', () => {
  const million = 1_000_000;
  const shapes: Record<string, string> = {
    'a megabyte of one attribute': `<p title="${'a'.repeat(million)}">`,
    'a megabyte of schemes': `<a href="${'a:'.repeat(million / 2)}">`,
    'a megabyte of style': `<p style="${'a:url('.repeat(million / 6)}">`,
    'a megabyte of one word in a style': `<p style="color:${'a'.repeat(million)}">`,
    'a megabyte of words and brackets in a style': `<p style="color:${'a-('.repeat(million / 3)}">`,
    'a megabyte of digits in a shadow': `<p style="box-shadow:${'1'.repeat(million)}">`,
    'a megabyte of lengths in a shadow': `<p style="--x:${'1px '.repeat(million / 4)}">`,
    'a megabyte of addresses in a shadow': `<p style="--x:${'url('.repeat(million / 4)}">`,
    'a megabyte of brackets': `<p style="width:${'calc('.repeat(million / 5)}">`,
    'a hundred thousand attributes': `<p ${'a=1 '.repeat(100_000)}>`,
    'tags that open': '<b>'.repeat(million / 3),
    'tags that close': '</b>'.repeat(million / 4),
    'tags that open and others that close': '<b>'.repeat(100_000) + '</i>'.repeat(100_000),
    'tags that never end': '<a '.repeat(million / 3),
    'comments that never end': '<!--'.repeat(million / 4),
    'hyphens in a comment': `<!--${'- -'.repeat(million / 3)}`,
    'marks that say much': `<!-- wp:x {${'} '.repeat(million / 2)} -->`,
    'marks that say it deeply': `<!-- wp:x {"a":${'['.repeat(million)}} -->`,
    'white space in a mark': `<!-- wp:x ${' '.repeat(million)}!-->`,
    ampersands: '&'.repeat(million),
    entities: '&#x'.repeat(million / 3),
    quotes: '"\''.repeat(million / 2),
  };
  test('whatever its shape', () =>
    checkRows(Object.entries(shapes), ([, html]) => withinProcessorTime(2_000, () => filterComment(filterPost(html)))));
});
