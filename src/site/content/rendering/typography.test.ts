import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { worksOnLongText } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { smilies, typography } from './typography.ts';

const names = new Set(['gallery', 'caption']);
const set = (text: string): string => typography(text, names);

type Case = [about: string, text: string, html: string];
const eachCase = (write: (text: string) => string, cases: readonly Case[]): void => {
  test('in each of its forms', () => checkRows(cases, ([, text, html]) => assert.equal(write(text), html)));
};

describe('An apostrophe', () => {
  eachCase(set, [
    ['stands for what is left out', "'Tain't 'tain't, 'em", '&#8216;Tain&#8217;t &#8217;tain&#8217;t, &#8217;em'],
    ['begins a quotation of a longer word', "'emergency' 'tistle'", '&#8216;emergency&#8217; &#8216;tistle&#8217;'],
    ['shortens a year', "'99, the '80s", '&#8217;99, the &#8217;80s'],
    ['shortens no share and no price', "a'12% b'12.50 '12.50 c", 'a&#8217;12% b&#8217;12.50 &#8216;12.50 c'],
    ['stands on both sides of a short year', "'99' '99\" x'11'", '&#8217;99&#8217; &#8217;99&#8221; x&#8217;11&#8217;'],
    ['holds a number', "the '1,000' of 'em", 'the &#8216;1,000&#8217; of &#8217;em'],
    ['stands in a word', "d'Artagnan's 5'6", 'd&#8217;Artagnan&#8217;s 5&#8217;6'],
    ['that nothing explains stays', 'x=\'"y', "x='&#8221;y"],
  ]);
});

describe('A quotation', () => {
  eachCase(set, [
    [
      'may begin after a bracket or a space of any kind',
      '("a") &nbsp;"b"\u00a0"c"',
      '(&#8220;a&#8221;) &nbsp;&#8220;b&#8221;\u00a0&#8220;c&#8221;',
    ],
    [
      'may begin after what is written as an entity',
      `&lt;'a'&gt; &lt;"b"&gt;`,
      '&lt;&#8216;a&#8217;&gt; &lt;&#8220;b&#8221;&gt;',
    ],
    ['does not begin before a space', 'a " b', 'a &#8221; b'],
    ['may end after a measure', 'He said "it is 5".', 'He said &#8220;it is 5&#8221;.'],
    ['holds measures', '"a 5" and a 6" disc"', '&#8220;a 5&#8243; and a 6&#8243; disc&#8221;'],
    ['of measures alone ends with its sentence', '"by 5". Then 6" b', '&#8220;by 5&#8221;. Then 6&#8243; b'],
    ['of measures alone ends with the last', '"by 5", 6", 7" b', '&#8220;by 5&#8243;, 6&#8243;, 7&#8221; b'],
    ['that was ended leaves measures what they are', '"2" and 6" x', '&#8220;2&#8221; and 6&#8243; x'],
    ['ends where a tag stands', '"a<b>b</b>"', '&#8220;a<b>b</b>&#8220;'],
  ]);
});

describe('Signs', () => {
  eachCase(set, [
    [
      'a dash is as long as it is typed',
      '-- a - b--c---d xn--a -',
      '&#8212; a &#8211; b&#8211;c&#8212;d xn--a &#8211;',
    ],
    ['numbers of a word are multiplied', '1,5x2.5, 10x20. 00x1', '1,5&#215;2.5, 10&#215;20. 00&#215;1'],
    ['other words are not', '0x5 a1x2 1x2a 1x2x3 1x2é é1x2 x1 1x', '0x5 a1x2 1x2a 1x2x3 1x2é é1x2 x1 1x'],
    [
      'what is no entity is a sign',
      '& &#x; &#12 &#x1F; &#12; &frac14; &toolongname;',
      '&#038; &#038;#x; &#038;#12 &#x1F; &#12; &frac14; &#038;toolongname;',
    ],
    [
      'what nobody can type is not taken for what was found',
      "'\ufdd0 \ufdd2 \ufdd3 \ufdd4' [gallery]",
      '&#8216;\ufffd \ufffd \ufffd \ufffd&#8217; [gallery]',
    ],
  ]);
});

describe('What stays as it was typed', () => {
  eachCase(set, [
    [
      'tags and comments',
      `<a title='"a" > -- &' href=b--c><!-- "a" -- >`,
      `<a title='"a" > -- &' href=b--c><!-- "a" -- >`,
    ],
    [
      'text for machines',
      '<tt>"a"</tt><pre>"<code>"</code>"</pre><script>"a"</script>',
      '<tt>"a"</tt><pre>"<code>"</code>"</pre><script>"a"</script>',
    ],
    ['a tag that the text ends in', 'a... <b title="c"', 'a&#8230; <b title="c"'],
    [
      'tags of shortcodes, and not what they hold',
      `[caption a="b--c<i title=']'>"]"d"[/caption] [/galleries "e"]`,
      `[caption a="b--c<i title=']'>"]&#8220;d&#8221;[/caption] [/galleries &#8220;e&#8221;]`,
    ],
    ['shortcodes that are only spoken of', '[[gallery a="b"]] "c"', '[[gallery a="b"]] &#8220;c&#8221;'],
  ]);

  test('where there are no shortcodes, brackets are signs', () =>
    assert.equal(typography('[gallery a="b"]', new Set()), '[gallery a=&#8221;b&#8221;]'));

  test('"<" that begins no tag is a sign among others', () =>
    assert.equal(set('"a" < "b" & 5 > \'c\''), '&#8220;a&#8221; < &#8220;b&#8221; &#038; 5 > &#8216;c&#8217;'));
});

describe('A face', () => {
  eachCase(smilies, [
    ['stands alone', ':) :-) a :( b', '🙂 🙂 a 🙁 b'],
    [
      'stands at the ends of text and beside any space',
      '<p>:lol:</p>\n;)&nbsp;:?:\u00a0:!:',
      '<p>😆</p>\n😉&nbsp;❓\u00a0❗',
    ],
    ['is no part of a word', 'a:) (:) :): :X :nothing: 18)', 'a:) (:) :): :X :nothing: 18)'],
    ['is not seen by machines', '<code>:)</code> <a title=" :) ">:)</a>', '<code>:)</code> <a title=" :) ">🙂</a>'],
  ]);
});

describe('However nasty, a text takes as long as it is', () => {
  const nasty = `'|"|' | "|"1|1'|'11| 1" |'1.|-| - |--|---|1x|1x1|1.1.|&|&#1|&a|[|[gallery|[gallery <a> |[[gallery]|<|<b>|<pre>|</pre>|<!--|<a "|\`|:|:) |:a|&nbsp;|'tis`;
  test('whatever it repeats', () =>
    checkRows([...nasty.split('|'), '\ufdd0', '\ufdd2'], (piece) =>
      worksOnLongText(piece, (text) => smilies(set(text)), 150),
    ));
});
