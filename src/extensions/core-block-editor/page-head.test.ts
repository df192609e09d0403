import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { type Details, detailsIn } from './url-details.ts';

const origin = 'https://example.org';

const cases: readonly (readonly [what: string, html: string, said: Partial<Details>])[] = [
  ['nothing', '', {}],
  [
    'a title, its entities read and its spaces one',
    '<title> Salt &amp;\n pepper&#8217;s </title>',
    { title: 'Salt & pepper’s' },
  ],
  [
    'a title without tags, also those that were disguised',
    '<title>a<b>b</b>&lt;img src=x&gt;c</title>',
    { title: 'abc' },
  ],
  ['only its first title', '<title>One</title><title>Two</title>', { title: 'One' }],
  ['a title in capital tags', '<TITLE>Loud</TITLE>', { title: 'Loud' }],
  [
    'an icon by its own address',
    '<link rel="icon" href="https://cdn.example/i.png">',
    { icon: 'https://cdn.example/i.png' },
  ],
  ['an icon by the old name', "<link rel='SHORTCUT icon' href='favicon.ico'>", { icon: `${origin}/favicon.ico` }],
  [
    'no icon that is for another purpose',
    '<link rel="mask-icon" href="/m.svg"><link rel="apple-touch-icon" href="/t.png">',
    {},
  ],
  ['no icon that is no address', '<link rel="icon" href="javascript:alert(1)">', {}],
  ['a description', '<meta name="Description" content="About &quot;us&quot;">', { description: 'About "us"' }],
  ['a description for networks', '<meta property="og:description" content="Us">', { description: 'Us' }],
  [
    'the first description that is one',
    '<meta name=description content=" "><meta property="og:description" content=b><meta name=description content=c>',
    { description: 'b' },
  ],
  ['a picture, from its origin', '<meta property="og:image" content="/a/b.jpg">', { image: `${origin}/a/b.jpg` }],
  [
    'a picture by its longer name',
    '<meta property="og:image:url" content="//cdn.example/b.jpg">',
    { image: 'https://cdn.example/b.jpg' },
  ],
  ['no width of a picture', '<meta property="og:image:width" content="600">', {}],
  ['nothing that stands in its body', '<head></head><body><title>x</title><meta name=description content=y>', {}],
  ['nothing that stands after its head', '</head><title>x</title>', {}],
  ['nothing that stands in a script', '<script>"<title>x</title>"</script>', {}],
  ['nothing that stands in a comment', '<!-- <title>x</title> -->', {}],
  ['a title that never ends, as far as it goes', '<title>half', { title: 'half' }],
];
test('title, icon, description and picture are read from the head of a page', () =>
  checkRows(cases, ([, html, said]) => {
    assert.deepEqual(detailsIn(html, origin), { title: '', icon: '', description: '', image: '', ...said });
  }));
