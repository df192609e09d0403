import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawsOf } from '#lib/draws.ts';
import { Unreadable } from './seeing.ts';
import { regexify } from './texts.ts';

const many = Array.from({ length: 200 }, (_, seed) => drawsOf('regexify', seed));

describe('texts drawn by a pattern', () => {
  it('fit the pattern they were drawn by', () => {
    const patterns = [
      'abc',
      '[A-Z]{2}-\\d{4}',
      '(red|green|blue) (car|boat)',
      'a?b*c+',
      '(?:ab){2,4}',
      '[a-cx-z_-]{5}',
      '[^a-z]{3}',
      '\\w\\W\\s\\S\\D',
      '\\.\\*\\(\\)\\[\\]\\{\\}\\|\\\\',
      '^start.{3}end$',
      '(a|b{2}|(c|d)e){3}',
      'x{3,}',
      '(|a)b',
      'ü[à-ý]ß',
      '[\\d.]+',
      '[-a]',
    ];
    for (const pattern of patterns) {
      const draw = regexify(pattern);
      for (const draws of many) match(draw(draws), new RegExp(`^(?:${pattern})$`, 'us'));
    }
  });

  it('are the same for the same seed', () => {
    const draw = regexify('[a-z]{3,9}(x|y)*');
    deepEqual(draw(drawsOf(7)), draw(drawsOf(7)));
  });

  it('use every letter of a set and every choice', () => {
    const draw = regexify('[a-d]|(x|yz)');
    deepEqual(new Set(many.map(draw)), new Set(['a', 'b', 'c', 'd', 'x', 'yz']));
  });

  it('may be longer than their pattern, but only so far', () => {
    equal(regexify('(a{10}){100}')(drawsOf(1)).length, 1_000);
    const bombs = [
      '(((a{99}){99}){99})',
      'a{1001}',
      '(a{10}){101}',
      '((((){99}){99}){99}){99}',
      'a{99999}',
      '(a|b{99}){11}',
    ];
    for (const bomb of bombs) throws(() => regexify(bomb), Unreadable, bomb);
  });

  it('take patterns of 200 characters, and no more', () => {
    equal(regexify('a'.repeat(200))(drawsOf(1)).length, 200);
    throws(() => regexify('a'.repeat(201)), Unreadable);
    equal(regexify(`${'('.repeat(100)}${')'.repeat(100)}`)(drawsOf(1)), '');
  });

  it('are refused where the pattern cannot be read', () => {
    const unreadable = [
      ...[
        '(a',
        'a)',
        '(',
        '[a',
        '[',
        '[]',
        '[^\\x00-z]',
        'a]',
        '*a',
        '+',
        'a**',
        'a+?',
        'a{2}{3}',
        '{2}',
        'a{',
        'a{x}',
      ],
      ...['a{,3}', 'a{3,2}', 'a{2', 'a{1,', '[z-a]', '[a-\\d]', '[\\d-z]', '[[:alpha:]]', '[^ -~]', '\\', '[\\'],
      ...['(?=a)', '(?!a)', '(?<=a)', '(?<name>a)', '(?i)a', '\\1', '\\b', '\\p{L}', '\\u0041', '\\x41', 'a^b', 'a$b'],
      '[\u0001-\u{10ffff}]',
    ];
    for (const pattern of unreadable) throws(() => regexify(pattern), Unreadable, pattern);
  });
});
