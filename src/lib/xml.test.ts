import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withinProcessorTime } from '#test/doubling.ts';
import { attributesIn, type XmlToken, XmlTokens } from './xml.ts';

/** What is told of a text that comes in pieces of so many letters; texts in a row are one. */
function told(text: string, size = text.length): string[] {
  const tokens = new XmlTokens();
  const all: XmlToken[] = [];
  for (let at = 0; at < text.length; at += size) all.push(...tokens.feed(text.slice(at, at + size)));
  all.push(...tokens.end());
  const said: string[] = [];
  for (const token of all) {
    const before = said.at(-1);
    if (token.kind === 'text' && before?.startsWith('"')) said[said.length - 1] = before + token.text;
    else said.push(token.kind === 'text' ? `"${token.text}` : shown(token));
  }
  return said;
}

const shown = (token: XmlToken): string => {
  if (token.kind === 'open') return `<${token.name}${token.isAlone ? '/' : ''}`;
  return token.kind === 'close' ? `>${token.name}` : `${token.kind} ${token.line}`;
};

const cases: readonly (readonly [text: string, told: readonly string[]])[] = [
  ['<a>x &amp; &#60;y&#x3e;</a>', ['<a', '"x & <y>', '>a']],
  ['<a><![CDATA[<b>&amp;]] ]]]]><![CDATA[>]]></a>', ['<a', '"<b>&amp;]] ]]>', '>a']],
  ['<?xml version="1.0"?><!-- <b> --><a/>', ['<a/']],
  ['<a b="x>y" c=\'/\'/><wp:d ></wp:d >', ['<a/', '<wp:d', '>wp:d']],
  ['a & b &unknown; &#0;', ['"a & b &unknown; \ufffd']],
  ['\n<!DOCTYPE a []>', ['"\n', 'doctype 2', '"DOCTYPE a []>']],
  ['<!doctype html>', ['doctype 1', '"doctype html>']],
  ['<a>\n<![CD', ['<a', '"\n', 'broken 2', '"[CD']],
  ['<a><!-', ['<a', 'broken 1', '"-']],
  ['<a><!DOCTYP', ['<a', 'broken 1', '"DOCTYP']],
  ['<a><!ENTITY b>', ['<a', 'broken 1', '"ENTITY b>']],
  ['a < b\n<1>\n<a', ['"a ', 'broken 1', '" b\n', 'broken 2', '"1>\n', 'broken 3', '"a']],
  ['<a>\n<![CDATA[never', ['<a', '"\nnev', 'broken 2']],
];

describe('XML as it arrives', () => {
  test('is told the same in whatever pieces it comes', () => {
    for (const [text, expected] of cases)
      for (const size of [text.length, 1, 2, 3, 7]) {
        const all = told(text, size);
        assert.deepEqual(all, size === text.length ? all : told(text), `${text} by ${size}`);
        if (!text.includes('never')) assert.deepEqual(all, expected, `${text} by ${size}`);
      }
  });

  test('has attributes as far as they can be read', () => {
    assert.deepEqual(attributesIn(' domain="a &amp; b" nicename=\'c\' broken'), { domain: 'a & b', nicename: 'c' });
  });

  test('costs what it is long, however nasty', () => {
    const nasty = ['<', '<a ', '<![CDATA[', '&', '&#', '<!--', ']]>', '<a b="'].map((piece) => piece.repeat(200_000));
    for (const text of nasty) withinProcessorTime(20_000, () => told(text, 2 ** 16));
  });
});
