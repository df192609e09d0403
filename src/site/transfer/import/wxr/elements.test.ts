import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cdata, mailTimeOf } from './names.ts';

test('A text stands in sections that nothing in it ends', () => {
  assert.equal(cdata('a ]]> b'), '<![CDATA[a ]]]]><![CDATA[> b]]>');
  assert.equal(cdata(']]>]]>'), '<![CDATA[]]]]><![CDATA[>]]]]><![CDATA[>]]>');
  assert.equal(cdata(']]\u0001>'), '<![CDATA[]]]]><![CDATA[>]]>', 'nor what is left of it');
  assert.equal(cdata('<b>&amp;'), '<![CDATA[<b>&amp;]]>');
  assert.equal(cdata(''), '<![CDATA[]]>');
});

test('A text keeps its line ends, and loses what XML cannot hold', () => {
  assert.equal(cdata('a\r\nb\tc\n'), '<![CDATA[a]]>&#13;<![CDATA[\nb\tc\n]]>');
  assert.equal(cdata('\0\u0008\u000b\u001f\uffff🎸\u2028\u0085'), '<![CDATA[🎸\u2028\u0085]]>');
  assert.equal(cdata('\ud83c'), '<![CDATA[\ufffd]]>');
});

test('A time is said as feeds say it', () => {
  assert.equal(mailTimeOf('2026-11-20T12:00:00'), 'Fri, 20 Nov 2026 12:00:00 +0000');
});
