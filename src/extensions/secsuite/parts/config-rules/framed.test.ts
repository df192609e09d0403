// The part of a file that is the suite's own, and what becomes of the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { framed, isFramedIn, replacedIn } from './framed.ts';

const block = (...lines: string[]): string => framed([{ setting: 'a.b', lines }]);
const begin = '# BEGIN Gatehouse security suite\n';
const end = '# END Gatehouse security suite\n';

/** Where they stand alone. */
const marks = /^# (?:BEGIN|END) Gatehouse security suite\s*?(?:\n|$)/gm;

test('A text names its format and the setting each part follows from', () => {
  assert.equal(block('x;', 'y;'), `${begin}# Format: 2\n\n# a.b\nx;\ny;\n\n${end}`);
  assert.equal(block(), '', 'and what says nothing is no text');
});

test('It comes to the end of a file, and stays where it is from then on', () => {
  const first = replacedIn('theirs', block('x;'));
  assert.equal(first, `theirs\n${block('x;')}`);
  const between = `${first}and theirs\n`;
  assert.equal(replacedIn(between, block('y;')), `theirs\n${block('y;')}and theirs\n`);
  assert.equal(replacedIn(between, ''), 'theirs\nand theirs\n');
});

test('Lines that end as on other systems are left as they are, and known', () => {
  const file = `theirs\r\n${block('x;').replaceAll('\n', '\r\n')}last\r\n`;
  assert.equal(replacedIn(file, block('y;')), `theirs\r\n${block('y;')}last\r\n`);
});

test('Two become one, where the first stood', () => {
  const file = `a\n${block('x;')}b\n${block('y;')}c`;
  assert.equal(replacedIn(file, block('z;')), `a\n${block('z;')}b\nc`);
});

test('A beginning or an end alone takes nothing of others with it', () => {
  const file = `${end}a\n${begin}b\n`;
  assert.equal(isFramedIn(file), false);
  assert.equal(replacedIn(file, ''), file);
  assert.equal(replacedIn(file, block('x;')), `a\nb\n${block('x;')}`);
  assert.equal(replacedIn(`${begin}theirs\n${block('x;')}theirs too\n${end}`, ''), 'theirs\ntheirs too\n');
});

test('Whatever a file holds, the rest of it is the same afterwards, and a second time changes nothing', () => {
  const line = fc.oneof(fc.constantFrom(begin.trim(), end.trim(), ''), fc.string());
  const file = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(file, (before) => {
      const written = replacedIn(before, block('x;'));
      assert.ok(isFramedIn(written));
      assert.equal(replacedIn(written, block('x;')), written);
      const without = replacedIn(before, '').replaceAll(marks, '');
      assert.equal(replacedIn(written, '').trimEnd(), without.trimEnd());
    }),
    { numRuns: 2000, seed: 20_261_120 },
  );
});
