import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { editedStem, stemOf } from './store-file.ts';

const cases: readonly (readonly [name: string, stem: string])[] = [
  ['raw upload Ü.jpg', 'raw-upload-U'],
  ['Straße, Ærø & Łódź.png', 'Strasse-Aero-Lodz'],
  ['a.php.jpg', 'a-php'],
  ['a.PHP5.phtml.jpg', 'a-PHP5-phtml'],
  ['.htaccess', 'file'],
  ['.jpg', 'file'],
  ['..', 'file'],
  ['../../etc/passwd.txt', 'etc-passwd'],
  ['a\u0000b\u202e.jpg', 'ab'],
  ['<script>alert(1)</script>.jpg', 'scriptalert1-script'],
  ['  two   words\t.jpg', 'two-words'],
  ['--a__.jpg', 'a'],
  ['写真 1.jpg', '写真-1'],
  ['a?b=c&d#e%20.jpg', 'abcde20'],
  ['lone\ud800.jpg', 'lone'],
  ['no ending', 'no-ending'],
];

describe('The name a file is kept by', () => {
  test('is safe and short', () => checkRows(cases, ([name, stem]) => assert.equal(stemOf(name), stem)));

  test('has a length every disk takes', () => {
    assert.equal(Buffer.byteLength(stemOf('é'.repeat(5_000))), 180);
    assert.ok(Buffer.byteLength(stemOf('写'.repeat(5_000))) <= 180);
  });

  test('says that a picture was changed, once', () => {
    const files = ['2026/11/a.jpg', '2026/11/a-edited.jpg', '2026/11/a-edited-12.jpg', '2026/11/a-scaled.jpg'];
    assert.deepEqual(files.map(editedStem), Array(4).fill('a-edited'));
  });
});
