import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { formatOf } from './formats.ts';

const accepted = (format: string, text: string): boolean => formatOf(format, true)?.accepts?.(text) ?? true;
const cleaned = (format: string, text: string): string => formatOf(format, true)?.clean?.(text) ?? text;

const verdicts: Record<string, { good: string[]; bad: string[] }> = {
  'date-time': {
    good: ['2025-12-31 23:59:59', '2025-01-01T00:00:00.5+02:00', '2025-01-01T00:00:00-11:30', '0000-00-00T00:00:00'],
    bad: [
      '2025-00-01T00:00:00',
      '0000-00-00T00:00:01',
      '2025-01-32T00:00:00',
      '2025-01-01T00:60:00',
      '2025-01-01T00:00:00z\n',
      '١',
    ],
  },
  date: {
    good: ['2025-01-31', '0000-12-01'],
    bad: ['2025-1-1', '2025-13-01', '2025-01-00', '2025-01-01T00:00:00', ''],
  },
  email: {
    good: ["o'neil+x@mail.example.org", 'a@b.co'],
    bad: ['a@b..co', 'a@-b.co', 'a@b-.co', '@b.com', 'a b@c.de', 'a@b@c.de', 'a@b.co\n', 'ä@b.com'],
  },
  ip: {
    good: ['0.0.0.0', '255.255.255.255', '2001:db8::1', '::ffff:1.2.3.4'],
    bad: ['256.1.1.1', '01.2.3.4', '1.2.3.4 ', 'fe80::1%eth0', '::1/128', '[::1]', '2130706433', ''],
  },
  uuid: { good: ['00000000-0000-0000-0000-000000000000'], bad: ['00000000-0000-0000-0000-00000000000g'] },
  'hex-color': { good: ['#ABC', '#a1b2c3'], bad: ['#ab', '#abcde', '#ggg', 'red', '#abc\n'] },
};

describe('formats', () => {
  const inEach = (of: 'good' | 'bad') =>
    Object.entries(verdicts).flatMap(([format, texts]) => texts[of].map((text) => [format, text] as const));

  it('take texts of their form', () =>
    checkRows(inEach('good'), ([format, text]) => assert.equal(accepted(format, text), true)));

  it('refuse all others', () =>
    checkRows(inEach('bad'), ([format, text]) => assert.equal(accepted(format, text), false)));

  it('leaves dates unchecked where the content namespace needs them free', () => {
    assert.equal(formatOf('date', false), undefined);
  });

  it('knows no format by the name of an inherited member', () => {
    assert.equal(formatOf('constructor', true), undefined);
    assert.equal(formatOf('__proto__', true), undefined);
  });
});

describe('addresses are cleaned, never refused', () => {
  const cases: [string, string][] = [
    ['example.org/a b', 'http://example.org/a%20b'],
    ['  https://example.org', 'https://example.org'],
    ['HTTPS://example.org', 'HTTPS://example.org'],
    ['//example.org/x', '//example.org/x'],
    ['/below?x=1#y', '/below?x=1#y'],
    ['mailto:a@b.co', 'mailto:a@b.co'],
    ['java\tscript:alert(1)', ''],
    ['\u0001javascript:alert(1)', ''],
    ['data:text/html,<script>', ''],
    ['vbscript:x', ''],
    ['https://a.b/%0d%0aSet-Cookie', 'https://a.b/Set-Cookie'],
    ['https://a.b/%0%0dd', ''],
    ['https://a.b/"onclick="x', 'https://a.b/onclick=x'],
    ['http://bücher.example/é', 'http://bücher.example/é'],
  ];
  it('by replacing and removing characters', () =>
    checkRows(cases, ([text, wanted]) => assert.equal(cleaned('uri', text), wanted)));
});

describe('text without tags', () => {
  it('keeps line breaks only where there may be several lines', () => {
    assert.equal(cleaned('text-field', ' a\r\n\tb '), 'a b');
    assert.equal(cleaned('textarea-field', ' a\r\n\tb '), 'a\r\n\tb');
  });
});
