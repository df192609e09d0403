import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMet } from '#test/firewall-engine.ts';
import { checkRows } from '#test/rows.ts';
import type { Match } from './rule.ts';

/** What is looked at is put into a body in JSON, so that it may be of any kind. */
const matches = (match: Match, value: unknown): boolean =>
  isMet({ parameter: 'raw.v', match }, { rawBody: JSON.stringify({ v: value }) });

type Case = readonly [match: Match, yes: readonly unknown[], no: readonly unknown[]];

const cases: readonly Case[] = [
  [{ type: 'isset' }, ['', 0, false, [], {}], [null]],
  [{ type: 'equals', value: 10 }, ['10', 10, '1e1', ' 10', '10 ', '+10', '10.', true], ['10a', '0x0a', '', null, [10]]],
  [{ type: 'equals', value: '1e3' }, ['1000', 1000], ['1e', '1e3x']],
  [{ type: 'equals', value: '1.0' }, ['1', '01'], ['1.0.0']],
  [{ type: 'equals', value: 0 }, ['0', '-0', '.0', false], ['abc', '']],
  [{ type: 'equals', value: 'ABC' }, ['ABC', true], ['abc', 0]],
  [{ type: 'equals', value: true }, ['x', 1, '0.0'], ['0', '', 0, false]],
  [{ type: 'equals', value: [1] }, [], [1, [1]]],
  [{ type: 'equals_strict', value: '10' }, ['10'], [10, '10.0', true]],
  [{ type: 'equals_strict', value: true }, [true], ['1', 1]],
  [{ type: 'more_than', value: 100 }, ['101', 'abc', 100.5], ['9', '', '100', 100, null, [101]]],
  [{ type: 'less_than', value: 100 }, ['9', '', '-1', 99], ['100', 'abc', 101, {}]],
  [{ type: 'contains', value: 'Admin' }, ['xadMINx', 'ADMIN'], ['adm', ['admin'], { a: 'admin' }, null]],
  [{ type: 'contains', value: 'é' }, ['été'], ['ÉTÉ']],
  [{ type: 'contains', value: 'kelvin' }, ['KELVIN'], ['\u212aelvin']],
  [{ type: 'contains', value: '' }, ['', 'x', 0, false], [[], null]],
  [{ type: 'contains' }, ['x'], [{}]],
  [{ type: 'contains', value: 1 }, ['a1', true, 21], ['a', false]],
  [{ type: 'contains', value: ['a'] }, [], ['a']],
  [{ type: 'stripos', value: 'X' }, ['axb'], ['ab']],
  [{ type: 'not_contains', value: 'x' }, ['a', '', 5], ['aXb', ['a'], null]],
  [{ type: 'not_contains', value: {} }, [], ['a']],
  [{ type: 'quotes' }, ["it's", 'a "b"'], ['plain', ['"']]],
  [{ type: 'inline_js_xss' }, ["'"], ['`']],
  [{ type: 'inline_xss' }, ['" onload=1', "'>"], ['a "word"', 'a=b>c', ['"=']]],
  [{ type: 'regex', value: '/^a+$/' }, ['aaa', 'a\n'], ['ab', '', ['a'], 'a\n\n']],
  [{ type: 'regex', value: '/^a b%$/' }, ['a+b%25', 'a%20b%'], ['a%2520b%']],
  [{ type: 'regex', value: '/1/' }, [1, true, 21], [false, 2]],
  [
    { type: 'ctype_digit', value: true },
    ['123', 5, 99, 53, 0, true],
    ['', 'a', '1.5', 1.5, -1, false, '-1', ['1'], '1\n'],
  ],
  [{ type: 'ctype_digit', value: false }, ['a', '1.5', -1], ['', '12', 5, [], null]],
  [{ type: 'ctype_digit', value: 1 }, [], ['1', 'a']],
  [{ type: 'ctype_alnum', value: true }, ['Az_$9', 'été', '中文', '𝒜'], ['', 'a b', 'a\n', '🙂', '\ufffd', 'a-b']],
  [{ type: 'ctype_alnum', value: false }, ['a b', '🙂'], ['', 'ab']],
  [{ type: 'ctype_special', value: true }, ['a b-c,d_e', ' -'], ['', 'a.b', 'a\n']],
  [{ type: 'ctype_special', value: false }, ["1' or"], ['a b', '']],
  [{ type: 'is_numeric', value: true }, ['.5', '1.', '-1e3', ' 7 ', 7, true], ['', '0x1', '1a', 'e3', false]],
  [{ type: 'is_numeric', value: false }, ['abc'], ['', '1']],
  [{ type: 'in_array', value: [1, 'b', false] }, ['1', 'b', '', 0, true], ['c', ['b'], {}]],
  [{ type: 'in_array', value: 'b' }, [], ['b']],
  [{ type: 'not_in_array', value: [1, 'b'] }, ['c', ''], ['1', ['c'], {}]],
  [{ type: 'not_in_array', value: 'b' }, [], ['c']],
  [
    { type: 'array_in_array', value: ['admin', 7] },
    [['x', 'admin'], ['7'], [7], { 5: 'admin' }],
    [['Admin'], 'admin', [], [['admin']]],
  ],
  [
    { type: 'array_key_value', key: 'a.b', match: { type: 'equals', value: 1 } },
    [{ a: { b: '1' } }],
    [{ a: 1 }, '1', { 'a.b': 1 }],
  ],
  [{ type: 'array_key_value', key: ['x', 'y'], match: { type: 'isset' } }, [{ y: 0 }], [{ z: 0 }, [0]]],
  [{ type: 'array_key_value', key: '0', match: { type: 'isset' } }, [], [['a']]],
  [
    { type: 'array_key_value', key: 'z.a.*', match: { type: 'equals', value: 'x' } },
    [{ a: ['x'] }],
    [{ z: { a: ['x'] } }],
  ],
  [{ type: 'array_key_value', key: 'a' }, [], [{ a: 1 }]],
  [
    { type: 'hostname' },
    [
      '/local',
      '//evil.example',
      '//garden.test',
      'javascript:alert(1)',
      'https://evil.example/?garden.test',
      'evil.example',
      'http://garden.test@evil.example/',
      'https://evil.example\\@garden.test',
      'http:/garden.test',
      'https://garden.test\t.evil.example',
      'httpgarden.test',
      'garden.test:javascript',
      'https://[::1]/',
      'https://garden.test.',
      ' ',
    ],
    [
      '',
      'https://garden.test/a',
      'http://GARDEN.test:8080',
      'garden.test/path',
      'https://evil.example@garden.test/',
      5,
      ['/x'],
      'garden.test:443',
    ],
  ],
  [
    { type: 'general_xss' },
    [
      '<script>1</script>',
      '<b onclick="1">a</b>',
      '<a href="javascript:alert(1)">a</a>',
      'a</iframe>',
      '<a href=" java\nscript:x">a</a>',
    ],
    [
      '<b>a</b> & "b" < c',
      '<a href="https://a.test/?a=1&b=2" title=\'x\'>a</a>',
      'plain',
      '',
      '&copy; 5',
      ['<script>'],
      5,
    ],
  ],
  [{ type: 'current_user_cannot', value: 'edit_posts' }, ['x'], []],
  [{ type: 'nobody_knows' }, [], ['', 'x']],
  [{ type: 'constructor' }, [], ['x']],
  [{ type: 'file_contains', match: { type: 'isset' } }, [], ['text', { name: 'a', tmp_name: '/etc/passwd' }]],
];

describe('a value', () => {
  it('meets a match or not, as the table says', () =>
    checkRows(cases, ([match, yes, no]) => {
      const met = (values: readonly unknown[]) => values.filter((value) => matches(match, value));
      assert.deepEqual([met(yes), met(no)], [yes, []]);
    }));

  it('that is nothing is met where a condition looks nowhere', () => {
    const holds = (match: Match): boolean => isMet({ parameter: 'rules', match }, {});
    assert.deepEqual(
      [
        { type: 'isset' },
        { type: 'in_array', value: [''] },
        { type: 'in_array', value: ['a'] },
        { type: 'contains' },
      ].map(holds),
      [true, true, false, false],
    );
    assert.equal(isMet({ parameter: false, match: { type: 'isset' } }, {}), true);
  });
});

describe('what is in a file', () => {
  const svg = {
    field: 'img',
    name: 'a.svg',
    type: 'image/svg+xml',
    size: 30,
    contents: Buffer.from('<svg><SCRIPT>x</SCRIPT></svg>'),
  };
  const match = { type: 'file_contains', match: { type: 'contains', value: '<script' } };
  const cases: [about: string, parameter: string, files: (typeof svg)[] | undefined, wanted: boolean][] = [
    ['is found in its field', 'files.img', [svg], true],
    ['is found among all files', 'files', [{ ...svg, field: 'x', contents: Buffer.from('') }, svg], true],
    [
      'is found across those of one field',
      'files.img',
      [
        { ...svg, field: 'img[]', contents: Buffer.from('<scr') },
        { ...svg, field: 'img[]', contents: Buffer.from('ipt') },
      ],
      true,
    ],
    ['is not looked for in other fields', 'files.other', [svg], false],
    ['is not found where no file is', 'files', undefined, false],
    ['is not found in what is said of it', 'files.img.name', [svg], false],
  ];
  it('is found in the fields that a condition names', () =>
    checkRows(cases, ([, parameter, files, wanted]) => assert.equal(isMet({ parameter, match }, { files }), wanted)));

  it('is not found in a file that was read by nobody', () => {
    const read = { type: 'file_contains', match: { type: 'not_contains', value: 'x' } };
    assert.equal(
      isMet({ parameter: 'files', match: read }, { files: [{ ...svg, contents: undefined } as never] }),
      false,
    );
  });
});
