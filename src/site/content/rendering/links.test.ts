import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { worksOnLongText } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { linked } from './links.ts';
import { typography } from './typography.ts';

const link = (url: string): string => `<a href="${url}" rel="nofollow ugc">${url}</a>`;
const mail = (address: string): string => `<a href="mailto:${address}">${address}</a>`;
const written = (text: string): string => linked(text, (rest) => typography(rest, new Set()));

describe('An address in a comment is a link', () => {
  const cases: [about: string, text: string, html: string][] = [
    [
      'of a page',
      'http://a.test https://b.test/c?d=e#f ftp://g.test',
      `${link('http://a.test')} ${link('https://b.test/c?d=e#f')} ${link('ftp://g.test')}`,
    ],
    ['of a page that nobody said how to ask for', 'at www.a.test/b', `at ${link('http://www.a.test/b')}`],
    [
      'and no dash or product is made of it',
      'http://a.test/b--c/1x2...d -- e',
      `${link('http://a.test/b--c/1x2...d')} &#8212; e`,
    ],
    [
      'in quotes',
      '"http://a.test" \'http://b.test\'',
      `&#8220;${link('http://a.test')}&#8221; &#8216;${link('http://b.test')}&#8217;`,
    ],
    [
      'without what ends the sentence',
      'http://a.test/b?! (see http://c.test/d_(e)), http://f.test/.',
      `${link('http://a.test/b')}?! (see ${link('http://c.test/d_(e)')}), ${link('http://f.test/')}.`,
    ],
    [
      'without what is written as an entity',
      '&lt;http://a.test&gt; http://b.test/?c&d&amp;e&amp;',
      `&lt;${link('http://a.test')}&gt; ${link('http://b.test/?c&#038;d&amp;e')}&amp;`,
    ],
    ['of a mail', 'a.b+c@d.e.test, <i>f@g.test</i>.', `${mail('a.b+c@d.e.test')}, <i>${mail('f@g.test')}</i>.`],
    [
      'but not where it is one, or nobody follows it',
      '<a href="http://a.test">www.b.test</a> <code>http://c.test</code> <i title="http://d.test">',
      '<a href="http://a.test">www.b.test</a> <code>http://c.test</code> <i title="http://d.test">',
    ],
    [
      'but not of what is no address',
      'http:// www.a javascript://b.test a@b @c.test xhttp://d.test mailto:e@f.test',
      'http:// www.a javascript://b.test a@b @c.test xhttp://d.test mailto:e@f.test',
    ],
    [
      'and breaks out of nothing',
      `http://a.test/'onclick=b"onclick=c<d`,
      `${link("http://a.test/'onclick=b")}&#8221;onclick=c<d`,
    ],
    ['and is not taken for one by what nobody can type', 'http://a.test \ufdd1', `${link('http://a.test')} \ufffd`],
  ];
  test('where it is safe and complete', () => checkRows(cases, ([, text, html]) => assert.equal(written(text), html)));

  const nasty =
    '@|a@|a@a.|a.|www.|www.a|,www.a|http://|http://a| http://a)|http://a;|http://a&amp;|http://a&#1|(http://a| a@a.aa|<a>|</a>|http://a.b/<i>';
  test('in long texts too', () => checkRows(nasty.split('|'), (piece) => worksOnLongText(piece, written, 150)));
});
