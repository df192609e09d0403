import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { checkRows } from '#test/rows.ts';
import { eachToken, meaning, spelled, type Token, textOf } from './html-tokens.ts';

/** Each token as it stands in the text, with its kind before it. */
function told(html: string): string[] {
  const all: string[] = [];
  eachToken(html, (token: Token) => all.push(`${token.kind} ${html.slice(token.start, token.end)}`));
  return all;
}

const cases: [about: string, html: string, tokens: string[]][] = [
  [
    'tags, comments and text',
    'a<b x=1>c</b ><!-- d -->',
    ['text a', 'open <b x=1>', 'text c', 'close </b >', 'comment <!-- d -->'],
  ],
  ['a script is text', '<script>a<b></script>', ['open <script>', 'text a<b>', 'close </script>']],
  ['a title is text', '<title><b></title>', ['open <title>', 'text <b>', 'close </title>']],
  ['a comment that never ends', '<!-- a <b>', ['comment <!-- a <b>']],
  ['comments that end at once', '<!--><b><!---><i>', ['comment <!-->', 'open <b>', 'comment <!--->', 'open <i>']],
  ['what browsers pass over', '<!doctype html><?a?><![CDATA[b]]>', []],
  ['a tag that never ends', 'a <b c="d"', ['text a ', 'text <b c="d"']],
  ['a sign that begins nothing', 'a < b', ['text a < b']],
];

test('HTML is split into tokens', () => checkRows(cases, ([, html, tokens]) => assert.deepEqual(told(html), tokens)));

const pieces =
  '<|>|/|=|"|\'| |\n|\t|\f|\u00a0|a|B-|1|<p|</p|<br|<img src="|alt=\'|class=x|=y|<a:b|</a |<!--|-->|--|-|!|--!>|<!|<?|</|[x]|&lt;|' +
  '<script>|</script>|<script|<style>|</style>|<title>|</title>|<TEXTAREA>|</textarea>|<xmp>|</xmp >|<iframe>|</iframe>|' +
  '<plaintext>|<p class="a" title=\'b\' id=c hidden>|<br/>|<br />|</P >|<!-- wp:x {"a":1} -->|<svg>|<![CDATA[|]]>|\0|é';
const typed = fc.array(fc.constantFrom(...pieces.split('|')), { maxLength: 25 }).map((some) => some.join(''));

/** Where one text ends and the next begins says nothing. */
function whole(html: string): Token[] {
  const all: Token[] = [];
  eachToken(html, (token) => {
    const last = all.at(-1);
    if (token.kind === 'text' && last?.kind === 'text' && last.end === token.start)
      all[all.length - 1] = { ...last, end: token.end };
    else all.push({ ...token });
  });
  return all;
}

test('What is read in one look is read as it is sign by sign', () => {
  // What nobody writes is passed over, and from there on every sign is looked at.
  const slowly = (html: string) =>
    whole(`<?>${html}`).map((token) => ({ ...token, start: token.start - 3, end: token.end - 3 }));
  fc.assert(
    fc.property(typed, (html) => assert.deepEqual(whole(html), slowly(html))),
    { numRuns: 20_000 },
  );
});

test('of attributes of one name the first counts, and a name alone has no value', () => {
  eachToken('<A b="1&amp;" B=2 c d=\'"\' />', (token) =>
    assert.deepEqual(token, {
      kind: 'open',
      name: 'a',
      attributes: [
        { name: 'b', written: '1&amp;' },
        { name: 'c', written: null },
        { name: 'd', written: '"' },
      ],
      closed: true,
      start: 0,
      end: 28,
    }),
  );
});

test('attributes are read as browsers read them', () => {
  assert.equal(meaning('&#106ava&colon;&amp;copy=1&copy=2&notit;'), 'java:&copy=1&copy=2&notit;');
  assert.equal(meaning(null), '');
});

test('text is read and spelled', () => {
  assert.equal(textOf('&lt;a&gt; &copy &amp;amp;'), '<a> &copy &amp;');
  assert.equal(spelled('<a> & &amp; &copy &#65; &#x110000;'), '&lt;a&gt; &amp; &amp; &amp;copy &#65; &amp;#x110000;');
});
