import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { checkRows } from '#test/rows.ts';
import { needlesOf } from './needles.ts';
import { compileLinear, compilePattern, translated } from './patterns.ts';
import { subjectOf } from './subject.ts';

const finds = (written: string, text: string): unknown => compilePattern(written).pattern?.find(subjectOf(text));

describe('a pattern', () => {
  const cases: [written: string, yes: string[], no: string[]][] = [
    ['/abc/', ['xabcx'], ['ABC', 'ab']],
    ['/abc/i', ['xABCx'], ['ab']],
    ['#a/b#', ['a/b'], ['ab']],
    ['{a{2}b}', ['aab'], ['ab']],
    ['(a(b|c)d)i', ['ABD'], ['ad']],
    ['<a<b>', [], []],
    ['[[a-c]]', ['b'], ['d']],
    ['~a\\~b~', ['a~b'], ['ab']],
    ['/a.c/', ['abc'], ['a\nc']],
    ['/a.c/s', ['a\nc'], ['ac']],
    ['/^b$/', ['b', 'b\n'], ['a\nb', 'b\n\n', 'b\nc']],
    ['/^b$/D', ['b'], ['b\n']],
    ['/^b$/m', ['a\nb\nc'], ['ab']],
    ['/^b$/mD', ['a\nb\nc'], ['ab']],
    ['/b\\Z/', ['b\n', 'b'], ['bc']],
    ['/b/A', ['ba'], ['ab']],
    ['/a|b/A', ['b'], ['xb']],
    ['/a b # and c\n c [ #]/x', ['abc#', 'abc '], ['a b c']],
    ['/a\\ b[ ]c/x', ['a b c'], ['abc']],
    ['/a+?/U', ['a'], ['b']],
    ['/a/SXJu', ['a'], ['b']],
    ['/a\\sb/', ['a\x0bb', 'a b', 'a\nb'], ['ab']],
    ['/a[\\s,]b/', ['a\x0bb', 'a,b'], ['ab']],
    ['/a\\Sb/', ['axb'], ['a\x0bb']],
    ['/a\\hb\\R/', ['a\tb\r\n'], ['a\nb']],
    ['/[]a]$/', [']', 'a'], ['b']],
    ['/[^]a]/', ['b'], [']']],
    ['/[[:digit:]$]x/', ['5x', '$x'], ['ax']],
    ['/\\Q$a\\E$/', ['$a'], ['a']],
    ['/a(?#$ remark)b/', ['ab'], ['a']],
    ['/(?P<n>a)(?<m>b)/', ['ab'], ['a']],
    ["/(?'n'a|x)b/", ['ab', 'xb'], ['a', "'n'"]],
    ["/(?P<n>a)(?<n>b)(?'n'c)/J", ['abc'], ['ab']],
    ["/[(?'n')]{6}/", ["(?'n')"], ['n']],
    ["/\\(?'n'/", ["('n'", "'n'"], ['n']],
    ['/(?m)^b$/', ['a\nb\nc'], ['ab']],
    ['/K/i', ['k', '\u212a'], ['x']],
    ['/s/i', ['S', '\u017f'], ['x']],
    ['/É/i', ['é'], ['e']],
  ];
  it('is found in a text or not, as the table says', () =>
    checkRows(cases, ([written, yes, no]) => {
      const found = (texts: readonly string[]) => texts.map((text) => finds(written, text));
      assert.deepEqual([found(yes), found(no)], [yes.map(() => true), no.map(() => false)]);
    }));

  const broken: unknown[] = [
    '',
    'abc',
    '/abc',
    'aba',
    '\\a\\',
    ' /a/',
    '/a/z',
    '/a/g',
    '/a/i\n',
    '/(/',
    '/[/',
    '/a**/',
    '/(?=a)/',
    '/(?<!a)b/',
    '/(?<n>a)\\k<n>/',
    '/(?P<n>a)(?P=n)/',
    "/(?'1'a)/",
    '/(?<n-m>a)/',
    '/(a)\\1/',
    '/a++/',
    '/(?>a)/',
    '/a{1001}/',
    '/\\K/',
    `/${'a'.repeat(9_000)}/`,
    '/((a{30}){30}){30}/',
    '/(?:[ab]{500}c){5}/',
    `/${'('.repeat(5_000)}/`,
    5,
    null,
    undefined,
    ['/a/'],
  ];
  it('is refused with a reason when it is not valid', () =>
    checkRows(broken, (written) => {
      const { pattern, fault } = compilePattern(written);
      assert.equal(pattern, undefined);
      assert.match(fault ?? '', /^[A-Z].+\.$/);
    }));
});

describe('the words that a pattern needs', () => {
  const cases: [source: string, wanted: readonly string[] | undefined][] = [
    ['ABC', ['abc']],
    ['(?:union|select)\\s+from', ['union', 'select']],
    ['<(script|iframe)[^>]*>', ['script', 'iframe']],
    ['a*b+c{2}d?', ['b']],
    ['x|', undefined],
    ['a?', undefined],
    ['a{0}', undefined],
    ['a{2}{0}b', ['b']],
    ['(?:abc)?', undefined],
    ['(?i)onload\\s*=', ['onload']],
    ['\\.\\./', ['../']],
    ['(a|b(c|defg))h', ['h']],
    ['\\x3cscript\\b', ['script']],
    ['[script]', undefined],
    ['[\\]script]x', ['x']],
    ['[[:alpha:]script]x', ['x']],
    ['\\pLab', ['ab']],
    ['abc\\Q|\\E', undefined],
    ['été', ['t']],
    [Array.from({ length: 30 }, (_, at) => `w${at}`).join('|'), undefined],
  ];
  it('are those that every match contains', () =>
    checkRows(cases, ([source, wanted]) => assert.deepEqual(needlesOf(source), wanted)));

  it('never keep it from what it would find', () => {
    const atom = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'k',
        'S',
        'É',
        '\\.',
        '.',
        '\\d',
        '\\x61',
        '[a-c]',
        '[^b]',
        '^',
        '$',
        '\\b',
        '(?i)',
        '\\Qa|b\\E',
        '\\s',
      ),
      fc.constantFrom('ab', 'ks'),
    );
    const tree = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(tie('node'), tie('node')).map(([one, other]) => one + other),
        fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(?:${one}|${other})`),
        fc
          .tuple(tie('node'), fc.constantFrom('?', '*', '+', '{0}', '{2}', '{0,2}', '{1,}', '+?'))
          .map(([one, repeat]) => `(${one})${repeat}`),
      ),
    })).node;
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'A', 'k', 'K', '\u212a', 's', '\u017f', 'É', 'é', '.', '1', ' ', '\n'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(tree, fc.constantFrom('', 'i'), text, (source, flags, said) => {
        const { pattern } = compilePattern(`/${source}/${flags}`);
        if (pattern === undefined) return;
        const all = compileLinear(translated(source, flags), flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0);
        assert.equal(pattern.find(subjectOf(said)), all.find(said));
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});
