import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aBrowser } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { smuggled } from '#test/smuggled.ts';
import { describeAsync } from '#test/suites.ts';
import { framed } from '../../src/extensions/embeds/markup.ts';
import { filterComment, filterPost } from '../../src/site/content/filter/filter.ts';
import { ofComments, ofPosts } from '../../src/site/content/filter/lists.ts';

/** What such markup is made of. */
const pieces = [
  ...[
    '<svg>',
    '</svg>',
    '<math>',
    '<mtext>',
    '<mglyph>',
    '<style>',
    '</style>',
    '<script>',
    '</script>',
    '<title>',
    '</title>',
  ],
  ...[
    '<textarea>',
    '<noscript>',
    '</noscript>',
    '<template>',
    '<select>',
    '<table>',
    '<form>',
    '<p>',
    '</p>',
    '<b>',
    '<!--',
    '-->',
  ],
  ...[
    '--!>',
    '<![CDATA[',
    ']]>',
    '<img src=x onerror=ran()>',
    '<a href="',
    'javascript:ran()',
    '" title="',
    "'",
    '"',
    '`',
    '>',
    '<',
    '/',
  ],
  ...[
    '&lt;',
    '&quot;',
    '&#x3c;',
    '<!-- wp:x {"a":"',
    '"} -->',
    ' style="',
    'background:url(',
    ')',
    ';',
    '<object data="',
    '\0',
    '\n',
    'x',
  ],
  ...[
    '<blockquote>',
    '</blockquote>',
    '<iframe src="https://x.test/" ',
    'srcdoc="<script>ran()</script>"',
    ' onload=ran() ',
  ],
];

const mixed = fc.sample(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 20 }).map((some) => some.join('')),
  { seed: 20261122, numRuns: 2_000 },
);

/** Runs in the browser: every element that is not on the list, every attribute and address that could do something. */
const findings = `(texts, allowed) => {
  const known = new Set(allowed);
  const odd = (text, root) => [...root.querySelectorAll('*')].flatMap((one) => [
    ...(known.has(one.localName) && one.namespaceURI === 'http://www.w3.org/1999/xhtml' ? [] : ['<' + one.localName + '>']),
    ...[...one.attributes]
      .filter(({ name, value }) => /^on|^srcdoc$|^formaction$/.test(name) || (/^(href|src|data|poster|cite)$/.test(name) && /^\\s*(javascript|data|vbscript):/i.test(value)))
      .map(({ name }) => name),
  ]).map((what) => what + ' in ' + text);
  return texts.flatMap((text) => {
    const once = new DOMParser().parseFromString(text, 'text/html').body;
    const again = new DOMParser().parseFromString(once.innerHTML, 'text/html').body;
    const shown = document.createElement('div');
    shown.innerHTML = text;
    document.body.replaceChildren(shown);
    return [...odd(text, once), ...odd(text, again), ...odd(text, shown)];
  });
}`;

describeAsync('What the filters leave, in a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());
  const page = await browser.newPage();
  await page.route('**', (route) => route.abort());
  await page.setContent('<script>var hasRun = false; function ran() { hasRun = true; }</script>');

  const found = async (texts: readonly string[], allowed: Iterable<string>): Promise<unknown> => {
    const odd = await page.evaluate(`(${findings})(${JSON.stringify(texts)}, ${JSON.stringify([...allowed])})`);
    assert.equal(await page.evaluate('hasRun'), false);
    return odd;
  };
  const hostile = [...smuggled, ...mixed];

  test('of content, is what was on the list', async () =>
    assert.deepEqual(
      await found(
        hostile.map((one) => filterPost(one)),
        ofPosts.elements.keys(),
      ),
      [],
    ));

  test('of comments, is what was on the list', async () =>
    assert.deepEqual(await found(hostile.map(filterComment), ofComments.elements.keys()), []));

  test('of pages that nobody knows, is a quotation and a frame that can do nothing', async () => {
    const left = hostile
      .map((one) => framed(one, { maxwidth: 600 }, () => 'abcdefghij'))
      .filter((one) => one !== undefined);
    assert.ok(left.length > 100);
    assert.deepEqual(await found(left, ['a', 'blockquote', 'iframe']), []);
    for (const one of left) assert.match(one, /<iframe sandbox="allow-scripts" security="restricted" src="https?:/);
  });
});
