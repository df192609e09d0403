// Patterns and values that somebody chose for how long they take.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asked } from '#test/firewall-engine.ts';
import { checkRows } from '#test/rows.ts';
import { most, randomText, took } from '#test/work-taken.ts';
import type { Asked } from './asked.ts';
import { compileRules } from './engine.ts';
import { compilePattern } from './patterns.ts';
import type { Condition } from './rule.ts';
import { subjectOf } from './subject.ts';
import { createView } from './view.ts';

describe('no pattern takes long', () => {
  const patterns = [
    '/[ab]*a[ab]{13}[cd]/',
    '/a[ab]{30}[cd]/',
    '/a[ab]{200}[cd]/',
    '/a[ab]{900}[cd]/',
    '/(?:[ax]?){900}[cd]/',
    '/a[^c]{0,200}[cd]{2}/i',
    '/(?:[ab]{1,30}[bc]{1,30}){10}[d-f]/',
    '/(?:a|ab|b|ba){150}[cd]/',
    '/\\b(?:\\w{1,40}\\s*){12}[;#]/i',
    '/(?:\\pL|\\pN){400}[;#]/i',
    '/(.*)(.*)(.*)(.*)(.*)(.*)[^\\x00-\\x7f]$/s',
  ];
  const texts = [
    randomText(65_536, 'ab'),
    randomText(65_536, 'ab =;xé\n'),
    'a'.repeat(200_000),
    randomText(200_000, 'ab'),
  ];
  it('whatever the text', () =>
    checkRows(patterns, (written) => {
      const { pattern } = compilePattern(written);
      assert.ok(pattern);
      for (const text of texts) {
        const subject = subjectOf(text);
        const time = took(() => pattern.find(subject));
        assert.ok(time <= most, `${time} ms for ${text.length} of ${text.slice(0, 10)}`);
      }
    }));
});

describe('nobody waits long for', () => {
  const one = (condition: Condition, sent: Partial<Asked>): number => {
    const engine = compileRules([{ id: '1', type: 'BLOCK', rules: [condition] }], {
      now: () => 0,
      worked: () => 0,
      report: assert.fail,
    });
    return took(() => engine.run('early', createView(asked(sent)), { trusted: false }));
  };
  const words = (value: string): Condition => ({ parameter: 'post.a', match: { type: 'contains', value } });
  const changed = (...mutations: string[]): Condition => ({
    parameter: 'post.a',
    mutations,
    match: { type: 'regex', value: '/[ab]*a[ab]{13}[cd]/' },
  });
  const full = 256 * 1024;
  const cases: [about: string, condition: Condition, sent: Partial<Asked>][] = [
    ['a long word in a long text', words(`${'a'.repeat(30_000)}b`), { form: { a: 'a'.repeat(1_000_000) } }],
    ['a long word that begins otherwise', words(`b${'a'.repeat(30_000)}`), { form: { a: 'a'.repeat(1_000_000) } }],
    ['a word of two letters', words('ab'), { form: { a: 'a'.repeat(4_000_000) } }],
    [
      'a file of five megabytes',
      { parameter: 'files', match: { type: 'file_contains', match: { type: 'contains', value: '<?php' } } },
      { files: [{ field: 'f', name: '', type: '', size: 0, contents: Buffer.from('<?ph '.repeat(1024 * 1024)) }] },
    ],
    [
      'a pattern in a file of five megabytes',
      { parameter: 'files', match: { type: 'file_contains', match: { type: 'regex', value: '/a[ab]{200}[cd]/' } } },
      {
        files: [{ field: 'f', name: '', type: '', size: 0, contents: Buffer.from(randomText(5 * 1024 * 1024, 'ab')) }],
      },
    ],
    [
      'blanks where a number may be',
      { parameter: 'post.a', match: { type: 'equals', value: '1' } },
      { form: { a: `${' '.repeat(500_000)}x` } },
    ],
    [
      'signs of all kinds',
      { parameter: 'post.a', match: { type: 'ctype_special', value: true } },
      { form: { a: '-é'.repeat(250_000) } },
    ],
    [
      'a long number that is held against a long list',
      { parameter: 'raw.a', match: { type: 'in_array', value: Array(500).fill('x') } },
      { rawBody: JSON.stringify({ a: '0'.repeat(4_000_000) }) },
    ],
    [
      'blanks in a file of five megabytes',
      { parameter: 'files', match: { type: 'file_contains', match: { type: 'regex', value: '/a[bc]+d/' } } },
      { files: [{ field: 'f', name: '', type: '', size: 0, contents: Buffer.alloc(5 * 2 ** 20, '+') }] },
    ],
    [
      'an address of many @',
      { parameter: 'post.a', match: { type: 'hostname' } },
      { form: { a: `https://${'@'.repeat(250_000)}` } },
    ],
    [
      'half a tag, many times',
      { parameter: 'post.a', match: { type: 'general_xss' } },
      { form: { a: '<a '.repeat(60_000) } },
    ],
    [
      'tags with many attributes',
      { parameter: 'post.a', match: { type: 'general_xss' } },
      { form: { a: `<a ${'href=javascript: '.repeat(3_800)}>` } },
    ],
    ['brackets without an end', changed('getShortcodeAtts', 'getArrayValues'), { form: { a: '[a '.repeat(full / 3) } }],
    [
      'shortcodes of many attributes',
      changed('getShortcodeAtts', 'getArrayValues'),
      { form: { a: `[a ${'b="c" '.repeat(full / 7)}]` } },
    ],
    [
      'shortcodes with open quotes',
      changed('getShortcodeAtts', 'getArrayValues'),
      { form: { a: `[a ${'b=" '.repeat(full / 4 - 2)}]` } },
    ],
    [
      'the same shortcode again and again',
      changed('getShortcodeAtts', 'getArrayValues'),
      { form: { a: '[a b=c]'.repeat(full / 7) } },
    ],
    [
      'blocks without an end',
      changed('getBlockAtts', 'json_encode'),
      { form: { a: '<!-- wp:a {} '.repeat(full / 13) } },
    ],
    [
      'the same block again and again',
      changed('getBlockAtts', 'json_encode'),
      { form: { a: '<!-- wp:a {"b":[1],"c":"d"} /-->'.repeat(full / 32) } },
    ],
    [
      'a block of many members, and then again and again',
      changed('getBlockAtts', 'json_encode'),
      {
        form: {
          a: `<!-- wp:a {${Array.from({ length: 10_000 }, (_, at) => `"${at}":1`).join()}} -->${'<!-- wp:a {"b":{}} -->'.repeat(5_000)}`,
        },
      },
    ],
    [
      'lists in lists in lists',
      {
        parameter: 'raw',
        mutations: ['json_encode', 'json_decode', 'getArrayValues'],
        match: { type: 'regex', value: '/x/' },
      },
      { rawBody: `${'['.repeat(120_000)}1${']'.repeat(120_000)}` },
    ],
    [
      'many values of one name',
      { parameter: 'raw.*', match: { type: 'regex', value: '/a+b/' } },
      { rawBody: JSON.stringify({ a: Array(5_000).fill('aaa') }) },
    ],
  ];
  it('values chosen to be slow', () =>
    checkRows(cases, ([, condition, sent]) => {
      const time = one(condition, sent);
      assert.ok(time <= most, `${time} ms`);
    }));
});
