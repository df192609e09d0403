import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { type Html, html } from './html.ts';

const cases: readonly (readonly [what: string, made: Html, wanted: string])[] = [
  ['escapes text', html`<p>${'<script>&"\''}</p>`, '<p>&lt;script&gt;&amp;&quot;&#039;</p>'],
  ['keeps values inside their quotes', html`<a href="${'" onclick="x'}">`, '<a href="&quot; onclick=&quot;x">'],
  ['takes its own work as it is', html`<p>${html`<b>${'&'}</b>`}</p>`, '<p><b>&amp;</b></p>'],
  ['joins lists', html`<ul>${['<', 'b'].map((one) => html`<li>${one}</li>`)}</ul>`, '<ul><li>&lt;</li><li>b</li></ul>'],
  ['leaves out what is not there', html`<p>${undefined}${false}${''}${0}</p>`, '<p>0</p>'],
  ['reads no backslashes', html`${'\\u003c'}`, '\\u003c'],
];

describe('A piece of HTML', () => {
  test('escapes what is put into it', () => checkRows(cases, ([, made, wanted]) => assert.equal(String(made), wanted)));

  test('cannot be claimed by an object that only looks like one', () => {
    const claim = { toString: () => '<script>' } as unknown as Html;
    assert.equal(String(html`${claim}`).includes('<script>'), false);
  });
});
