import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { worksOnLongText } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { addressesIn, addressesShown, addressesWritten } from './addresses.ts';

const url = 'https://video.test/watch?a=1&b=2';
const typed = 'https://video.test/watch?a=1&amp;b=2';
const found = new Map([[url, '<iframe src="https://video.test/1" width="4" height="3"></iframe>']]);
const frame = '<iframe loading="lazy" src="https://video.test/1" width="4" height="3"></iframe>';

/** All steps that concern addresses. */
const shown = (content: string): string => addressesWritten(addressesShown(content, found), found);

describe('Of an address something else is shown', () => {
  const cases: [about: string, content: string, html: string][] = [
    ['alone in its text', url, frame],
    ['alone in its line', `a\r\n ${url} \r\nb`, `a\r\n${frame}\nb`],
    ['as HTML spells it', `a\n${typed}\nb`, `a\n${frame}\nb`],
    ['alone in its paragraph', `a<p class="x">${typed}</p>b`, `a${frame}b`],
    ['alone in its paragraph, over some lines', `<p>\n${url}\n</p>`, frame],
    ['between tags, alone in its line', `<div>\n${url}\n</div>`, `<div>\n${frame}\n</div>`],
    ['that is to be embedded', `a [embed width="3"] ${typed}[/embed] b`, `a ${frame} b`],
    ['that is to be embedded, alone in its paragraph', `<p>[embed]\n${url}\n[/embed]</p>`, frame],
    ['as often as it stands there', `${url}\n\n${url}`, `${frame}\n\n${frame}`],
  ];
  test('in each place where it stands alone', () =>
    checkRows(cases, ([, content, html]) => assert.equal(shown(content), html)));
});

describe('An address stays', () => {
  const cases = [
    `see ${url}`,
    `${url} and more`,
    `<b>x</b>${url}\n`,
    `<p>a ${url}</p>`,
    `<p>${url}<br></p>`,
    `<li>${url}</li>`,
    `<pre>\n${url}\n</pre>`,
    `<code>\n${url}\n</code>`,
    `<textarea>\n${url}\n</textarea>`,
    `<a href="x">\n${url}\n</a>`,
    `<script>\n${url}\n</script>`,
    `<!--\n${url}\n-->`,
    `<i title="\n${url}\n">x</i>`,
    `<i title="\n${url}\n`,
    `<i title="[embed]${url}[/embed]">x</i>`,
    `[[embed]${url}[/embed]]`,
    `[embed]${url} x[/embed]`,
    `\n${url}<`,
    'https://other.test/',
    'https:///',
    `https://video.test/${'x'.repeat(3_000)}`,
    '<figure data-shown-here="7"></figure>',
  ];
  test('where it does not stand alone', () => checkRows(cases, (content) => assert.equal(shown(content), content)));
});

describe('A sound or a film', () => {
  const cases: [content: string, shown: string][] = [
    ['http://a.test/v.mp4?x=1', '[video src="http://a.test/v.mp4?x=1"]'],
    ['<p>http://a.test/s.MP3</p>', '[audio src="http://a.test/s.MP3"]'],
    ['[embed]http://a.test/s.ogg[/embed]', '[audio src="http://a.test/s.ogg"]'],
    ['http://a.test/s.mp3?x=]', 'http://a.test/s.mp3?x=]'],
    ['http://a.test/?x=s.mp3', 'http://a.test/?x=s.mp3'],
    ['http://a.test/&quot;onplay=x&quot;.mp3', 'http://a.test/&quot;onplay=x&quot;.mp3'],
  ];
  test('becomes a shortcode', () => checkRows(cases, ([content, expected]) => assert.equal(shown(content), expected)));

  test('is looked up nowhere', () => assert.deepEqual(addressesIn(`http://a.test/v.mp4\n${typed}`), [url]));
});

test('What is shown over and over becomes a link once it is very much', () => {
  const large = new Map([[url, 'x'.repeat(400_000)]]);
  const html = addressesWritten(addressesShown(`${url}\n\n${url}\n\n${url}\n\n${url}`, large), large);
  assert.equal(html.match(/x{400000}/g)?.length, 2);
  assert.equal(html.match(/<a href="https:\/\/video.test\/watch\?a=1&amp;b=2">/g)?.length, 2);
});

describe('Texts made to take long are looked through at once', () => {
  const pieces = [
    `${url}\n`,
    'https://',
    '\nhttps://a ',
    '[embed]',
    '[embed ',
    '[embed]https://a',
    '\n',
    ' ',
    '<p>https://a',
  ];
  const within = [
    '<p>',
    '<pre>',
    `<p>${url}</p>`,
    '>   ',
    '\n  ',
    `[embed]${url}[/embed]`,
    '<figure data-shown-here="0"></figure>',
  ];
  test('whatever they repeat', () =>
    checkRows([...pieces, ...within], (piece) => worksOnLongText(piece, (text) => shown(`\nhttps://a\n${text}`), 400)));
});
