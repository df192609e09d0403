// What is left of an SVG drawing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanSvg } from './clean-svg.ts';

const svg = (inside: string, root = ''): string => `<svg xmlns="http://www.w3.org/2000/svg"${root}>${inside}</svg>`;
const path = '<path d="M0 0h9"></path>';

/** What is added to the drawing, and what is left of it. */
const vectors: readonly (readonly [sent: string, left: string])[] = [
  ['<script>alert(1)</script>', ''],
  ['<script href="data:text/javascript,alert(1)"/>', ''],
  ['<g onload="alert(1)" ONLOAD="x" fill="red"/>', '<g fill="red"></g>'],
  ['<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe/></body></foreignObject>', ''],
  ['<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>', ''],
  ['<a href="javascript:alert(1)"><circle r="3"/></a>', '<circle r="3"></circle>'],
  ['<use href="https://evil.test/x.svg#a"/>', '<use></use>'],
  ['<use xlink:href="#a"/>', '<use xlink:href="#a"></use>'],
  ['<image href="data:image/svg+xml;base64,PHN2Zz4="/>', '<image></image>'],
  ['<image href="data:image/png;base64,AAAA"/>', '<image href="data:image/png;base64,AAAA"></image>'],
  ['<animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onload" to="x"/>', ''],
  ['<style>@import "https://evil.test/x.css"; .a{}</style>', '<style></style>'],
  ['<style>.a{background:url(https://evil.test)}</style>', '<style></style>'],
  ['<style>.a{background:u\\72l(https://evil.test)}</style>', '<style></style>'],
  ['<style><![CDATA[.a > b{fill:url(#g)}]]></style>', '<style>.a &gt; b{fill:url(#g)}</style>'],
  ['<style>.a{}</style></svg><script>alert(1)</script><svg>', ''],
  ['<rect fill="url(https://evil.test/#a)" style="fill:url(#a)"/>', '<rect style="fill:url(#a)"></rect>'],
  ['<text>a &lt;script&gt; <![CDATA[<script>]]> &x;</text>', '<text>a &lt;script&gt; &lt;script&gt; &amp;x;</text>'],
  ['<!-- <script> --><?php echo 1 ?><metadata><x/></metadata>', ''],
  ['<g constructor="1" __proto__="2" id="a&quot; onload=&quot;x"/>', '<g id="a&quot; onload=&quot;x"></g>'],
];

/** Files of which nothing is kept. */
const refused: Readonly<Record<string, string>> = {
  'no drawing': '<html><svg><path d=""/></svg></html>',
  'nothing to see': svg('<script>alert(1)</script><g/>'),
  'cut off': svg(path).slice(0, -7),
  'cut off in a tag': '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0',
  'two roots': svg(path) + svg(path),
  'very deep': svg('<g>'.repeat(300) + path + '</g>'.repeat(300)),
  'full of attributes': `<svg ${Array.from({ length: 201 }, (_, at) => `a${at}="1"`).join(' ')}>${path}</svg>`,
  text: 'Hello',
};

describe('An SVG drawing', () => {
  test('loses what runs or loads something, and keeps what is drawn', async () => {
    const head = svg('', ' xmlns:xlink="http://www.w3.org/1999/xlink"').slice(0, -6);
    // Long enough to be read in several pieces.
    const long = path.repeat(2_000);
    const wrong: unknown[] = [];
    for (const [sent, left] of vectors) {
      const got = (await cleanSvg(svg(long + sent)))?.text;
      const wanted = /<\/svg>/.test(sent) ? undefined : `${head}${long}${left}</svg>`;
      if (got !== wanted) wrong.push([sent, got?.replaceAll(path, '')]);
    }
    assert.deepEqual(wrong, []);
  });

  test('is refused when it is none, damaged, or empty', async () => {
    const taken: string[] = [];
    for (const [name, source] of Object.entries(refused)) if (await cleanSvg(source)) taken.push(name);
    assert.deepEqual(taken, []);
  });

  test('loses its document type and entities, and says how large it is', async () => {
    const source = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e "<script/>">]>\n${svg(path, ' viewBox="0 0 24.4 12"')}\n<!-- end -->`;
    const clean = await cleanSvg(source);
    assert.deepEqual(clean?.dimensions, { width: 24, height: 12 });
    assert.match(clean.text, /^<svg /);
  });
});
